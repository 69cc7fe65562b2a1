//! The results for people (Markdown) and for programs (JSON). What is kept of a day grows run by run.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::compare::{self, FOUND, Factor};
use super::row::{End, Row, Run};
use super::targets;
use crate::bench::kept;
use crate::bench::machine::Machine;
use crate::bench::table::{Table, grouped};

const NAME: &str = "pta";

/// Differences of more per cent than this are to be explained in `bench/NOTES.md`.
const FAR: f64 = 2.0;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) date: String,
    pub(super) machine: Machine,
    pub(super) rows: Vec<Row>,
}

impl Report {
    /// Costs and counts, comparisons, ends that came early, what is far apart, verdicts.
    pub(super) fn text(&self) -> String {
        let mut text = self.measured().text();
        if self.rows.iter().any(|row| row.peer.is_some()) {
            _ = write!(text, "\n{}", self.compared().text());
        }
        let verdicts: Vec<String> = targets::check(&self.rows).iter().map(ToString::to_string).collect();
        for list in [self.early_ends(), self.far_apart(), verdicts] {
            if !list.is_empty() {
                _ = writeln!(text, "\n- {}", list.join("\n- "));
            }
        }
        text
    }

    /// Adds its rows to those kept of the same day, in place of older ones of the same program and context.
    pub(super) fn keep(&mut self, root: &Path) -> Result<()> {
        if let Some(json) = kept::load(root, &self.date, NAME)? {
            let older: Self = serde_json::from_str(&json).context("reading the day's results")?;
            let same = |a: &Row, b: &Row| a.program == b.program && a.context == b.context;
            self.rows = kept::merge(older.rows, std::mem::take(&mut self.rows), same);
        }
        let commits: BTreeSet<&str> = self.rows.iter().map(|row| row.commit.as_str()).collect();
        let commits = commits.into_iter().collect::<Vec<_>>().join(", ");
        let head = format!("# Points-to analysis, {}\n\n{}", self.date, self.machine.text("bench pta"));
        let markdown = format!("{head}- commit {commits}\n\n{}", self.text());
        kept::save(root, &self.date, NAME, &markdown, self)
    }

    /// One line for each run.
    fn measured(&self) -> Table {
        let mut head = vec!["program", "context", "analyser", "CPU s", "peak MiB"];
        head.extend(FOUND.map(|(heading, _)| heading));
        head.extend(["s / million", "end"]);
        let mut table = Table::new(&head);
        for row in &self.rows {
            table.row(line(row, "heliostat", &row.heliostat));
            if let (Some(name), Some(peer)) = (&row.peer_name, &row.peer) {
                table.row(line(row, name, peer));
            }
        }
        table
    }

    /// One line for each program and context with both.
    fn compared(&self) -> Table {
        let mut head = vec!["program", "context", "CPU", "memory"];
        head.extend(FOUND.map(|(heading, _)| heading));
        let mut table = Table::new(&head);
        for row in self.rows.iter().filter(|row| row.peer.is_some()) {
            let mut cells = vec![row.program.clone(), row.context.clone()];
            cells.extend([compare::cpu(row), compare::memory(row)].map(|factor| shown(factor, times)));
            cells.extend(compare::differences(row).map(|difference| shown(difference, per_cent)));
            table.row(cells);
        }
        table
    }

    fn early_ends(&self) -> Vec<String> {
        let runs = self.rows.iter().flat_map(|row| {
            let peer = row.peer_name.as_deref().zip(row.peer.as_ref());
            [("heliostat", &row.heliostat)].into_iter().chain(peer).map(move |(name, run)| (row, name, run))
        });
        let told = runs.filter_map(|(row, name, run)| {
            let Row { program, context, .. } = row;
            match &run.end {
                End::Complete => None,
                End::Incomplete(why) => Some(format!("{program}, {context}: {name} was ended: {why}")),
                End::Failed(why) => Some(format!("{program}, {context}: {name} failed: {why}")),
            }
        });
        told.collect()
    }

