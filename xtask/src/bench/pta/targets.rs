//! What the points-to analysis is to reach.

use super::compare;
use super::row::{Counts, Row};
use crate::bench::targets::Verdict;

const MIB: u64 = 1 << 20;

/// Programs that must come to an end with two objects of context.
const DEEP: &[&str] = &["antlr", "hsqldb", "xalan", "lucene"];

/// The most that a program may cost in a context: CPU seconds and bytes.
struct Budget {
    program: &'static str,
    context: &'static str,
    cpu_s: f64,
    peak_bytes: u64,
}

const BUDGETS: &[Budget] = &[
    Budget { program: "hello", context: "insens", cpu_s: 1.5, peak_bytes: u64::MAX },
    Budget { program: "jython", context: "insens", cpu_s: 30.0, peak_bytes: 2000 * MIB },
    deep(DEEP[0]),
    deep(DEEP[1]),
    deep(DEEP[2]),
    deep(DEEP[3]),
];

const fn deep(program: &'static str) -> Budget {
    Budget { program, context: "2obj", cpu_s: 300.0, peak_bytes: 10 * 1024 * MIB }
}

/// Speaks of what was measured, and of nothing else.
pub(super) fn check(rows: &[Row]) -> Vec<Verdict> {
    rows.iter().flat_map(|row| end(row).into_iter().chain(budget(row)).chain(against_peer(row))).collect()
}

/// Without contexts everything comes to an end; with contexts nothing fails.
fn end(row: &Row) -> Option<Verdict> {
    let bad = if row.context == "insens" { !row.heliostat.is_complete() } else { row.heliostat.is_failed() };
    bad.then(|| verdict(row, false, "no end"))
}

fn budget(row: &Row) -> Option<Verdict> {
    let budget = BUDGETS.iter().find(|it| it.program == row.program && it.context == row.context)?;
    let (run, most) = (&row.heliostat, budget.peak_bytes / MIB);
    let passed = run.is_complete() && run.cpu_s <= budget.cpu_s && run.peak_bytes <= budget.peak_bytes;
    let memory = if budget.peak_bytes == u64::MAX { String::new() } else { format!(" and {most} MiB") };
    let (cpu_s, peak) = (run.cpu_s, run.peak_bytes / MIB);
    Some(verdict(row, passed, &format!("{cpu_s:.2} s, {peak} MiB (at most {} s{memory})", budget.cpu_s)))
}

/// How many times less CPU than the peer: everywhere without contexts, on antlr with them.
fn least_factor(row: &Row) -> Option<f64> {
    match row.context.as_str() {
        "insens" => Some(20.0),
        "1call" | "2type" if row.program == "antlr" => Some(10.0),
        _ => None,
    }
}

fn against_peer(row: &Row) -> Vec<Verdict> {
    let Some(least) = least_factor(row) else { return Vec::new() };
    let factor = |what: &str, factor: Option<compare::Factor>, least: f64| {
        factor.map(|compare::Factor { times, .. }| {
            verdict(row, times >= least, &format!("{times:.1} times less {what} (at least {least} times)"))
        })
    };
    let of_cost = [factor("CPU", compare::cpu(row), least), factor("memory", compare::memory(row), 3.0)];
    of_cost.into_iter().flatten().chain(precision(row)).collect()
}

/// With contexts Heliostat must not be less precise. Without, the models differ, and differences are explained.
fn precision(row: &Row) -> Option<Verdict> {
    let ours = row.heliostat.complete_counts().filter(|_| row.context != "insens")?;
    let theirs = row.peer.as_ref()?.complete_counts()?;
    let values = |counts: &Counts| [counts.call_edges, counts.poly_calls, counts.may_fail_casts];
    let passed = values(ours).iter().zip(values(theirs)).all(|(ours, theirs)| *ours <= theirs);
    Some(verdict(row, passed, "no more call edges, poly calls and may-fail casts than the peer"))
}

fn verdict(row: &Row, passed: bool, text: &str) -> Verdict {
    Verdict { passed, text: format!("{}, {}: {text}", row.program, row.context) }
}

#[cfg(test)]
mod tests {
    use super::super::compare::tests::{row, run};
    use super::super::row::End;
    use super::*;

    fn told(row: Row) -> Vec<String> {
        check(&[row]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn programs_have_budgets() {
        assert_eq!(
            told(row("hello", "insens", run(End::Complete, 1.25, 90, 1), None)),
            ["PASS hello, insens: 1.25 s, 90 MiB (at most 1.5 s)"]
        );
        assert_eq!(
            told(row("xalan", "2obj", run(End::Incomplete("budget".to_owned()), 9.0, 90, 1), None)),
            ["FAIL xalan, 2obj: 9.00 s, 90 MiB (at most 300 s and 10240 MiB)"]
        );
        assert!(told(row("ant", "2obj", run(End::Complete, 999.0, 90, 1), None)).is_empty());
    }

    #[test]
    fn the_peer_is_to_be_beaten() {
        let peer = Some(run(End::Complete, 40.0, 300, 100));
        assert_eq!(
            told(row("ant", "insens", run(End::Complete, 2.0, 101, 150), peer.clone())),
            [
                "PASS ant, insens: 20.0 times less CPU (at least 20 times)",
                "FAIL ant, insens: 3.0 times less memory (at least 3 times)"
            ]
        );
        let failed = told(row("antlr", "2type", run(End::Complete, 4.0, 100, 150), peer));
        assert!(failed[2].starts_with("FAIL antlr, 2type: no more call edges"), "{failed:?}");
    }

    #[test]
    fn a_run_without_end_is_told() {
        let failed = run(End::Failed("no".to_owned()), 1.0, 1, 1);
        assert_eq!(told(row("ant", "2obj", failed, None)), ["FAIL ant, 2obj: no end"]);
    }
}
