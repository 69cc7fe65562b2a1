//! The reachable methods, one on each line, sorted.

use std::io::{self, Write};

use heliostat_core::analysis::CallGraph;

use crate::tsv::field;

/// Writes their names.
pub fn write(graph: &CallGraph<'_>, out: &mut impl Write) -> io::Result<()> {
    graph.methods().try_for_each(|name| writeln!(out, "{}", field(name)))
}
