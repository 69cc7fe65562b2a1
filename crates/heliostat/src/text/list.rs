//! Lists under a title, in aligned columns, cut where they get long.

use std::io::{self, Write};

use super::thousands;

/// How many rows of a list are shown.
const SHOWN: usize = 10;
/// Where a line should end. Names are never cut; what does not fit beside them goes below.
pub(crate) const WIDTH: usize = 100;
/// What a note below its row begins with.
pub(crate) const INDENT: &str = "        ";
/// The widest that a name pushes the columns after it to the right.
const WIDEST: usize = 64;

/// How a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// One line of a list.
pub(crate) struct Row {
    /// What stands in the columns.
    pub(crate) cells: Vec<String>,
    /// What follows, or nothing.
    pub(crate) note: String,
}

/// Writes a list: its title with the number of things in it, and a row for each of the first. Nothing if it is
/// empty.
pub(crate) fn write(
    title: &str,
    total: usize,
    columns: &[Align],
    rows: &[Row],
    all: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let shown = if all { rows } else { rows.get(..SHOWN).unwrap_or(rows) };
    writeln!(out, "\n{title} ({})", thousands(total))?;
    write_rows(columns, shown, out)?;
    match total.saturating_sub(shown.len()) {
        0 => Ok(()),
        left if all => writeln!(out, "  ... and {} more", thousands(left)),
        left => writeln!(out, "  ... and {} more (use --all)", thousands(left)),
    }
}

/// Writes rows in aligned columns.
pub(crate) fn write_rows(columns: &[Align], rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let width = |column: usize| {
        let widths = rows.iter().filter_map(|row| row.cells.get(column)).map(|cell| cell.chars().count());
        widths.filter(|&width| width <= WIDEST).max().unwrap_or(0)
    };
    let columns: Vec<_> = columns.iter().enumerate().map(|(i, &align)| (align, width(i))).collect();
    for Row { cells, note } in rows {
        let cell = |(cell, &(align, width)): (&String, &(Align, usize))| match align {
            Align::Left => format!("  {cell:<width$}"),
            Align::Right => format!("  {cell:>width$}"),
        };
        let line = cells.iter().zip(&columns).map(cell).collect::<Vec<_>>().concat();
        let fits = line.chars().count() + 2 + note.chars().count() <= WIDTH;
        if note.is_empty() || fits {
            writeln!(out, "{}", format!("{line}  {note}").trim_end())?;
        } else {
            writeln!(out, "{}\n{INDENT}{note}", line.trim_end())?;
        }
    }
    Ok(())
}

/// As many of the names as fit into the room, with commas between; `...` stands for the others of `total`.
pub(crate) fn fit(names: &[String], total: usize, room: usize) -> String {
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let ellipsis = if i + 1 < total { ", ...".len() } else { 0 };
        if text.len() + separator.len() + name.len() + ellipsis > room {
            return if i == 0 { text } else { text + ", ..." };
        }
        text += separator;
        text += name;
    }
    if names.len() < total { text + ", ..." } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str], note: &str) -> Row {
        Row { cells: cells.iter().map(|&cell| cell.to_owned()).collect(), note: note.to_owned() }
    }

    fn written(total: usize, rows: &[Row], all: bool) -> String {
        let mut out = Vec::new();
        write("Things", total, &[Align::Right, Align::Left], rows, all, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_line_up() {
        let rows = [row(&["1", "a"], "x"), row(&["12", "bcd"], "")];
        assert_eq!(written(2, &rows, false), "\nThings (2)\n   1  a    x\n  12  bcd\n");
        assert_eq!(written(0, &[], false), "");
    }

    #[test]
    fn a_note_that_does_not_fit_goes_below() {
        let note = "x".repeat(WIDTH - 5);
        let text = written(1, &[row(&["1", "a"], &note)], false);
        assert_eq!(text, format!("\nThings (1)\n  1  a\n{INDENT}{note}\n"));
    }

    #[test]
    fn long_lists_are_cut() {
        let rows: Vec<Row> = (0..12).map(|i| row(&[&i.to_string()], "")).collect();
        assert!(written(1012, &rows, false).ends_with("\n  9\n  ... and 1,002 more (use --all)\n"));
        assert!(written(12, &rows, true).ends_with("  11\n"));
    }

    #[test]
    fn names_that_fit() {
        let names = ["aaa".to_owned(), "bbb".to_owned()];
        assert_eq!(fit(&names, 2, 8), "aaa, bbb");
        assert_eq!(fit(&names, 3, 13), "aaa, bbb, ...");
        assert_eq!(fit(&names, 3, 12), "aaa, ...");
        assert_eq!(fit(&names, 2, 7), "");
        assert_eq!(fit(&names, 2, 2), "");
    }
}
