//! The call graph as Graphviz draws it: a box for each method, an arrow for each way in which one calls another.

use std::io::{self, Write};

use heliostat_core::analysis::CallGraph;

/// Writes the graph. Calls of one kind between the same methods are one arrow, whatever the number of call sites.
pub fn write(graph: &CallGraph<'_>, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "digraph callgraph {{")?;
    if !complete {
        writeln!(out, "  label=\"incomplete: a limit or Ctrl-C ended the analysis\";")?;
    }
    writeln!(out, "  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];")?;
    for (number, name) in graph.methods().enumerate() {
        writeln!(out, "  m{number} [label={}];", label(name))?;
    }
    let mut edges: Vec<_> = graph.edges().map(|e| (e.caller.number, e.callee.number, e.kind)).collect();
    edges.sort_unstable();
    edges.dedup();
    for (from, to, kind) in edges {
        writeln!(out, "  m{from} -> m{to} [label=\"{kind}\"];")?;
    }
    writeln!(out, "}}")
}

/// A method's name in quotes, its class on a line of its own.
fn label(name: &str) -> String {
    let end = name.find('(').unwrap_or(name.len());
    let dot = name.get(..end).and_then(|before| before.rfind('.'));
    match dot.and_then(|dot| Some((name.get(..dot)?, name.get(dot + 1..)?))) {
        Some((class, method)) => format!("\"{}\\n{}\"", escaped(class), escaped(method)),
        None => format!("\"{}\"", escaped(name)),
    }
}

/// As it may stand between quotes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels_are_quoted() {
        assert_eq!(label("a/B$C.m(La/B;)V"), "\"a/B$C\\nm(La/B;)V\"");
        assert_eq!(label("a/\"B\\.<init>()V"), "\"a/\\\"B\\\\\\n<init>()V\"");
        assert_eq!(label("odd"), "\"odd\"");
    }
}
