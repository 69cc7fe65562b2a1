//! The call graph as a table: `caller, offset, line, callee, kind`.

use std::io::{self, Write};

use heliostat_core::analysis::CallGraph;

use crate::tsv::{end, field, optional};

/// Writes a row per edge, in their order, below a row with the names of the columns. If it is incomplete, the last line says so.
pub fn write(graph: &CallGraph<'_>, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "caller\toffset\tline\tcallee\tkind")?;
    for edge in graph.edges() {
        let (from, to) = (field(edge.caller.name), field(edge.callee.name));
        writeln!(out, "{from}\t{}\t{}\t{to}\t{}", edge.offset, optional(edge.line), edge.kind)?;
    }
    end(complete, out)
}
