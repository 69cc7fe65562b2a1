//! The results for people (Markdown) and for programs (JSON). What is kept of a day grows program by program.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use heliostat_core::pta::facts::EdgeKind;
use serde::{Deserialize, Serialize};

use super::row::{Row, Run};
use super::within::{Checked, MODEL};
use crate::bench::kept;
use crate::bench::machine::Machine;
use crate::bench::pta::row::End;
use crate::bench::table::{Table, grouped};

const NAME: &str = "check-pta";

/// Kinds of edges with a call instruction, and those without.
const CHECKED: [EdgeKind; 4] = [EdgeKind::Static, EdgeKind::Special, EdgeKind::Virtual, EdgeKind::Interface];
const APART: [EdgeKind; 5] =
    [EdgeKind::Dynamic, EdgeKind::Reflective, EdgeKind::Clinit, EdgeKind::Native, EdgeKind::Implicit];

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) date: String,
    pub(super) machine: Machine,
    pub(super) rows: Vec<Row>,
}

impl Report {
    /// Runs, edges against the class hierarchy, verdicts.
    pub(super) fn text(&self) -> String {
        let verdicts: String = self.rows.iter().map(Row::told).collect();
        format!("{}\n{}\n{verdicts}", self.runs().text(), self.hierarchy().text())
    }

    /// Writes its rows together with those kept of the same day, in place of older ones of the same program.
    pub(super) fn keep(&self, root: &Path) -> Result<()> {
        let mut all = self.clone();
        if let Some(json) = kept::load(root, &self.date, NAME)? {
            let older: Self = serde_json::from_str(&json).context("reading the day's results")?;
            all.rows = kept::merge(older.rows, all.rows, |a: &Row, b: &Row| a.program == b.program);
        }
        let commits: BTreeSet<&str> = all.rows.iter().map(|row| row.commit.as_str()).collect();
        let commits = commits.into_iter().collect::<Vec<_>>().join(", ");
        let head = format!(
            "# Checks of the points-to analysis, {}\n\n{}",
            self.date,
            self.machine.text("check pta")
        );
        kept::save(root, &self.date, NAME, &format!("{head}- commit {commits}\n\n{}", all.text()), &all)
    }

    /// One line for each run.
    fn runs(&self) -> Table {
        let head = [
            "program",
            "entry",
            "context",
            "methods",
            "call edges",
            "poly calls",
            "may-fail casts",
            "end",
            "check",
        ];
        let mut table = Table::new(&head);
        for row in &self.rows {
            for run in &row.runs {
                table.row(line(row, run));
            }
        }
        table
    }

    /// One line for each program.
    fn hierarchy(&self) -> Table {
        let mut head = vec!["program"];
        head.extend(CHECKED.map(EdgeKind::name));
        head.extend(["by lambda", "by missing", "outside"]);
        head.extend(APART.map(EdgeKind::name));
        head.push(MODEL);
        let mut table = Table::new(&head);
        for row in &self.rows {
            if let Some(checked) = &row.hierarchy {
                let counts = counts(checked).map(grouped);
                table.row([row.program.clone()].into_iter().chain(counts).collect());
            }
        }
        table
    }
}

fn counts(checked: &Checked) -> impl Iterator<Item = u64> + use<> {
    let of = |counts: &std::collections::BTreeMap<String, u64>, name: &str| {
        counts.get(name).copied().unwrap_or_default()
    };
    let looked_at = CHECKED.map(|kind| of(&checked.at_calls, kind.name()));
    let ways = [checked.by_lambda, checked.by_missing, checked.outside.count];
    let apart = APART.map(|kind| of(&checked.apart, kind.name()));
    let model = of(&checked.apart, MODEL);
    looked_at.into_iter().chain(ways).chain(apart).chain([model])
}

