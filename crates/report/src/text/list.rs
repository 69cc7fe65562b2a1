//! Lists under a title, in aligned columns, cut where they get long.

use std::io::{self, Write};

use super::style::{Style, shortened};
use super::thousands;

/// How many rows of a list are shown.
const SHOWN: usize = 10;
/// The widest that a name pushes the columns after it to the right.
const WIDEST: usize = 64;
/// The least that is left of a name, and the part of a line that its note may take of it.
const SHORTEST: usize = 16;
const NOTE_PART: usize = 3;

/// How a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// One line of a list.
pub struct Row {
    /// What stands in the columns.
    pub cells: Vec<String>,
    /// What follows, or nothing.
    pub note: String,
}

/// Writes a list: its title with the number of things in it, and a row for each of the first. Nothing if it is
/// empty.
pub fn write(
    title: &str,
    total: usize,
    columns: &[Align],
    rows: &[Row],
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let shown = if style.all { rows } else { rows.get(..SHOWN).unwrap_or(rows) };
    writeln!(out, "\n{title} ({})", thousands(total))?;
    write_rows(columns, shown, style, out)?;
    match total.saturating_sub(shown.len()) {
        0 => Ok(()),
        left if style.all => writeln!(out, "  … and {} more", thousands(left)),
        left => writeln!(out, "  … and {} more ({})", thousands(left), style.more),
    }
}

/// Writes rows in aligned columns, each on one line.
pub fn write_rows(columns: &[Align], rows: &[Row], style: Style, out: &mut impl Write) -> io::Result<()> {
    let cut: Vec<Row>;
    let rows = if style.cut {
        cut = cut_names(columns, rows, style.width);
        &cut
    } else {
        rows
    };
    let columns: Vec<_> = columns.iter().enumerate().map(|(i, &align)| (align, width(rows, i))).collect();
    for Row { cells, note } in rows {
        let cell = |(cell, &(align, width)): (&String, &(Align, usize))| match align {
            Align::Left => format!("  {cell:<width$}"),
            Align::Right => format!("  {cell:>width$}"),
        };
        let line = cells.iter().zip(&columns).map(cell).collect::<Vec<_>>().concat();
        let room = if style.cut { style.width.saturating_sub(line.chars().count() + 2) } else { usize::MAX };
        let note = if room == 0 { String::new() } else { shortened(note, room) };
        writeln!(out, "{}", format!("{line}  {note}").trim_end())?;
    }
    Ok(())
}

fn width(rows: &[Row], column: usize) -> usize {
    let widths = rows.iter().filter_map(|row| row.cells.get(column)).map(|cell| cell.chars().count());
    widths.filter(|&width| width <= WIDEST).max().unwrap_or(0)
}

/// The rows with the names, which stand in the first column that is aligned to the left, cut so that a line has
/// room for the other columns and for some of its note.
fn cut_names(columns: &[Align], rows: &[Row], line: usize) -> Vec<Row> {
    let name = columns.iter().position(|&align| align == Align::Left).unwrap_or(0);
    let others: usize = (0..columns.len()).filter(|&i| i != name).map(|i| width(rows, i) + 2).sum();
    let cut = |row: &Row| {
        let note = row.note.chars().count().min(line / NOTE_PART) + 2;
        let room = line.saturating_sub(others + 2 + note).max(SHORTEST);
        let cells = row.cells.iter().enumerate();
        let cells = cells.map(|(i, cell)| if i == name { shortened(cell, room) } else { cell.clone() });
        Row { cells: cells.collect(), note: row.note.clone() }
    };
    rows.iter().map(cut).collect()
}

/// As many of the names as fit into the room, but at least one, with commas between; `…` stands for the others of
/// `total`.
pub fn fit(names: &[String], total: usize, room: usize) -> String {
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let ellipsis = if i + 1 < total { 3 } else { 0 };
        let length = text.chars().count() + separator.len() + name.chars().count() + ellipsis;
        if i > 0 && length > room {
            return text + ", …";
        }
        text += separator;
        text += name;
    }
    if names.len() < total { text + ", …" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: Style = Style { width: 100, cut: false, all: false, quiet: false, more: "use --all" };
    const ALL: Style = Style { all: true, ..FILE };

    fn row(cells: &[&str], note: &str) -> Row {
        Row { cells: cells.iter().map(|&cell| cell.to_owned()).collect(), note: note.to_owned() }
    }

    fn written(total: usize, rows: &[Row], style: Style) -> String {
        let mut out = Vec::new();
        write("Things", total, &[Align::Right, Align::Left], rows, style, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_line_up() {
        let rows = [row(&["1", "a"], "x"), row(&["12", "bcd"], "")];
        assert_eq!(written(2, &rows, FILE), "\nThings (2)\n   1  a    x\n  12  bcd\n");
        assert_eq!(written(0, &[], FILE), "");
    }

    #[test]
    fn a_row_is_a_line_however_long() {
        let (name, note) = ("n".repeat(80), "x".repeat(80));
        let rows = [row(&["1", &name], &note)];
        assert_eq!(written(1, &rows, FILE), format!("\nThings (1)\n  1  {name}  {note}\n"));
        for width in [1, 20, 40, 80, 120] {
            let text = written(1, &rows, Style { width, cut: true, ..FILE });
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert_eq!(text.lines().count(), 3, "{text}");
            assert!(longest <= Some(width.max(SHORTEST + 5)), "{width}: {text}");
        }
    }

    #[test]
    fn long_lists_are_cut() {
        let rows: Vec<Row> = (0..12).map(|i| row(&[&i.to_string()], "")).collect();
        assert!(written(1012, &rows, FILE).ends_with("\n  9\n  … and 1,002 more (use --all)\n"));
        assert!(written(12, &rows, ALL).ends_with("  11\n"));
    }

    #[test]
    fn names_that_fit() {
        let names = ["aaa".to_owned(), "bbb".to_owned()];
        assert_eq!(fit(&names, 2, 8), "aaa, bbb");
        assert_eq!(fit(&names, 3, 11), "aaa, bbb, …");
        assert_eq!(fit(&names, 3, 10), "aaa, …");
        assert_eq!(fit(&names, 2, 2), "aaa, …");
    }
}
