//! The reachable methods, one on each line, sorted.

use std::io::{self, Write};

use heliostat_core::analysis::CallGraph;

use crate::tsv::{end, field};

/// Writes their names. If they are not all, the last line says so.
pub fn write(graph: &CallGraph<'_>, complete: bool, out: &mut impl Write) -> io::Result<()> {
    graph.methods().try_for_each(|name| writeln!(out, "{}", field(name)))?;
    end(complete, out)
}