fn line(row: &Row, run: &Run) -> Vec<String> {
    let mut cells = vec![row.program.clone(), row.entry.clone(), run.context.clone()];
    cells.extend(match run.sizes {
        Some(sizes) => [sizes.methods, sizes.edges, sizes.poly_calls, sizes.may_fail_casts].map(grouped),
        None => ["-"; 4].map(str::to_owned),
    });
    cells.push(match &run.end {
        End::Complete => String::new(),
        End::Incomplete(why) => format!("incomplete: {why}"),
        End::Failed(_) => "failed".to_owned(),
    });
    cells.push(if row.holds(&run.context) { "ok" } else { "FAIL" }.to_owned());
    cells
}

#[cfg(test)]
mod tests {
    use super::super::row::Sizes;
    use super::*;
    use crate::bench::machine::tests::machine;
    use crate::bench::sample::Findings;

    fn row(program: &str) -> Row {
        let run = |context: &str, end, edges| Run {
            context: context.to_owned(),
            end,
            sizes: Some(Sizes { methods: 10, edges, poly_calls: 3, may_fail_casts: 2 }),
        };
        let count = |name: &str, number| (name.to_owned(), number);
        let hierarchy = Checked {
            at_calls: [count("static", 5), count("virtual", 1_200)].into(),
            by_lambda: 7,
            by_missing: 0,
            apart: [count("clinit", 4), count(MODEL, 1)].into(),
            outside: Findings::default(),
        };
        Row {
            program: program.to_owned(),
            entry: "main".to_owned(),
            jdk: "17".to_owned(),
            commit: "abc".to_owned(),
            runs: vec![
                run("insens", End::Complete, 1_210),
                run("2obj", End::Incomplete("budget".to_owned()), 900),
            ],
            hierarchy: Some(hierarchy),
            failures: Vec::new(),
        }
    }

    fn report(rows: Vec<Row>) -> Report {
        Report { date: "2025-11-15".to_owned(), machine: machine(), rows }
    }

    #[test]
    fn runs_and_edges_have_a_line_each() {
        let text = report(vec![row("antlr")]).text();
        for expected in [
            "| antlr   |  main |  insens |      10 |      1,210 |          3 |              2 |                    |    ok |",
            "| antlr   |  main |    2obj |      10 |        900 |          3 |              2 | incomplete: budget |    ok |",
            "| antlr   |      5 |       0 |   1,200 |         0 |         7 |          0 |       0 |       0 |          0 |      4 |      0 |        0 |     1 |",
            "\n- ok antlr\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn failures_are_told_with_their_run() {
        let mut failed = row("antlr");
        failed.fail("insens", "files that differ", Findings::default());
        failed.fail("2obj", "edges too many", Findings { count: 1_000, first: vec!["a b".to_owned()] });
        failed.runs.push(Run {
            context: "1call".to_owned(),
            end: End::Failed("why".to_owned()),
            sizes: None,
        });
        let text = report(vec![failed]).text();
        for expected in [
            "budget |  FAIL |",
            "|  main |  insens |",
            "|   1call |       - |          - |          - |              - |             failed |    ok |",
            "\n- FAIL antlr, 2obj: 1,000 edges too many\n  - `a b`\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert!(!text.contains("files that differ"));
    }

    #[test]
    fn a_day_grows_and_newer_rows_replace_older_ones() {
        let root = std::env::temp_dir().join(format!("xtask-check-pta-{}", std::process::id()));
        report(vec![row("a"), row("b")]).keep(&root).unwrap();
        let newer = Row { entry: "public".to_owned(), ..row("b") };
        report(vec![newer.clone(), row("c")]).keep(&root).unwrap();
        let json = kept::load(&root, "2025-11-15", NAME).unwrap().unwrap();
        assert_eq!(serde_json::from_str::<Report>(&json).unwrap().rows, [row("a"), newer, row("c")]);
        let markdown = std::fs::read_to_string(root.join("bench/results/2025-11-15-check-pta.md")).unwrap();
        assert!(markdown.contains("`cargo xtask check pta`") && markdown.contains("- commit abc\n"));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
