//! Expectations about what the analysis does not cover, and says so.

use heliostat_core::pta::facts::Gap;

use super::view::View;
use super::{Checked, same_set};
use crate::expect::{Fact, Finding};

/// What is not covered on a line: of its instructions, or the method that it declares.
pub(super) fn gap(view: &View<'_>, line: u32, expected: &[String]) -> Checked {
    let gaps = view.solution.gaps().iter().filter(|gap| is_on(view, **gap, line));
    let mut found: Vec<String> = gaps.map(|gap| kind(*gap).to_owned()).collect();
    found.sort_unstable();
    found.dedup();
    same_set(expected, &found, |e, f| e == f)
}

/// The gaps in the section's own code that it says nothing about.
pub(super) fn untold(view: &View<'_>, findings: &[(u32, &Finding)]) -> Vec<String> {
    let told: Vec<u32> = findings
        .iter()
        .filter(|(_, finding)| matches!(finding.fact, Fact::Gap(_)))
        .map(|(line, _)| *line)
        .collect();
    let is_own = |gap: &Gap| view.own.methods.iter().any(|own| Some(own.method) == method(view, *gap));
    let gaps = view.solution.gaps().iter().filter(|gap| is_own(gap));
    let untold = gaps.filter(|gap| !told.iter().any(|&line| is_on(view, **gap, line)));
    untold
        .map(|gap| {
            format!("{} in {}", kind(*gap), method(view, *gap).map_or(String::new(), |m| view.method_name(m)))
        })
        .collect()
}

fn kind(gap: Gap) -> &'static str {
    match gap {
        Gap::Native(_) => "native",
        Gap::Unreadable(_) => "unreadable",
        Gap::Unresolved(..) => "unresolved",
        Gap::Handle(..) => "handle",
        Gap::Bootstrap(..) => "bootstrap",
    }
}

fn method(view: &View<'_>, gap: Gap) -> Option<heliostat_core::program::MethodId> {
    match gap {
        Gap::Native(method) | Gap::Unreadable(method) => Some(method),
        Gap::Unresolved(code, _) | Gap::Handle(code, _, _) | Gap::Bootstrap(code, _) => {
            view.solution.facts.method(code)
        }
    }
}

fn is_on(view: &View<'_>, gap: Gap, line: u32) -> bool {
    match gap {
        Gap::Native(method) | Gap::Unreadable(method) => {
            view.declared(line).is_some_and(|declared| declared.is_ok_and(|(own, _)| own.method == method))
        }
        Gap::Unresolved(_, offset) | Gap::Handle(_, offset, _) | Gap::Bootstrap(_, offset) => {
            let places = view.at(line).unwrap_or_default();
            method(view, gap).is_some_and(|method| places.iter().any(|at| at.is_place(method, offset)))
        }
    }
}
