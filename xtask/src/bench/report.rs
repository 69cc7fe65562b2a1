//! The front end's results for people (Markdown) and for programs (JSON).

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::frontend::Measured;
use super::kept;
use super::machine::Machine;
use super::sample::Findings;
use super::table::{Table, grouped};
use super::targets::Verdict;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) date: String,
    pub(super) machine: Machine,
    pub(super) subjects: Vec<Measured>,
    pub(super) verdicts: Vec<Verdict>,
}

impl Report {
    /// Costs, checks, findings, verdicts.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n{}", self.costs().text(), self.checks().text());
        for measured in &self.subjects {
            text.push_str(&listed(measured));
        }
        text.push('\n');
        for verdict in &self.verdicts {
            _ = writeln!(text, "- {verdict}");
        }
        text
    }

    /// Writes both forms under `bench/results/`, named by the date.
    pub(super) fn save(&self, root: &Path) -> Result<()> {
        let head = format!("# Front end, {}\n\n{}", self.date, self.machine.text("bench frontend"));
        let markdown = format!("{head}- commit {}\n\n{}", self.machine.commit, self.text());
        kept::save(root, &self.date, "frontend", &markdown, self)
    }

    fn costs(&self) -> Table {
        let mut table = Table::new(&[
            "subject",
            "JDK",
            "classes",
            "methods",
            "with code",
            "bytecode",
            "IR",
            "phis",
            "index s",
            "check s",
            "lower s",
            "peak MiB",
        ]);
        for Measured { subject, typical, facts, .. } in &self.subjects {
            let mut row = vec![subject.name.clone(), subject.jdk.clone()];
            let sizes = [
                facts.classes,
                facts.methods,
                facts.methods_with_code,
                facts.bytecode_instructions,
                facts.ir_instructions,
                facts.phis,
            ];
            row.extend(sizes.map(grouped));
            row.extend([typical.index_s, typical.check_s, typical.lower_s].map(|s| format!("{s:.3}")));
            row.push(grouped(typical.peak_bytes >> 20));
            table.row(row);
        }
        table
    }

    fn checks(&self) -> Table {
        let mut table = Table::new(&[
            "subject",
            "failures",
            "violations",
            "frames",
            "unreachable",
            "slots",
            "undecided",
            "disagreements",
            "advisory",
            "in classes",
        ]);
        for Measured { subject, facts, .. } in &self.subjects {
            let mut row = vec![subject.name.clone()];
            let counts = [
                facts.failures.count,
                facts.violations.count,
                facts.frames,
                facts.unreachable_frames,
                facts.frame_slots,
                facts.undecided_slots,
                facts.disagreements.count,
                facts.advisory.count,
                facts.advisory_classes,
            ];
            row.extend(counts.map(grouped));
            table.row(row);
        }
        table
    }
}

/// What a person can act on, by subject and kind.
fn listed(measured: &Measured) -> String {
    let (name, facts) = (&measured.subject.name, &measured.facts);
    let kinds = [
        ("failures", &facts.failures),
        ("violations", &facts.violations),
        ("disagreements", &facts.disagreements),
        ("advisory disagreements", &facts.advisory),
    ];
    let mut text = String::new();
    for (kind, Findings { count, first }) in kinds.into_iter().filter(|(_, findings)| findings.count > 0) {
        _ = write!(text, "\n{name}: {} {kind}", grouped(*count));
        text.push_str(if first.len() as u64 == *count { "\n\n" } else { ", of which the first are\n\n" });
        for finding in first {
            _ = writeln!(text, "- `{finding}`");
        }
    }
    text
}
