//! Markdown tables that line up, so that they read well on a terminal too.

/// The first column is for names, the others are for numbers. Rows are as long as the head.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &[&str]) -> Self {
        Self { rows: vec![head.iter().map(ToString::to_string).collect()] }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub(crate) fn text(&self) -> String {
        let columns = self.rows[0].len();
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut lines: Vec<String> = self.rows.iter().map(|row| line(row, &widths)).collect();
        let rule = |(column, &width): (usize, &usize)| match column {
            0 => "-".repeat(width + 2),
            _ => format!("{}:", "-".repeat(width + 1)),
        };
        let rules: Vec<String> = widths.iter().enumerate().map(rule).collect();
        lines.insert(1, format!("|{}|\n", rules.join("|")));
        lines.concat()
    }
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cell = |(column, (cell, &width)): (usize, (&String, &usize))| match column {
        0 => format!("| {cell:<width$} "),
        _ => format!("| {cell:>width$} "),
    };
    row.iter().zip(widths).enumerate().map(cell).chain(["|\n".to_owned()]).collect()
}

/// A number with a comma between each three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |(at, digit): (usize, char)| {
        let before = at > 0 && (digits.len() - at).is_multiple_of(3);
        before.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(comma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["subject", "n"]);
        table.row(vec!["a".to_owned(), "1,000".to_owned()]);
        assert_eq!(table.text(), "| subject |     n |\n|---------|------:|\n| a       | 1,000 |\n");
    }

    #[test]
    fn digits_are_grouped_from_the_end() {
        assert_eq!(
            [0, 999, 1000, 225_053, 11_300_000].map(grouped),
            ["0", "999", "1,000", "225,053", "11,300,000"]
        );
    }
}
