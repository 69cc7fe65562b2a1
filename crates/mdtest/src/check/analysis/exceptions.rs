//! Expectations about exceptions.

use std::collections::BTreeSet;

use heliostat_core::ir::Op;
use heliostat_core::pta::InstanceId;

use super::view::View;
use super::{Checked, same_set, values};

/// What the method that the line declares throws to its callers; or, on any other line, what its calls throw.
pub(super) fn thrown(view: &View<'_>, line: u32, name: Option<&str>, expected: &[String]) -> Checked {
    let found = match view.declared(line) {
        Some(declared) if name.is_none() => {
            let method = declared?.0.method;
            view.must_be_reached(method)?;
            thrown_by(view, view.instances(method).iter().copied())
        }
        _ => {
            let places = view.calls_at(line, name)?;
            let sites = view.solution.facts.sites();
            let edges = view.solution.edges().filter(|edge| {
                let site = &sites[edge.site];
                let caller = view.solution.facts.method(site.code);
                caller.is_some_and(|caller| places.iter().any(|at| at.is_place(caller, site.offset)))
            });
            thrown_by(view, edges.map(|edge| edge.callee))
        }
    };
    same_set(expected, &found.into_iter().collect::<Vec<_>>(), |e, f| e == f)
}

/// What code throws to its caller, in these contexts.
fn thrown_by(view: &View<'_>, instances: impl Iterator<Item = InstanceId>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for instance in instances {
        if let Some(var) = view.template(instance).and_then(|template| template.thrown.expand()) {
            found.extend(view.objects_of(instance, var));
        }
    }
    found
}

/// The exceptions that the handler of a line catches.
pub(super) fn catches(view: &View<'_>, line: u32, expected: &[String]) -> Checked {
    let places = view.some_at(line, "handler", |at| at.op == Op::Catch)?;
    let mut found = BTreeSet::new();
    for at in places {
        if let Some(caught) = values::result(at) {
            found.extend(values::objects(view, at.own, caught)?);
        }
    }
    same_set(expected, &found.into_iter().collect::<Vec<_>>(), |e, f| e == f)
}
