//! Expectations about calls.

use std::collections::BTreeSet;

use heliostat_core::ir::{CallKind, Op};
use heliostat_core::pta::Call;
use heliostat_core::pta::facts::EdgeKind;

use super::view::{At, View};
use super::{Checked, means_method, same_set};

/// What the calls of a line run.
pub(super) fn calls(view: &View<'_>, line: u32, name: Option<&str>, expected: &[String]) -> Checked {
    let places = view.calls_at(line, name)?;
    let found = edges(view, &places).filter(|call| call.kind != EdgeKind::Clinit);
    let found: BTreeSet<String> = found.map(|call| edge_text(view, call)).collect();
    same_set(expected, &found.into_iter().collect::<Vec<_>>(), means)
}

/// The classes that a line may initialise.
pub(super) fn initialises(view: &View<'_>, line: u32, name: Option<&str>, expected: &[String]) -> Checked {
    let places = match name {
        None => view.at(line)?,
        Some(name) => {
            view.some_at(line, "member of that name", |at| view.member_name(at.op).as_deref() == Some(name))?
        }
    };
    let found = edges(view, &places).filter(|call| call.kind == EdgeKind::Clinit);
    let program = view.program;
    let class = |call: &Call| view.own.shown(&program.class_name(program.methods()[call.callee].class));
    let found: BTreeSet<String> = found.map(class).collect();
    same_set(expected, &found.into_iter().collect::<Vec<_>>(), |e, f| e == f)
}

/// Whether the virtual call of a line runs several methods.
pub(super) fn poly(view: &View<'_>, line: u32, name: Option<&str>, expected: bool) -> Checked {
    let mut places = view.calls_at(line, name)?;
    places.retain(|at| matches!(at.op, Op::Call(CallKind::Virtual | CallKind::Interface, _)));
    let sites = view.solution.virtual_sites(&view.calls);
    let mut found = sites.iter().filter(|site| places.iter().any(|at| at.is_place(site.method, site.offset)));
    match (found.next().map(|site| site.targets), found.next()) {
        (Some(count), None) if count > 0 && (count > 1) == expected => Ok(()),
        (Some(count), None) => Err(format!("   found {count} methods")),
        (None, _) => Err(format!("   found no virtual call {}", view.line_text(line))),
        (Some(_), Some(_)) => Err(format!("   found more than one virtual call {}", view.line_text(line))),
    }
}

fn edges<'a>(view: &'a View<'_>, places: &'a [At<'_>]) -> impl Iterator<Item = &'a Call> {
    view.calls.iter().filter(|call| places.iter().any(|at| at.is_place(call.caller, call.offset)))
}

fn edge_text(view: &View<'_>, call: &Call) -> String {
    format!("{} {}", call.kind.name(), view.method_name(call.callee))
}

/// `KIND A.f()V`; kind and descriptor may be left out of what is expected.
fn means(expected: &str, found: &str) -> bool {
    let (_, method) = found.split_once(' ').unwrap_or_default();
    means_method(expected, found) || means_method(expected, method)
}
