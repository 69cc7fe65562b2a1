//! The rows of a table, in order, each on a line.

use std::io::{self, Write};

use heliostat_core::analysis::tables::RowSink;

use crate::tsv::field;

/// Writes each batch of rows in order, none twice.
pub(super) struct Sorted<'a, W> {
    out: &'a mut W,
    rows: Vec<String>,
}

impl<'a, W> Sorted<'a, W> {
    pub(super) fn new(out: &'a mut W) -> Self {
        Self { out, rows: Vec::new() }
    }
}

impl<W: Write> RowSink for Sorted<'_, W> {
    fn row(&mut self, cells: &[&str]) {
        let cells: Vec<_> = cells.iter().map(|cell| field(cell)).collect();
        self.rows.push(cells.join("\t"));
    }

    fn end(&mut self) -> io::Result<()> {
        self.rows.sort_unstable();
        self.rows.dedup();
        self.rows.drain(..).try_for_each(|row| writeln!(self.out, "{row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_sorted_each() {
        let mut out = Vec::new();
        let mut sink = Sorted::new(&mut out);
        for row in [["b", "x"], ["a", "y\t"], ["b", "x"]] {
            sink.row(&row);
        }
        sink.end().unwrap();
        sink.row(&["c"]);
        sink.end().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\ty\\t\nb\tx\nc\n");
    }
}