    /// Of what both find in the same way: methods and edges, without contexts.
    fn far_apart(&self) -> Vec<String> {
        let rows = self.rows.iter().filter(|row| row.context == "insens");
        let told = rows.flat_map(|row| {
            let differences = FOUND.iter().zip(compare::differences(row)).take(2);
            differences.filter_map(|(&(what, _), difference)| {
                let far = difference.filter(|difference| difference.abs() > FAR)?;
                Some(format!("{}: {what} {} apart, more than {FAR} %", row.program, per_cent(far)))
            })
        });
        told.collect()
    }
}

fn line(row: &Row, analyser: &str, run: &Run) -> Vec<String> {
    let mut cells = vec![row.program.clone(), row.context.clone(), analyser.to_owned()];
    cells.extend([format!("{:.2}", run.cpu_s), grouped(run.peak_bytes >> 20)]);
    cells.extend(FOUND.map(|(_, of)| shown(run.counts.as_ref(), |counts| grouped(of(counts)))));
    cells.push(shown(run.seconds_per_million(), |seconds| format!("{seconds:.3}")));
    cells.push(match run.end {
        End::Complete => String::new(),
        End::Incomplete(_) => "incomplete".to_owned(),
        End::Failed(_) => "failed".to_owned(),
    });
    cells
}

fn shown<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), show)
}

fn times(factor: Factor) -> String {
    format!("{}{:.1}", if factor.at_least { "> " } else { "" }, factor.times)
}

fn per_cent(difference: f64) -> String {
    format!("{difference:+.1} %")
}

#[cfg(test)]
mod tests {
    use super::super::compare::tests::{row, run};
    use super::*;
    use crate::bench::machine::tests::machine;

    fn report(rows: Vec<Row>) -> Report {
        Report { date: "2025-11-15".to_owned(), machine: machine(), rows }
    }

    #[test]
    fn each_run_has_a_line_and_each_pair_another() {
        let ours = run(End::Complete, 2.0, 100, 1050);
        let peer = run(End::Incomplete("900 s".to_owned()), 900.0, 4000, 10);
        let text = report(vec![
            row("antlr", "insens", ours.clone(), Some(run(End::Complete, 50.0, 400, 1000))),
            row("antlr", "2obj", ours, Some(peer)),
        ])
        .text();
        for expected in [
            "| antlr   |  insens | heliostat |   2.00 |      100 |   1,050 |     10,500 |        105 |",
            "| antlr   |    2obj |   tai-e 1 | 900.00 |    4,000 |",
            "| antlr   |  insens |    25.0 |    4.0 |  +5.0 % |     +5.0 % |     +5.0 % |",
            "| antlr   |    2obj | > 450.0 | > 40.0 |       - |",
            "- antlr, 2obj: tai-e 1 was ended: 900 s\n",
            "- antlr: methods +5.0 % apart, more than 2 %\n",
            "- PASS antlr, insens: 25.0 times less CPU (at least 20 times)\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn a_day_grows_and_newer_rows_replace_older_ones() {
        let of = |program, cpu_s| row(program, "insens", run(End::Complete, cpu_s, 1, 1), None);
        let root = std::env::temp_dir().join(format!("xtask-pta-{}", std::process::id()));
        report(vec![of("a", 1.0), of("b", 2.0)]).keep(&root).unwrap();
        report(vec![of("b", 3.0), of("c", 4.0)]).keep(&root).unwrap();
        let json = kept::load(&root, "2025-11-15", NAME).unwrap().unwrap();
        let rows = serde_json::from_str::<Report>(&json).unwrap().rows;
        assert_eq!(rows, [of("a", 1.0), of("b", 3.0), of("c", 4.0)]);
        let markdown = std::fs::read_to_string(root.join("bench/results/2025-11-15-pta.md")).unwrap();
        assert!(markdown.starts_with("# Points-to analysis, 2025-11-15\n\n`cargo xtask bench pta`"));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
