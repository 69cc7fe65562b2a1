//! What is known of one program in one context: a run of Heliostat, and perhaps one of a peer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bench::child::Ended;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) program: String,
    pub(super) context: String,
    pub(super) jdk: String,
    /// The commit of Heliostat.
    pub(super) commit: String,
    pub(super) heliostat: Run,
    pub(super) peer_name: Option<String>,
    pub(super) peer: Option<Run>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) end: End,
    /// User and system together, of the whole process.
    pub(super) cpu_s: f64,
    pub(super) peak_bytes: u64,
    /// What was found; until the end came, if it came early.
    pub(super) counts: Option<Counts>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum End {
    Complete,
    /// A budget ended it, of this kind.
    Incomplete(String),
    /// It could not do it, for this reason.
    Failed(String),
}

/// Contexts are projected away, but for the points-to tuples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) reachable_methods: u64,
    /// Without those to class initialisers and those that the JVM itself makes: peers have none.
    pub(super) call_edges: u64,
    pub(super) poly_calls: u64,
    pub(super) may_fail_casts: u64,
    /// One for each variable, its context and an object with its context.
    pub(super) var_points_to: u64,
}

impl Run {
    pub(super) fn new(ended: &Ended, end: End, counts: Option<Counts>) -> Self {
        Self { end, cpu_s: ended.cpu.as_secs_f64(), peak_bytes: ended.peak_bytes, counts }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.end == End::Complete
    }

    pub(super) fn is_failed(&self) -> bool {
        matches!(self.end, End::Failed(_))
    }

    /// What it found, if that is all there is to find.
    pub(super) fn complete_counts(&self) -> Option<&Counts> {
        self.counts.as_ref().filter(|_| self.is_complete())
    }

    /// CPU seconds for each million points-to tuples.
    pub(super) fn seconds_per_million(&self) -> Option<f64> {
        let tuples = self.complete_counts()?.var_points_to;
        (tuples > 0).then(|| self.cpu_s * 1e6 / real(tuples))
    }
}

impl End {
    /// How a child ended that follows the exit codes of Heliostat: 3 is a budget.
    pub(crate) fn of(ended: &Ended, limit: Duration, budget: &str) -> Self {
        match ended.status.code() {
            _ if ended.overdue => Self::Incomplete(format!("{} s", limit.as_secs())),
            Some(0) => Self::Complete,
            Some(3) => Self::Incomplete(budget.to_owned()),
            _ => Self::Failed(format!("{}: {}", ended.status, first_line(&ended.stderr))),
        }
    }
}

/// For ratios, where a lost digit does not matter.
#[allow(clippy::cast_precision_loss, reason = "counts and sizes are far below 2^52")]
pub(super) fn real(number: u64) -> f64 {
    number as f64
}

fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    fn ended(code: i32, overdue: bool) -> Ended {
        Ended {
            status: ExitStatus::from_raw(code << 8),
            overdue,
            cpu: Duration::from_secs(3),
            peak_bytes: 1,
            stdout: String::new(),
            stderr: "\nerror: no main\nhelp\n".to_owned(),
        }
    }

    #[test]
    fn a_budget_is_not_a_failure() {
        let end = |code, overdue| End::of(&ended(code, overdue), Duration::from_secs(9), "budget");
        assert_eq!(end(0, false), End::Complete);
        assert_eq!(end(3, false), End::Incomplete("budget".to_owned()));
        assert_eq!(end(1, true), End::Incomplete("9 s".to_owned()));
        assert_eq!(end(2, false), End::Failed("exit status: 2: error: no main".to_owned()));
    }

    #[test]
    fn only_a_complete_run_has_a_cost_per_tuple() {
        let counts = Counts {
            reachable_methods: 1,
            call_edges: 1,
            poly_calls: 0,
            may_fail_casts: 0,
            var_points_to: 2_000_000,
        };
        let run = |end| Run::new(&ended(0, false), end, Some(counts));
        assert_eq!(run(End::Complete).seconds_per_million(), Some(1.5));
        assert_eq!(run(End::Incomplete(String::new())).seconds_per_million(), None);
    }
}
