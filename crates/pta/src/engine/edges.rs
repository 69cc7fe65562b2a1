//! The call edges found so far.

use std::hash::Hash;
use std::sync::OnceLock;

use heliostat_index::{FastSet, IdVec};
use heliostat_program::MethodId;

use super::crowds::{Crowd, CrowdId};
use super::{CallEdge, InstanceId};
use crate::contexts::Flavour;
use crate::facts::{CodeId, SiteId};

/// A call on all receivers of a crowd.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CrowdCall {
    caller: InstanceId,
    site: SiteId,
    crowd: CrowdId,
}

/// Call edges, each once or nearly so. Where every receiver has a context of its own, an edge is found once because its receiver
/// arrives once: looking for it among hundreds of millions would cost more than anything else.
pub(crate) struct CallEdges {
    /// Whether different receivers have different contexts.
    receivers_differ: bool,
    by_receiver: Vec<CallEdge>,
    others: FastSet<CallEdge>,
    by_crowd: Vec<CrowdCall>,
    pub(super) crowds: IdVec<CrowdId, Crowd>,
    count: usize,
}

impl CallEdges {
    pub(super) fn new(flavour: Flavour) -> Self {
        Self {
            receivers_differ: flavour.tells_receivers_apart(),
            by_receiver: Vec::new(),
            others: FastSet::default(),
            by_crowd: Vec::new(),
            crowds: IdVec::new(),
            count: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Adds an edge to code that has many contexts, found by its receiver; whether it may be new.
    pub(super) fn insert_by_receiver(&mut self, edge: CallEdge) -> bool {
        if !self.receivers_differ {
            return self.insert(edge);
        }
        self.count += 1;
        self.by_receiver.push(edge);
        true
    }

    /// Adds an edge; whether it is new.
    pub(super) fn insert(&mut self, edge: CallEdge) -> bool {
        let is_new = self.others.insert(edge);
        self.count += usize::from(is_new);
        is_new
    }

    /// Adds the edges to all callees of a crowd.
    pub(super) fn insert_crowd(&mut self, caller: InstanceId, site: SiteId, crowd: CrowdId) {
        self.count += self.crowds[crowd].callees.len();
        self.by_crowd.push(CrowdCall { caller, site, crowd });
    }

    /// What was found, when nothing more comes.
    pub(crate) fn finish(self) -> FoundEdges {
        let mut others: Vec<CallEdge> = self.others.into_iter().collect();
        others.sort_unstable();
        let mut single = self.by_receiver;
        single.append(&mut others);
        FoundEdges { single, by_crowd: self.by_crowd, crowds: self.crowds, sorted: OnceLock::new() }
    }
}

/// All call edges, in an order that depends on the program alone. Some may be there more than once.
pub(crate) struct FoundEdges {
    single: Vec<CallEdge>,
    by_crowd: Vec<CrowdCall>,
    crowds: IdVec<CrowdId, Crowd>,
    /// The same without repetitions, once asked: most runs ask for edges without contexts only.
    sorted: OnceLock<Sorted>,
}

struct Sorted {
    single: Vec<CallEdge>,
    by_crowd: Vec<CrowdCall>,
}

impl FoundEdges {
    /// Each edge, once.
    pub(crate) fn iter(&self) -> impl Iterator<Item = CallEdge> + '_ {
        let Sorted { single, by_crowd } = self.sorted.get_or_init(|| self.sort());
        let calls = by_crowd.chunk_by(|a, b| (a.caller, a.site) == (b.caller, b.site));
        single.iter().copied().chain(calls.flat_map(|crowds| self.only_by_crowd(crowds, single)))
    }

    fn sort(&self) -> Sorted {
        let mut sorted = Sorted { single: self.single.clone(), by_crowd: self.by_crowd.clone() };
        sorted.single.sort_unstable();
        sorted.single.dedup();
        sorted.by_crowd.sort_unstable();
        sorted
    }

    /// The edges of a call to crowds that are not among those to single receivers.
    fn only_by_crowd(&self, crowds: &[CrowdCall], single: &[CallEdge]) -> Vec<CallEdge> {
        let edges = crowds.iter().flat_map(|&CrowdCall { caller, site, crowd }| {
            self.crowds[crowd].callees.iter().map(move |&callee| CallEdge { caller, site, callee })
        });
        let mut edges: Vec<CallEdge> = edges.filter(|edge| single.binary_search(edge).is_err()).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The edges that belong to no crowd.
    pub(crate) fn single(&self) -> &[CallEdge] {
        &self.single
    }

    /// The calls on crowds, each of which calls all callees of the crowd.
    pub(crate) fn crowd_calls(&self) -> impl Iterator<Item = (InstanceId, SiteId, CrowdId)> + Clone + '_ {
        self.by_crowd.iter().map(|call| (call.caller, call.site, call.crowd))
    }

    /// The callees of each crowd.
    pub(crate) fn crowds(&self) -> impl ExactSizeIterator<Item = (CrowdId, &[InstanceId])> + Clone {
        self.crowds.iter().map(|(id, crowd)| (id, &*crowd.callees))
    }

    /// The callees of a crowd.
    pub(crate) fn callees(&self, crowd: CrowdId) -> &[InstanceId] {
        &self.crowds[crowd].callees
    }

    /// The code that each call site calls, in whatever context, in order.
    pub(crate) fn targets(&self, code_of: impl Fn(InstanceId) -> CodeId) -> Vec<(SiteId, CodeId)> {
        let found = distinct(self.single.iter().map(|edge| (edge.site, code_of(edge.callee))));
        let of_crowds = self.by_crowd.iter().map(|call| (call.site, self.crowds[call.crowd].code));
        in_order(found, distinct(of_crowds))
    }

    /// The edges without contexts, but for those of code that stands between methods, in order.
    pub(crate) fn hops(&self, end_of: impl Fn(InstanceId) -> End) -> Vec<Hop> {
        let hop = |caller, site, callee| Hop { from: end_of(caller).between(), site, to: end_of(callee) };
        let found = distinct(self.single.iter().map(|edge| hop(edge.caller, edge.site, edge.callee)));
        let of_crowds = self.by_crowd.iter().flat_map(|call| {
            let callees = &self.crowds[call.crowd].callees;
            // The callees of a crowd have one code: if one is a method, all are the same.
            let is_between = callees.first().is_some_and(|&first| end_of(first).between().is_some());
            let told = if is_between { callees.len() } else { callees.len().min(1) };
            callees[..told].iter().map(|&callee| hop(call.caller, call.site, callee))
        });
        in_order(found, distinct(of_crowds))
    }
}

/// Where an edge ends: in a method, or in code that stands between methods, where the context decides what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum End {
    Method(MethodId),
    Between(InstanceId),
}

impl End {
    fn between(self) -> Option<InstanceId> {
        match self {
            Self::Method(_) => None,
            Self::Between(instance) => Some(instance),
        }
    }
}

/// A call edge without contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Hop {
    /// The caller, if it stands between methods.
    pub(crate) from: Option<InstanceId>,
    pub(crate) site: SiteId,
    pub(crate) to: End,
}

/// What of a sequence is different. Equal ones mostly lie together.
fn distinct<T: Copy + Eq + Hash>(all: impl Iterator<Item = T>) -> FastSet<T> {
    let (mut found, mut last) = (FastSet::default(), None);
    for one in all {
        if last.replace(one) != Some(one) {
            found.insert(one);
        }
    }
    found
}

fn in_order<T: Ord + Eq + Hash>(mut some: FastSet<T>, others: FastSet<T>) -> Vec<T> {
    some.extend(others);
    let mut all: Vec<T> = some.into_iter().collect();
    all.sort_unstable();
    all
}
