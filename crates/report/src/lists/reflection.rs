//! What reflective calls do, as a table: `caller, offset, line, api, target, how`.

use std::io::{self, Write};

use heliostat_core::analysis::ReflectiveTarget;

use crate::tsv::{end, field, optional};

/// Writes a row per call and target.
pub fn write(targets: &[ReflectiveTarget], complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "caller\toffset\tline\tapi\ttarget\thow")?;
    for ReflectiveTarget { place, api, target, how, .. } in targets {
        let target = target.to_string();
        let (caller, line, target) = (field(&place.method), optional(place.line), field(&target));
        writeln!(out, "{caller}\t{}\t{line}\t{api}\t{target}\t{}", place.offset, how.name())?;
    }
    end(complete, out)
}
