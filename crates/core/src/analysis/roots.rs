//! Everything that is called from outside the program: entry points, and what the JVM calls by itself.

use std::collections::BTreeMap;

use heliostat_index::FastSet;
use heliostat_program::{MethodId, Program};
use heliostat_pta::facts::{Callee, MadeUp, SiteId};
use heliostat_pta::{Solution, Types};

use super::Entries;
use super::entries::entry_method;
use crate::Opened;

/// A method that the program itself does not call, and that was not asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    /// The method, as `pkg/Class.name(I)V`.
    pub method: String,
    /// Why it is called.
    pub why: RootReason,
}

/// Why a method is called from outside the program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootReason {
    /// An entry point may mean this method, which implements or overrides it.
    Selected(String),
    /// Its class is initialised for an entry point.
    Initialised,
    /// It makes objects that are given to entry points.
    Makes,
    /// The JVM calls it before, beside or after `main`; the topic of what it does then, as in `exceptions`.
    Jvm(&'static str),
    /// The JVM initialises its class at start-up.
    JvmInitialises,
}

/// All roots but the entry points themselves, in the order of their names.
pub(super) fn find(opened: &Opened, entries: &Entries, solution: &Solution) -> Vec<Root> {
    let Some(root) = solution.facts.find_made_up(MadeUp::Root) else { return Vec::new() };
    let asked: FastSet<MethodId> = entries.all().into_iter().map(entry_method).collect();
    let mut found: BTreeMap<MethodId, RootReason> = BTreeMap::new();
    let mut add = |method: MethodId, why: RootReason| {
        if !asked.contains(&method) {
            let known = found.entry(method).or_insert_with(|| why.clone());
            *known = why.min(known.clone());
        }
    };
    for (site, callee) in solution.calls_of(root) {
        if let Some(method) = solution.facts.method(callee) {
            add(method, reason(&opened.program, solution, site, method));
        }
    }
    let types = Types { program: &opened.program, facts: &solution.facts };
    let entering = types.initialised_to_enter();
    for edge in solution.clinit_edges().iter().filter(|edge| edge.code == root) {
        let is_entering = entering.contains(&edge.callee);
        add(edge.callee, if is_entering { RootReason::Initialised } else { RootReason::JvmInitialises });
    }
    let named = |(method, why)| Root { method: opened.program.method_name(method), why };
    let mut roots: Vec<Root> = found.into_iter().map(named).collect();
    roots.sort_unstable();
    roots
}

fn reason(program: &Program, solution: &Solution, site: SiteId, method: MethodId) -> RootReason {
    if let Some(topic) = solution.facts.startup_topic(site) {
        return RootReason::Jvm(topic);
    }
    match solution.facts.sites()[site].callee {
        Callee::Virtual(named) if named != method => RootReason::Selected(program.method_name(named)),
        _ => RootReason::Makes,
    }
}
