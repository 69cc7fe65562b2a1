//! The results for people (Markdown) and for programs (JSON).

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::costs::Costs;
use super::material::Counts;
use crate::bench::kept;
use crate::bench::machine::Machine;
use crate::bench::table::{Table, grouped};

const NAME: &str = "sets";

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) date: String,
    pub(super) machine: Machine,
    pub(super) rows: Vec<Row>,
}

/// What was measured on a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) program: String,
    pub(super) jdk: String,
    pub(super) commit: String,
    /// Processes at work in the minute before the times were taken, and in their last minute, this one included.
    pub(super) load_before: f64,
    pub(super) load_after: f64,
    pub(super) counts: Counts,
    pub(super) costs: Vec<Costs>,
}

impl Report {
    pub(super) fn text(&self) -> String {
        self.rows.iter().map(Row::text).collect::<Vec<_>>().join("\n")
    }

    /// Adds its rows to those kept of the same day, in place of older ones of the same program.
    pub(super) fn keep(&mut self, root: &Path) -> Result<()> {
        if let Some(json) = kept::load(root, &self.date, NAME)? {
            let older: Self = serde_json::from_str(&json).context("reading the day's results")?;
            let same = |a: &Row, b: &Row| a.program == b.program;
            self.rows = kept::merge(older.rows, std::mem::take(&mut self.rows), same);
        }
        let commits: BTreeSet<&str> = self.rows.iter().map(|row| row.commit.as_str()).collect();
        let commits = commits.into_iter().collect::<Vec<_>>().join(", ");
        let head = format!("# Set representations, {}\n\n{}", self.date, self.machine.text("bench sets"));
        let markdown = format!("{head}- commit {commits}\n\n{}", self.text());
        kept::save(root, &self.date, NAME, &markdown, self)
    }
}

impl Row {
    fn text(&self) -> String {
        let Self { program, jdk, load_before, load_after, counts, .. } = self;
        let Counts { variables, empty, distinct_sets, points_to, largest, numbers, .. } = *counts;
        let Counts { flows, taken, different, different_taken, .. } = *counts;
        let n = grouped;
        let mut text = format!("## {program}, JDK {jdk}\n\n");
        _ = writeln!(
            text,
            "- {} variables, {} of them without objects; {} different sets",
            n(variables),
            n(empty),
            n(distinct_sets)
        );
        _ = writeln!(
            text,
            "- {} points-to pairs; the largest set has {} objects, numbered below {}",
            n(points_to),
            n(largest),
            n(numbers)
        );
        _ = writeln!(
            text,
            "- {} flows, {} of them different in their sets; {} taken, {} of them different",
            n(flows),
            n(different),
            n(taken),
            n(different_taken)
        );
        _ = writeln!(text, "- load average {load_before:.2} before, {load_after:.2} after\n");
        text + &self.table().text()
    }

    fn table(&self) -> Table {
        let mut table =
            Table::new(&["representation", "own MiB", "once MiB", "growing s", "settled s", "different s"]);
        for costs in &self.costs {
            let mut cells = vec![costs.representation.clone()];
            cells.push(costs.own_bytes.map_or_else(|| "-".to_owned(), mebibytes));
            cells.push(mebibytes(costs.once_bytes));
            cells.extend(
                [costs.growing_s, costs.settled_s, costs.different_s].map(|seconds| format!("{seconds:.4}")),
            );
            table.row(cells);
        }
        table
    }
}

/// To a tenth.
fn mebibytes(bytes: u64) -> String {
    let tenths = (bytes * 10 + (1 << 19)) >> 20;
    format!("{}.{}", grouped(tenths / 10), tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::machine::tests::machine;

    fn row(program: &str, growing_s: f64) -> Row {
        let costs = Costs {
            representation: "roaring".to_owned(),
            own_bytes: None,
            once_bytes: 3 << 19,
            growing_s,
            settled_s: 0.25,
            different_s: 0.75,
            rounds: vec![[growing_s, 0.25, 0.75]],
        };
        Row {
            program: program.to_owned(),
            jdk: "17".to_owned(),
            commit: "abc".to_owned(),
            load_before: 0.5,
            load_after: 1.0,
            counts: Counts { variables: 1234, ..Counts::default() },
            costs: vec![costs],
        }
    }

    #[test]
    fn a_program_has_counts_and_a_table() {
        let text = row("antlr", 1.5).text();
        for expected in [
            "## antlr, JDK 17\n\n- 1,234 variables, 0 of them without objects; 0 different sets\n",
            "- load average 0.50 before, 1.00 after\n\n| representation |",
            "| roaring        |       - |      1.5 |    1.5000 |    0.2500 |      0.7500 |\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn a_day_grows_and_newer_programs_replace_older_ones() {
        let report = |rows| Report { date: "2025-11-15".to_owned(), machine: machine(), rows };
        let root = std::env::temp_dir().join(format!("xtask-sets-{}", std::process::id()));
        report(vec![row("a", 1.0), row("b", 2.0)]).keep(&root).unwrap();
        report(vec![row("b", 3.0)]).keep(&root).unwrap();
        let json = kept::load(&root, "2025-11-15", NAME).unwrap().unwrap();
        let rows = serde_json::from_str::<Report>(&json).unwrap().rows;
        assert_eq!(rows, [row("a", 1.0), row("b", 3.0)]);
        std::fs::remove_dir_all(&root).unwrap();
    }
}
