//! The rows of `callgraph.tsv`.

use std::borrow::Cow;

use anyhow::{Context, Result, ensure};
use heliostat_core::pta::facts::EdgeKind;

const HEAD: &str = "caller\toffset\tline\tcallee\tkind";

/// A call edge by names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edge<'a> {
    pub(super) caller: Cow<'a, str>,
    pub(super) offset: u32,
    pub(super) callee: Cow<'a, str>,
    pub(super) kind: EdgeKind,
}

/// All edges of a table, in its order.
pub(super) fn read(table: &str) -> Result<Vec<Edge<'_>>> {
    let mut lines = table.lines();
    ensure!(lines.next() == Some(HEAD), "a call graph has the columns {}", HEAD.replace('\t', ", "));
    lines.map(|line| edge(line).with_context(|| format!("not an edge: {line}"))).collect()
}

fn edge(line: &str) -> Option<Edge<'_>> {
    let mut cells = line.split('\t');
    let (caller, offset) = (cells.next()?, cells.next()?.parse().ok()?);
    let (_line, callee, kind) = (cells.next()?, cells.next()?, cells.next()?);
    let kind = *EdgeKind::ALL.iter().find(|known| known.name() == kind)?;
    let edge = Edge { caller: name(caller), offset, callee: name(callee), kind };
    cells.next().is_none().then_some(edge)
}

/// A name as it was before what would end a column or a row was written as in Java.
pub(super) fn name(cell: &str) -> Cow<'_, str> {
    if !cell.contains('\\') {
        return Cow::Borrowed(cell);
    }
    let (mut name, mut chars) = (String::new(), cell.chars());
    while let Some(char) = chars.next() {
        name.push(match (char, chars.as_str().chars().next()) {
            ('\\', Some(escaped)) => {
                chars.next();
                match escaped {
                    't' => '\t',
                    'n' => '\n',
                    'r' => '\r',
                    other => other,
                }
            }
            _ => char,
        });
    }
    Cow::Owned(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_an_edge() {
        let table =
            format!("{HEAD}\na/B.f()V\t7\t\ta/C.g()V\tvirtual\na/B.f()V\t9\t4\ta/C.<clinit>()V\tclinit\n");
        let edges = read(&table).unwrap();
        let first =
            Edge { caller: "a/B.f()V".into(), offset: 7, callee: "a/C.g()V".into(), kind: EdgeKind::Virtual };
        assert_eq!((edges.len(), &edges[0], edges[1].kind), (2, &first, EdgeKind::Clinit));
    }

    #[test]
    fn what_is_no_table_of_edges() {
        for table in [
            "",
            "caller\n",
            &format!("{HEAD}\na\tx\t\tb\tvirtual\n"),
            &format!("{HEAD}\na\t1\t\tb\tby hand\n"),
        ] {
            assert!(read(table).is_err(), "{table}");
        }
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(name("a/B.f()V"), "a/B.f()V");
        assert_eq!(name("a\\tb\\nc\\r\\\\t"), "a\tb\nc\r\\t");
    }
}
