//! One run against the other: how many times less, and how many per cent apart.

use super::row::{Counts, Row, Run, real};

type Count = fn(&Counts) -> u64;

/// What is compared of what was found, and its heading.
pub(super) const FOUND: [(&str, Count); 5] = [
    ("methods", |counts| counts.reachable_methods),
    ("call edges", |counts| counts.call_edges),
    ("poly calls", |counts| counts.poly_calls),
    ("may-fail casts", |counts| counts.may_fail_casts),
    ("var points-to", |counts| counts.var_points_to),
];

/// How many times more the peer takes; at least so much, if it did not come to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Factor {
    pub(super) times: f64,
    pub(super) at_least: bool,
}

pub(super) fn cpu(row: &Row) -> Option<Factor> {
    factor(row, |run| run.cpu_s)
}

pub(super) fn memory(row: &Row) -> Option<Factor> {
    factor(row, |run| real(run.peak_bytes))
}

/// There is none if Heliostat did not come to its end, or if the peer could not do it at all.
fn factor(row: &Row, cost: fn(&Run) -> f64) -> Option<Factor> {
    let peer = row.peer.as_ref().filter(|peer| !peer.is_failed())?;
    let (ours, theirs) = (cost(&row.heliostat), cost(peer));
    let known = row.heliostat.is_complete() && ours > 0.0;
    known.then(|| Factor { times: theirs / ours, at_least: !peer.is_complete() })
}

/// By how many per cent Heliostat finds more than the peer, for each of [`FOUND`]; `None` if one of them did not come
/// to its end.
pub(super) fn differences(row: &Row) -> [Option<f64>; FOUND.len()] {
    let ours = row.heliostat.complete_counts();
    let theirs = row.peer.as_ref().and_then(Run::complete_counts);
    FOUND.map(|(_, of)| per_cent(of(ours?), of(theirs?)))
}

fn per_cent(ours: u64, theirs: u64) -> Option<f64> {
    (theirs > 0).then(|| (real(ours) / real(theirs) - 1.0) * 100.0)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::row::End;
    use super::*;

    pub(in super::super) fn run(end: End, cpu_s: f64, mebibytes: u64, found: u64) -> Run {
        let counts = Counts {
            reachable_methods: found,
            call_edges: found * 10,
            poly_calls: found / 10,
            may_fail_casts: 0,
            var_points_to: found * 1000,
        };
        Run { end, cpu_s, peak_bytes: mebibytes << 20, counts: Some(counts) }
    }

    pub(in super::super) fn row(program: &str, context: &str, heliostat: Run, peer: Option<Run>) -> Row {
        Row {
            program: program.to_owned(),
            context: context.to_owned(),
            jdk: "17.0.15".to_owned(),
            commit: "abc".to_owned(),
            heliostat,
            peer_name: peer.as_ref().map(|_| "tai-e 1".to_owned()),
            peer,
        }
    }

    #[test]
    fn complete_runs_are_compared() {
        let row =
            row("a", "insens", run(End::Complete, 2.0, 100, 1020), Some(run(End::Complete, 50.0, 400, 1000)));
        assert_eq!(cpu(&row), Some(Factor { times: 25.0, at_least: false }));
        assert_eq!(memory(&row), Some(Factor { times: 4.0, at_least: false }));
        let tenths = differences(&row).map(|difference| difference.map(|d| (d * 10.0).round()));
        assert_eq!(tenths, [Some(20.0), Some(20.0), Some(20.0), None, Some(20.0)]);
    }

    #[test]
    fn a_peer_without_end_gives_a_bound_and_no_differences() {
        let peer = run(End::Incomplete("900 s".to_owned()), 1000.0, 400, 1000);
        let bounded = row("a", "2obj", run(End::Complete, 2.0, 100, 1000), Some(peer));
        assert_eq!(cpu(&bounded), Some(Factor { times: 500.0, at_least: true }));
        assert_eq!(differences(&bounded), [None; 5]);
        let failed = run(End::Failed("no".to_owned()), 1.0, 1, 1);
        assert_eq!(cpu(&row("a", "2obj", run(End::Complete, 2.0, 100, 1), Some(failed))), None);
        assert_eq!(cpu(&row("a", "2obj", run(End::Complete, 2.0, 100, 1), None)), None);
    }
}
