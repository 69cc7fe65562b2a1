//! The results for people (Markdown) and for programs (JSON).

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use super::frontend::Measured;
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
        let folder = root.join("bench/results");
        fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
        let markdown = format!("# Front end, {}\n\n{}\n{}", self.date, self.measured_on(), self.text());
        let json = serde_json::to_string_pretty(self)? + "\n";
        for (end, content) in [("md", markdown), ("json", json)] {
            let path = folder.join(format!("{}-frontend.{end}", self.date));
            fs::write(&path, content).with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(())
    }

    fn measured_on(&self) -> String {
        let Machine { cpu, cores, memory_bytes, kernel, rustc, commit } = &self.machine;
        let memory = memory_bytes >> 20;
        format!(
            "`cargo xtask bench frontend`; the columns are explained in ../NOTES.md.\n\n- {cpu}, {cores} cores, \
             {memory} MiB; Linux {kernel}\n- {rustc}\n- commit {commit}\n"
        )
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
