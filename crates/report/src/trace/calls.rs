//! The call graph of a run as a table: `caller, offset, line, callee, kind, count`.

use std::io::{self, Write};

use heliostat_core::trace::Trace;

use crate::tsv::{field, optional};

/// Writes a row per edge, in their order, below a row with the names of the columns. The JVM has no name, and neither a place
/// where it calls.
pub(super) fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "caller\toffset\tline\tcallee\tkind\tcount")?;
    let names: Vec<String> =
        trace.methods.values().map(|method| field(&method.to_string()).into_owned()).collect();
    let name = |id: u32| names.get(id as usize).map_or("", String::as_str);
    for call in &trace.calls {
        let caller = call.site.caller.map_or("", |caller| name(caller.as_u32()));
        let offset = call.site.offset.map(|offset| offset.to_string()).unwrap_or_default();
        let (line, callee) = (optional(call.site.line), name(call.callee.as_u32()));
        writeln!(out, "{caller}\t{offset}\t{line}\t{callee}\t{}\t{}", call.kind, call.count)?;
    }
    Ok(())
}
