//! Under which condition an entry holds: once the class that makes the call is reached.
//!
//! A type is reached when it, or a subtype, is about to be initialised. Code of a class runs only after that, so that for a call in
//! the inputs the condition is its own class. A class of a library would do as well, but the JDK's differ from one release to the
//! next, and an entry whose condition names a type that is not there is not used. So the condition for a call in a library is the
//! type of the inputs that the call comes from: if there are some few, there is an entry for each. If there are many, it is the
//! main class; without one it is `java.lang.Object`, which native images take for "always".

use std::collections::BTreeSet;

use heliostat_index::{FastMap, FastSet, IdSet};
use heliostat_program::{ClassId, MethodId};
use heliostat_pta::Entry;

use super::names;
use crate::analysis::{EntryGroup, EntryReason};
use crate::{Analysis, Opened};

/// How many conditions, hence entries, there are for one call at most.
const MOST: usize = 3;

/// What is always reached.
const ALWAYS: &str = "java.lang.Object";

/// Finds the conditions of calls.
pub(super) struct Conditions<'a> {
    opened: &'a Opened,
    /// The classes that conditions may name.
    stable: IdSet<ClassId>,
    /// Callee and caller of each call edge, sorted.
    callers: Vec<(MethodId, MethodId)>,
    /// What holds where a call comes from many types.
    general: Vec<String>,
    known: FastMap<String, Vec<String>>,
}

impl<'a> Conditions<'a> {
    pub(super) fn new(opened: &'a Opened, analysis: &Analysis) -> Self {
        let mut callers: Vec<_> = analysis.calls().iter().map(|call| (call.callee, call.caller)).collect();
        callers.sort_unstable();
        callers.dedup();
        let stable: IdSet<ClassId> =
            opened.program.classes().ids().filter(|&class| is_stable(opened, class)).collect();
        let general = general(opened, analysis, &stable);
        Self { opened, stable, callers, general, known: FastMap::default() }
    }

    /// The conditions for a call in a method, given as `pkg/Class.name(I)V`; never none.
    pub(super) fn of(&mut self, method: &str) -> Vec<String> {
        if let Some(known) = self.known.get(method) {
            return known.clone();
        }
        let found = self.find(method).unwrap_or_else(|| self.general.clone());
        self.known.insert(method.to_owned(), found.clone());
        found
    }

    fn find(&self, method: &str) -> Option<Vec<String>> {
        let program = &self.opened.program;
        let (class, name, descriptor) = names::split_method(method)?;
        let class = program.find_class(class)?;
        if self.stable.contains(class) {
            return Some(vec![name_of(self.opened, class)]);
        }
        self.nearest(program.declared_method(class, program.find_selector(name, descriptor)?)?)
    }

    /// The nearest types of the inputs from which a method is called, directly or through libraries; none if there are too many.
    fn nearest(&self, method: MethodId) -> Option<Vec<String>> {
        let mut found = BTreeSet::new();
        let mut seen = FastSet::from_iter([method]);
        let mut work = vec![method];
        while let Some(callee) = work.pop() {
            for caller in self.callers(callee) {
                let class = self.opened.program.methods()[caller].class;
                if self.stable.contains(class) {
                    found.insert(name_of(self.opened, class));
                } else if seen.insert(caller) {
                    work.push(caller);
                }
            }
            if found.len() > MOST {
                return None;
            }
        }
        (!found.is_empty()).then(|| found.into_iter().collect())
    }

    fn callers(&self, callee: MethodId) -> impl Iterator<Item = MethodId> {
        let start = self.callers.partition_point(|&(method, _)| method < callee);
        let from = self.callers.iter().skip(start);
        from.take_while(move |&&(method, _)| method == callee).map(|&(_, caller)| caller)
    }
}

/// The main classes, if it is there and only there that the program is entered. Of a Spring Boot application it is the class that
/// the launcher starts, since native images start it without the launcher.
fn general(opened: &Opened, analysis: &Analysis, stable: &IdSet<ClassId>) -> Vec<String> {
    let groups = &analysis.entries.groups;
    let is_started = |group: &&EntryGroup| matches!(&group.reason, EntryReason::Manifest(mention) if mention.header == "Start-Class");
    let has_started = groups.iter().any(|group| is_started(&group));
    let groups_of_mains = groups.iter().filter(|group| !has_started || is_started(group));
    let mains = groups_of_mains.flat_map(|group| group.entries.iter()).map(|&entry| match entry {
        Entry::Inherited(class, _) => class,
        Entry::Main(method) | Entry::Open(method) | Entry::Member(method) => {
            opened.program.methods()[method].class
        }
    });
    let mains: BTreeSet<String> =
        mains.filter(|&class| stable.contains(class)).map(|class| name_of(opened, class)).collect();
    let is_main = |reason: &EntryReason| !matches!(reason, EntryReason::Public | EntryReason::Pattern(_));
    if mains.is_empty() || mains.len() > MOST || !groups.iter().all(|group| is_main(&group.reason)) {
        return vec![ALWAYS.to_owned()];
    }
    mains.into_iter().collect()
}

/// Whether a class is of the inputs, and has a name that the next build gives it, too.
fn is_stable(opened: &Opened, class: ClassId) -> bool {
    let is_synthetic = opened.program.classes()[class].flags.is_synthetic();
    opened.is_input(class) && !is_synthetic && !is_made(&opened.program.class_name(class))
}

/// Whether a name is one of those that are given at run time: to lambdas, proxies, and what libraries generate.
fn is_made(name: &str) -> bool {
    let simple = name.rsplit('/').next().unwrap_or(name);
    simple.contains("$$") || names::is_hidden(name) || !names::is_type(&names::class(name))
}

fn name_of(opened: &Opened, class: ClassId) -> String {
    names::class(&opened.program.class_name(class))
}

#[cfg(test)]
mod tests {
    use super::is_made;

    #[test]
    fn names_given_at_run_time() {
        for made in ["a/B$$Lambda$14", "a/B$$EnhancerBySpringCGLIB$$1a", "jdk/proxy1/$Proxy12", "a//B"] {
            assert!(is_made(made), "{made}");
        }
        for real in ["a/B", "B", "a/B$1", "a/B$Inner", "a/$ProxyFactory", "a/$Proxy"] {
            assert!(!is_made(real), "{real}");
        }
    }
}
