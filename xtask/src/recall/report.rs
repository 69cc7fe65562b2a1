//! The results for people (Markdown) and for programs (JSON). What is kept of a day grows program by program.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::Setting;
use super::row::{Coverage, Row};
use crate::bench::kept;
use crate::bench::machine::Machine;
use crate::bench::table::{Table, grouped};

const NAME: &str = "recall";

/// At most so much may be missed with the run's own log, in percent: within the program, and from it to libraries.
const TARGETS: [f64; 2] = [1.0, 2.0];

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) date: String,
    pub(super) machine: Machine,
    pub(super) rows: Vec<Row>,
}

impl Report {
    /// The table, reflective calls by how they are made, and what to fix first.
    pub(super) fn text(&self) -> String {
        format!("{}\n{}\n{}", self.edges().text(), self.reflection().text(), self.causes())
    }

    /// Writes its rows together with those kept of the same day, in place of older ones of the same program.
    pub(super) fn keep(&self, root: &Path) -> Result<()> {
        let mut all = self.clone();
        if let Some(json) = kept::load(root, &self.date, NAME)? {
            let older: Self = serde_json::from_str(&json).context("reading the day's results")?;
            let same = |a: &Row, b: &Row| (&a.program, &a.setting) == (&b.program, &b.setting);
            all.rows = kept::merge(older.rows, all.rows, same);
            all.rows.sort_by(|a, b| a.program.cmp(&b.program));
        }
        let commits: BTreeSet<&str> = all.rows.iter().map(|row| row.commit.as_str()).collect();
        let commits = commits.into_iter().collect::<Vec<_>>().join(", ");
        let head =
            format!("# What real runs did that is missed, {}\n\n{}", self.date, self.machine.text(NAME));
        kept::save(root, &self.date, NAME, &format!("{head}- commit {commits}\n\n{}", all.text()), &all)
    }

    /// Whether every program is within the targets.
    pub(super) fn verdict(&self) -> Result<()> {
        let beyond: Vec<&str> =
            self.rows.iter().filter(|row| is_beyond(row)).map(|row| row.program.as_str()).collect();
        ensure!(beyond.is_empty(), "more is missed than may be: {}", beyond.join(", "));
        Ok(())
    }

    fn edges(&self) -> Table {
        let mut table = Table::new(&[
            "program",
            "setting",
            "app-app edges",
            "missed",
            "%",
            "app-lib edges",
            "missed",
            "%",
            "lib-app edges",
            "missed",
            "reflective",
            "missed",
            "app methods",
            "missed",
            "filtered",
            "missed",
            "static edges",
            "CPU s",
            "MiB",
        ]);
        for row in &self.rows {
            table.row(line(row));
        }
        table
    }

    fn reflection(&self) -> Table {
        let apis: BTreeSet<&str> =
            self.rows.iter().flat_map(|row| row.reflection.keys().map(String::as_str)).collect();
        let head: Vec<&str> = ["program", "setting"].into_iter().chain(apis.iter().copied()).collect();
        let mut table = Table::new(&head);
        for row in &self.rows {
            let found = |api: &&str| match row.reflection.get(*api) {
                Some(Coverage { recorded, missed }) => format!("{} of {recorded}", recorded - missed),
                None => "-".to_owned(),
            };
            let names = [row.program.clone(), row.setting.clone()];
            table.row(names.into_iter().chain(apis.iter().map(found)).collect());
        }
        table
    }

    fn causes(&self) -> String {
        let mut text = String::new();
        for row in self.rows.iter().filter(|row| row.setting == Setting::Log.to_string()) {
            if !row.causes.is_empty() {
                _ = writeln!(text, "{}: first causes with its log (app-app, app-lib)", row.program);
            }
            for cause in &row.causes {
                _ = writeln!(text, "- {}, {}: `{}`", cause.app_to_app, cause.app_to_library, cause.call);
            }
        }
        text
    }
}

fn is_beyond(row: &Row) -> bool {
    let missed = [row.app_to_app, row.app_to_library].map(Coverage::missed_percent);
    row.setting == Setting::Log.to_string() && missed.iter().zip(TARGETS).any(|(&missed, most)| missed > most)
}

fn line(row: &Row) -> Vec<String> {
    let reflective = row.reflection.values().copied().fold(Coverage::default(), Coverage::add);
    let counts = |coverage: Coverage| [coverage.recorded, coverage.missed].map(grouped).to_vec();
    let share = |coverage: Coverage| vec![format!("{:.2}", coverage.missed_percent())];
    [
        vec![row.program.clone(), row.setting.clone()],
        counts(row.app_to_app),
        share(row.app_to_app),
        counts(row.app_to_library),
        share(row.app_to_library),
        counts(row.library_to_app),
        counts(reflective),
        counts(row.app_methods),
        counts(row.filtered.values().copied().fold(Coverage::default(), Coverage::add)),
        vec![grouped(row.static_edges), format!("{:.1}", row.cpu_s), grouped(row.peak_bytes >> 20)],
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::bench::machine::tests::machine;

    fn row(setting: Setting, missed: u64) -> Row {
        let coverage = Coverage { recorded: 1000, missed };
        Row {
            program: "p".to_owned(),
            setting: setting.to_string(),
            commit: "abc".to_owned(),
            app_to_app: coverage,
            app_to_library: coverage,
            library_to_app: coverage,
            library: coverage,
            filtered: BTreeMap::new(),
            app_methods: coverage,
            reflection: BTreeMap::from([("Method.invoke".to_owned(), coverage)]),
            static_edges: 1,
            cpu_s: 1.0,
            peak_bytes: 1 << 20,
            causes: Vec::new(),
        }
    }

    #[test]
    fn only_runs_with_their_log_are_held_to_the_targets() {
        let report = |rows| Report { date: String::new(), machine: machine(), rows };
        assert!(report(vec![row(Setting::None, 900), row(Setting::Log, 10)]).verdict().is_ok());
        let error = report(vec![row(Setting::Log, 11)]).verdict().unwrap_err();
        assert_eq!(error.to_string(), "more is missed than may be: p");
    }

    #[test]
    fn the_table_has_percentages_and_what_was_found_by_reflection() {
        let text =
            Report { date: String::new(), machine: machine(), rows: vec![row(Setting::Log, 15)] }.text();
        assert!(text.contains(" 1.50 ") && text.contains("985 of 1000"), "{text}");
    }
}
