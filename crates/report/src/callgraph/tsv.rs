//! The call graph as a table: `caller, offset, line, callee, kind`.

use std::io::{self, Write};

use heliostat_core::analysis::CallGraph;

use crate::tsv::{field, optional};

/// Writes a row per edge, in their order, below a row with the names of the columns.
pub fn write(graph: &CallGraph<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "caller\toffset\tline\tcallee\tkind")?;
    for edge in graph.edges() {
        let (from, to) = (field(edge.caller.name), field(edge.callee.name));
        writeln!(out, "{from}\t{}\t{}\t{to}\t{}", edge.offset, optional(edge.line), edge.kind)?;
    }
    Ok(())
}
