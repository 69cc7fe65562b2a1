//! How code is reached: the shortest ways from the program's entry points, and for what those do not reach, from all that the JVM runs.

use std::collections::VecDeque;

use heliostat_index::{FastSet, IdMap, IdSet};
use heliostat_program::MethodId;

use super::{Reach, Why};
use crate::engine::{CallEdge, CrowdId, InstanceId};
use crate::facts::{CodeId, Facts, MadeUp, SiteId};

/// How an instance is reached first. Calls, of which there are most, are kept short.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// It is not.
    Not,
    /// Nothing comes before it.
    First,
    Call(InstanceId, SiteId),
    /// From an instance, by what has this number among the others.
    Other(InstanceId, u32),
}

/// How everything is reached.
pub struct Reached {
    links: IdMap<InstanceId, Link>,
    others: Vec<Reach>,
    own: IdSet<InstanceId>,
    own_code: IdSet<CodeId>,
}

impl Reached {
    pub(super) fn new(why: &Why<'_>) -> Self {
        let links = IdMap::with_default(Link::Not);
        let reached = Self { links, others: Vec::new(), own: IdSet::new(), own_code: IdSet::new() };
        let mut search = Search {
            why,
            reached,
            work: VecDeque::new(),
            crowds: FastSet::default(),
            initialised_by: IdSet::new(),
        };
        let root = why.solution.facts.find_made_up(MadeUp::Root);
        let root = root.and_then(|code| why.instances_of(code).first().copied());
        if let Some(root) = root {
            search.enter(root);
            search.run();
            search.reached.own = search.met();
            search.reached.own_code =
                search.reached.own.iter().map(|instance| why.solution.code_of(instance)).collect();
            search.arrive(root, Link::First);
            search.run();
            search.reached.own.insert(root);
        }
        search.reached
    }

    /// Whether an instance is reached from the program's entry points, and not only by what else the JVM runs.
    pub fn is_own(&self, instance: InstanceId) -> bool {
        self.own.contains(instance)
    }

    /// The same for code in any context.
    pub(super) fn is_own_code(&self, code: CodeId) -> bool {
        self.own_code.contains(code)
    }

    /// The calls that lead to an instance, first call first; none if it is not reached.
    pub fn way_to(&self, instance: InstanceId) -> Option<Vec<Reach>> {
        let (mut way, mut at) = (Vec::new(), instance);
        loop {
            at = match self.links[at] {
                Link::Not => break,
                Link::First => {
                    way.reverse();
                    return Some(way);
                }
                Link::Call(caller, site) => {
                    way.push(Reach::Call(CallEdge { caller, site, callee: at }));
                    caller
                }
                Link::Other(from, number) => {
                    way.extend(self.others.get(number as usize));
                    from
                }
            };
        }
        None
    }
}

impl Why<'_> {
    /// The calls that lead from what runs first to a piece of code, first call first; none if it is not reached.
    pub fn way_to(&self, code: CodeId) -> Option<Vec<Reach>> {
        let reached = self.reached();
        let ways = self.instances_of(code).iter().filter_map(|&instance| {
            let way = reached.way_to(instance)?;
            Some((!reached.is_own(instance), way.len(), way))
        });
        // The first of equals, so that the answer is always the same.
        ways.min_by_key(|&(foreign, len, _)| (foreign, len)).map(|(.., way)| way)
    }
}

struct Search<'s, 'a> {
    why: &'s Why<'a>,
    reached: Reached,
    work: VecDeque<InstanceId>,
    /// Crowds whose callees are all reached.
    crowds: FastSet<CrowdId>,
    /// Code whose initialisations were looked at: they do not depend on the context.
    initialised_by: IdSet<CodeId>,
}

impl Search<'_, '_> {
    /// Begins with what enters the program, and not with what the JVM does besides.
    fn enter(&mut self, root: InstanceId) {
        let why = self.why;
        for edge in why.calls.from(root).filter(|edge| !why.solution.facts.is_startup(edge.site)) {
            self.arrive(edge.callee, Link::Call(root, edge.site));
        }
        let initialised = why.types.initialised_to_enter();
        self.initialise(root, |callee| initialised.contains(&callee));
    }

    fn met(&self) -> IdSet<InstanceId> {
        let all = self.why.solution.instances().map(|(id, ..)| id);
        all.filter(|&id| self.reached.links[id] != Link::Not).collect()
    }

    fn arrive(&mut self, instance: InstanceId, link: Link) {
        if self.reached.links[instance] == Link::Not {
            self.reached.links[instance] = link;
            self.work.push_back(instance);
        }
    }

    fn arrive_otherwise(&mut self, from: InstanceId, code: CodeId, reach: Reach) {
        let Some(&callee) = self.why.instances_of(code).first() else { return };
        if self.reached.links[callee] == Link::Not {
            let number = self.reached.others.len() as u32;
            self.reached.others.push(reach);
            self.arrive(callee, Link::Other(from, number));
        }
    }

    fn run(&mut self) {
        let why = self.why;
        while let Some(caller) = self.work.pop_front() {
            for edge in why.calls.single_from(caller) {
                self.arrive(edge.callee, Link::Call(caller, edge.site));
            }
            for &(site, crowd) in why.calls.crowds_from(caller) {
                if self.crowds.insert(crowd) {
                    for &callee in why.calls.callees_of(crowd) {
                        self.arrive(callee, Link::Call(caller, site));
                    }
                }
            }
            if self.initialised_by.insert(why.solution.code_of(caller)) {
                self.initialise(caller, |_| true);
            }
        }
    }

    /// The initialisers that code runs.
    fn initialise(&mut self, by: InstanceId, is_meant: impl Fn(MethodId) -> bool) {
        let code = self.why.solution.code_of(by);
        let edges = self.why.solution.clinit_edges();
        let first = edges.partition_point(|edge| edge.code < code);
        for &edge in edges.iter().skip(first).take_while(|edge| edge.code == code) {
            if is_meant(edge.callee) {
                self.arrive_otherwise(by, Facts::code(edge.callee), Reach::Clinit(edge));
            }
        }
    }
}
