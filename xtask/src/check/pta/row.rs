//! What is known of one program.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::within::Checked;
use crate::bench::pta::row::End;
use crate::bench::sample::Findings;
use crate::bench::table::grouped;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) program: String,
    /// Where it is entered: `main`, or `public` for a library.
    pub(super) entry: String,
    pub(super) jdk: String,
    /// The commit of Heliostat.
    pub(super) commit: String,
    /// The one without contexts first.
    pub(super) runs: Vec<Run>,
    /// Edges without contexts against the class hierarchy; none if there are no edges to look at.
    pub(super) hierarchy: Option<Checked>,
    pub(super) failures: Vec<Failure>,
}

/// What one run found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) context: String,
    pub(super) end: End,
    /// None if it wrote nothing.
    pub(super) sizes: Option<Sizes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Sizes {
    pub(super) methods: u64,
    pub(super) edges: u64,
    pub(super) poly_calls: u64,
    pub(super) may_fail_casts: u64,
}

/// Something that does not hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Failure {
    /// The context of the run that it speaks of.
    pub(super) context: String,
    /// What is wrong.
    pub(super) what: String,
    /// In which places.
    pub(super) findings: Findings,
}

impl Row {
    /// Adds a failure, if there are any findings.
    pub(super) fn fail(&mut self, context: &str, what: &str, findings: Findings) {
        if findings.count > 0 {
            let (context, what) = (context.to_owned(), what.to_owned());
            self.failures.push(Failure { context, what, findings });
        }
    }

    /// Whether everything holds of a run.
    pub(super) fn holds(&self, context: &str) -> bool {
        self.failures.iter().all(|failure| failure.context != context)
    }

    /// Its verdict and what is wrong, for people.
    pub(super) fn told(&self) -> String {
        if self.failures.is_empty() {
            return format!("- ok {}\n", self.program);
        }
        let mut text = String::new();
        for Failure { context, what, findings } in &self.failures {
            _ = writeln!(text, "- FAIL {}, {context}: {} {what}", self.program, grouped(findings.count));
            for finding in &findings.first {
                _ = writeln!(text, "  - `{finding}`");
            }
        }
        text
    }
}
