//! What the front end is to reach.

use std::fmt;

use serde::Serialize;

use super::frontend::Measured;
use super::sample::Findings;

const INDEX_SECONDS: f64 = 0.6;
const CHECK_SECONDS: f64 = 8.0;
const PEAK_BYTES: u64 = 1 << 30;

/// Whether one target is met.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    pub(super) passed: bool,
    pub(super) text: String,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.passed { "PASS" } else { "FAIL" }, self.text)
    }
}

/// Times and memory of JDK 17, if it was measured; findings of every subject.
pub(super) fn check(subjects: &[Measured]) -> Vec<Verdict> {
    let of_cost = subjects.iter().filter(|measured| measured.subject.is_jdk_17()).flat_map(costs);
    let of_findings = [
        none("failures", subjects, |measured| &measured.facts.failures),
        none("verifier violations", subjects, |measured| &measured.facts.violations),
        none("frame disagreements", subjects, |measured| &measured.facts.disagreements),
    ];
    of_cost.chain(of_findings).collect()
}

fn costs(measured: &Measured) -> [Verdict; 3] {
    let (name, costs) = (&measured.subject.name, &measured.typical);
    let seconds = |what: &str, is: f64, most: f64| Verdict {
        passed: is <= most,
        text: format!("{name}: {what} in {is:.3} s of CPU time (at most {most} s)"),
    };
    [
        seconds("opened and indexed", costs.index_s, INDEX_SECONDS),
        seconds("lowered and verified", costs.check_s, CHECK_SECONDS),
        Verdict {
            passed: costs.peak_bytes < PEAK_BYTES,
            text: format!("{name}: peak of {} MiB (under {} MiB)", costs.peak_bytes >> 20, PEAK_BYTES >> 20),
        },
    ]
}

fn none(what: &str, subjects: &[Measured], findings: fn(&Measured) -> &Findings) -> Verdict {
    let with: Vec<&str> = subjects
        .iter()
        .filter(|measured| findings(measured).count > 0)
        .map(|measured| measured.subject.name.as_str())
        .collect();
    let total: u64 = subjects.iter().map(|measured| findings(measured).count).sum();
    let place = if with.is_empty() { String::new() } else { format!(", in {}", with.join(", ")) };
    Verdict { passed: total == 0, text: format!("{} subjects: {total} {what}{place}", subjects.len()) }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Costs, Facts};
    use super::super::subjects::Subject;
    use super::*;

    fn jdk(version: &str, check_s: f64, failures: u64) -> Measured {
        let subject = Subject {
            name: format!("jdk-{version}"),
            jdk: version.to_owned(),
            inputs: Vec::new(),
            jdk_home: "/jdk".into(),
        };
        let typical = Costs { index_s: 0.6, check_s, lower_s: 1.0, index_peak_bytes: 1, peak_bytes: 1 << 20 };
        let facts = Facts { failures: Findings { count: failures, first: Vec::new() }, ..Facts::default() };
        Measured { subject, typical, runs: vec![typical], facts }
    }

    fn failed(subjects: &[Measured]) -> Vec<String> {
        check(subjects).iter().filter(|verdict| !verdict.passed).map(ToString::to_string).collect()
    }

    #[test]
    fn times_are_targets_for_jdk_17_only() {
        assert!(failed(&[jdk("17.0.15", 8.0, 0), jdk("25.0.1", 9.0, 0)]).is_empty());
        assert_eq!(
            failed(&[jdk("17", 8.5, 0)]),
            ["FAIL jdk-17: lowered and verified in 8.500 s of CPU time (at most 8 s)"]
        );
    }

    #[test]
    fn findings_count_everywhere() {
        let subjects = [jdk("17", 1.0, 0), jdk("25", 1.0, 2), jdk("26", 1.0, 1)];
        assert_eq!(failed(&subjects), ["FAIL 3 subjects: 3 failures, in jdk-25, jdk-26"]);
    }
}
