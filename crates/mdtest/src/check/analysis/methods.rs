//! Expectations about methods, on the lines that declare them.

use std::collections::BTreeSet;

use heliostat_core::program::MethodId;

use super::setup::OwnMethod;
use super::view::View;
use super::{Checked, means_method, same_set};
use crate::declared::{DeclaredMethod, declared_method};

/// Whether the method may run.
pub(super) fn reachable(view: &View<'_>, line: u32, expected: bool) -> Checked {
    let method = must_declare(view, line)?;
    if view.is_reached(method) == expected { Ok(()) } else { Err("   found the contrary".to_owned()) }
}

/// Who calls the method.
pub(super) fn callers(view: &View<'_>, line: u32, expected: &[String]) -> Checked {
    let method = must_declare(view, line)?;
    view.must_be_reached(method)?;
    let callers = view.calls.iter().filter(|call| call.callee == method);
    let found: BTreeSet<String> = callers.map(|call| view.method_name(call.caller)).collect();
    same_set(expected, &found.into_iter().collect::<Vec<_>>(), means_method)
}

/// In how many contexts the method runs.
pub(super) fn contexts(view: &View<'_>, line: u32, expected: usize) -> Checked {
    let found = view.instances(must_declare(view, line)?).len();
    if found == expected { Ok(()) } else { Err(format!("   found {found}")) }
}

fn must_declare(view: &View<'_>, line: u32) -> Result<MethodId, String> {
    let declared =
        view.declared(line).unwrap_or_else(|| Err("   but the line declares no method".to_owned()));
    Ok(declared?.0.method)
}

impl<'a> View<'a> {
    /// The method that a line declares, if it looks as if it did.
    pub(super) fn declared(&self, line: u32) -> Option<Result<(&'a OwnMethod, DeclaredMethod), String>> {
        let declared = declared_method(self.section.code_at(line)?)?;
        let found = self.find_declared(line, &declared);
        Some(found.map(|own| (own, declared)))
    }

    /// Of the methods of that name the one whose code comes next; if none does, the only one without code.
    fn find_declared(&self, line: u32, declared: &DeclaredMethod) -> Result<&'a OwnMethod, String> {
        let is_next = |code: &str| declared_method(code).is_some_and(|next| next.name == declared.name);
        let next = (line + 1..)
            .map_while(|line| self.section.code_at(line))
            .take_while(|code| !is_next(code))
            .count();
        let lines = line..=line + next as u32;
        let named: Vec<&OwnMethod> =
            self.own.methods.iter().filter(|own| self.is_named(own, &declared.name)).collect();
        let nearest = |own: &OwnMethod| own.lines().filter(|line| lines.contains(line)).min();
        let first = named.iter().filter_map(|own| nearest(own)).min();
        let (with_code, without): (Vec<&OwnMethod>, Vec<&OwnMethod>) =
            named.iter().partition(|own| own.body.is_some());
        let found: Vec<&OwnMethod> =
            with_code.into_iter().filter(|own| first.is_some() && nearest(own) == first).collect();
        match (&found[..], &without[..]) {
            ([one], _) | ([], [one]) => Ok(one),
            ([], []) => Err(format!("   but there is no method {}", declared.name)),
            _ => Err(format!("   but there are several methods {}", declared.name)),
        }
    }

    /// Whether a method is written under this name in the source.
    fn is_named(&self, own: &OwnMethod, name: &str) -> bool {
        let method = &self.program.methods()[own.method];
        let found = self.program.symbols.text(self.program.selector(method.selector).name);
        found == name && !method.flags.is_synthetic()
    }

    /// Expectations about what does not run are idle.
    pub(super) fn must_be_reached(&self, method: MethodId) -> Checked {
        if self.is_reached(method) {
            return Ok(());
        }
        Err(format!("   found that {} is not reachable", self.method_name(method)))
    }
}
