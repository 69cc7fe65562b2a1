//! A section's program analysed, and held against what the section says.

mod calls;
mod exceptions;
mod gaps;
mod log;
mod methods;
mod objects;
mod setup;
mod values;
mod view;

use heliostat_core::program::Program;
use heliostat_core::pta::{Flavour, Options, Solution, analyse};

use crate::expect::{Expectation, Fact, Finding};
use crate::pattern::fits;
use crate::wanted::Context;
use crate::{Failure, Section};

use super::Checked;
use setup::Own;
use view::View;

/// The largest constraint graph that a section may have; with the JVM's start-up it has about a million nodes.
const MOST_NODES: usize = 10_000_000;

/// How much of a list a message shows.
const SHOWN: usize = 20;

/// Analyses a section's program, which is the part of the given one in this package, and checks what is expected.
pub(super) fn check(section: &Section, package: &str, program: &mut Program) -> Result<Vec<Failure>, String> {
    let own = Own::find(program, package)?;
    let mut failures = Vec::new();
    for context in section.contexts() {
        let options = setup::options(section, program, &own, context.flavour)?;
        let mut reflection = section.reflection(program);
        let solution = analyse(program, &options, &mut reflection, &mut |status| status.nodes < MOST_NODES);
        if !solution.complete {
            return Err(format!("[{}] the analysis does not come to an end", context.name));
        }
        failures.extend(one(section, program, &own, &context, &solution));
    }
    Ok(failures)
}

/// The options to analyse a section's program with, which is the part of the given one in this package. The contexts need not
/// be those that the section asks for.
pub fn options(
    section: &Section,
    package: &str,
    program: &mut Program,
    flavour: Flavour,
) -> Result<Options, String> {
    let own = Own::find(program, package)?;
    setup::options(section, program, &own, flavour)
}

fn one(
    section: &Section,
    program: &Program,
    own: &Own,
    context: &Context,
    solution: &Solution,
) -> Vec<Failure> {
    let fail = |e: &Expectation, found: &str| {
        Failure::new(e.at, format!("[{}] expected {}\n{found}", context.name, e.text))
    };
    let findings = || section.findings().filter(|(_, finding)| finding.is_for(&context.name));
    let mut view = View::new(section, program, own, solution);
    let mut failures = Vec::new();
    for (e, finding) in findings() {
        if let Fact::Object(label) = &finding.fact
            && let Err(found) = objects::name(&mut view, e.line, finding.name.as_deref(), label)
        {
            failures.push(fail(e, &found));
        }
    }
    for (e, finding) in findings() {
        let checked = claim(&view, e.line, finding);
        let passes_spoilt = finding.spoilt().is_some_and(|spoilt| claim(&view, e.line, &spoilt).is_ok());
        match checked {
            Ok(()) if passes_spoilt => failures.push(fail(e, "   and would accept anything")),
            Ok(()) => {}
            Err(found) => failures.push(fail(e, &found)),
        }
    }
    let claimed: Vec<(u32, &Finding)> = findings().map(|(e, finding)| (e.line, finding)).collect();
    let untold = gaps::untold(&view, &claimed);
    failures.extend(
        untold.into_iter().map(|gap| Failure::new(section.line, format!("no `gap:` tells of {gap}"))),
    );
    failures
}

fn claim(view: &View<'_>, line: u32, finding: &Finding) -> Checked {
    let name = finding.name.as_deref();
    match &finding.fact {
        Fact::Calls(expected) => calls::calls(view, line, name, expected),
        Fact::Initialises(expected) => calls::initialises(view, line, name, expected),
        Fact::Poly(expected) => calls::poly(view, line, name, *expected),
        Fact::PointsTo(expected) => values::points_to(view, line, name, expected),
        Fact::MayFail(expected) => values::may_fail(view, line, name, *expected),
        Fact::Thrown(expected) => exceptions::thrown(view, line, name, expected),
        Fact::Catches(expected) => exceptions::catches(view, line, expected),
        Fact::Reachable(expected) => methods::reachable(view, line, *expected),
        Fact::Callers(expected) => methods::callers(view, line, expected),
        Fact::Contexts(expected) => methods::contexts(view, line, *expected),
        Fact::Gap(expected) => gaps::gap(view, line, expected),
        Fact::Object(_) => Ok(()),
    }
}

/// Whether an expected method means a found one: the descriptor may be left out, and `*` stands for anything.
fn means_method(expected: &str, found: &str) -> bool {
    found.strip_prefix(expected).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
        || expected.contains('*') && (fits(expected, found) || fits(&format!("{expected}(*"), found))
}

/// Compares lists as sets; `means` says whether an expected item means a found one.
fn same_set(expected: &[String], found: &[String], means: impl Fn(&str, &str) -> bool) -> Checked {
    let all_found = expected.iter().all(|e| found.iter().any(|f| means(e, f)));
    let all_expected = found.iter().all(|f| expected.iter().any(|e| means(e, f)));
    if all_found && all_expected {
        return Ok(());
    }
    let more = found.len().saturating_sub(SHOWN);
    let found = if found.is_empty() { "nothing".to_owned() } else { found[..found.len() - more].join(", ") };
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Err(format!("   found {found}{more}"))
}
