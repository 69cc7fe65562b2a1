//! The call graph as JSON: the names of all methods, and the edges, one on each line.

use std::io::{self, Write};

use heliostat_core::analysis::{CallGraph, Edge};
use serde::Serialize;

/// The version of the structure that this code writes.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct JsonEdge<'a> {
    caller: &'a str,
    offset: u32,
    line: Option<u16>,
    callee: &'a str,
    kind: &'a str,
}

/// Writes an object with `schema`, `complete`, `methods` and `edges`.
pub fn write(graph: &CallGraph<'_>, complete: bool, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\"schema\":{SCHEMA},\"complete\":{complete},\n\"methods\":[")?;
    list(graph.methods(), out)?;
    write!(out, "],\n\"edges\":[")?;
    list(graph.edges().map(json), out)?;
    writeln!(out, "]}}")
}

fn json(edge: Edge<'_>) -> JsonEdge<'_> {
    let Edge { caller, offset, line, callee, kind } = edge;
    JsonEdge { caller: caller.name, offset, line, callee: callee.name, kind }
}

fn list(items: impl Iterator<Item = impl Serialize>, out: &mut impl Write) -> io::Result<()> {
    for (i, item) in items.enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &item)?;
    }
    Ok(())
}
