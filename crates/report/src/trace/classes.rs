//! The classes of a run as a table: `class, crc32, length, loader, origin, location`.

use std::io::{self, Write};

use heliostat_core::trace::Trace;

use crate::tsv::field;

/// Writes a row per class, below a row with the names of the columns.
pub(super) fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "class\tcrc32\tlength\tloader\torigin\tlocation")?;
    for class in &trace.classes {
        let (name, location) = (field(&class.name), field(&class.location));
        let loader = if class.is_boot { "boot" } else { "other" };
        let origin = if class.is_generated { "generated" } else { "file" };
        writeln!(out, "{name}\t{:08x}\t{}\t{loader}\t{origin}\t{location}", class.checksum, class.length)?;
    }
    Ok(())
}
