//! What one process found out about its subject, as it is told to the parent and kept in the results.

use serde::{Deserialize, Serialize};

/// How many of each kind of finding are listed.
const LISTED: usize = 20;

/// What one process found.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    pub(super) costs: Costs,
    pub(super) facts: Facts,
}

/// What differs from run to run. Seconds are CPU time, user and system together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Costs {
    /// Open, and index all headers and members.
    pub(super) index_s: f64,
    /// Link each class, lower its methods, compare them with their frames, verify them.
    pub(super) check_s: f64,
    /// Link each class and lower its methods, once more, and nothing else.
    pub(super) lower_s: f64,
    /// Peak of resident memory when all was indexed, and when all was checked.
    pub(super) index_peak_bytes: u64,
    pub(super) peak_bytes: u64,
}

/// What must not differ from run to run. Speaks of the subject's own classes, not of the JDK behind a program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) classes: u64,
    pub(super) methods: u64,
    pub(super) methods_with_code: u64,
    pub(super) bytecode_instructions: u64,
    pub(super) ir_instructions: u64,
    pub(super) phis: u64,
    pub(super) frames: u64,
    pub(super) unreachable_frames: u64,
    pub(super) frame_slots: u64,
    pub(super) undecided_slots: u64,
    /// Problems of opening and indexing, and methods that could not be lowered.
    pub(super) failures: Findings,
    /// Methods whose body breaks a rule of the IR.
    pub(super) violations: Findings,
    /// Methods with a frame that says something else than the lowering.
    pub(super) disagreements: Findings,
    /// The same, in classes whose frames no JVM relies on.
    pub(super) advisory: Findings,
    pub(super) advisory_classes: u64,
}

/// A count, and the first of what was counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings {
    pub(crate) count: u64,
    pub(crate) first: Vec<String>,
}

impl Findings {
    pub(crate) fn add(&mut self, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < LISTED {
            self.first.push(text());
        }
    }
}

impl Costs {
    /// The median of each time, and the highest of each peak.
    pub(super) fn typical(runs: &[Self]) -> Self {
        let highest = |peak: fn(&Self) -> u64| runs.iter().map(peak).max().unwrap_or_default();
        Self {
            index_s: median(runs.iter().map(|run| run.index_s)),
            check_s: median(runs.iter().map(|run| run.check_s)),
            lower_s: median(runs.iter().map(|run| run.lower_s)),
            index_peak_bytes: highest(|run| run.index_peak_bytes),
            peak_bytes: highest(|run| run.peak_bytes),
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typical_is_the_median_of_times_and_the_highest_peak() {
        let run = |index_s, peak_bytes| Costs {
            index_s,
            check_s: 2.0,
            lower_s: 1.0,
            index_peak_bytes: 5,
            peak_bytes,
        };
        let typical = Costs::typical(&[run(0.3, 10), run(0.9, 30), run(0.4, 20)]);
        assert_eq!(typical, run(0.4, 30));
    }

    #[test]
    fn all_are_counted_and_few_are_listed() {
        let mut findings = Findings::default();
        for number in 0..100 {
            findings.add(|| number.to_string());
        }
        assert_eq!((findings.count, findings.first.len()), (100, LISTED));
        assert_eq!(findings.first[LISTED - 1], "19");
    }
}
