//! The call edges found so far.

use heliostat_index::{FastSet, IdVec};

use super::crowds::{Crowd, CrowdId};
use super::{CallEdge, InstanceId};
use crate::contexts::Flavour;
use crate::facts::{CodeId, SiteId};

/// A call on all receivers of a crowd.
#[derive(Clone, Copy)]
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
        FoundEdges { single, by_crowd: self.by_crowd, crowds: self.crowds }
    }
}

/// All call edges, in an order that depends on the program alone.
pub(crate) struct FoundEdges {
    single: Vec<CallEdge>,
    by_crowd: Vec<CrowdCall>,
    crowds: IdVec<CrowdId, Crowd>,
}

impl FoundEdges {
    /// Each edge; one may come more than once.
    pub(crate) fn iter(&self) -> impl Iterator<Item = CallEdge> + '_ {
        let of_crowds = self.by_crowd.iter().flat_map(|&CrowdCall { caller, site, crowd }| {
            self.crowds[crowd].callees.iter().map(move |&callee| CallEdge { caller, site, callee })
        });
        self.single.iter().copied().chain(of_crowds)
    }

    /// The code that each call site calls, in whatever context, in order.
    pub(crate) fn targets(&self, code_of: impl Fn(InstanceId) -> CodeId) -> Vec<(SiteId, CodeId)> {
        let mut found: FastSet<(SiteId, CodeId)> = FastSet::default();
        let mut last = None;
        for edge in &self.single {
            let target = (edge.site, code_of(edge.callee));
            // The contexts of one target mostly lie together.
            if last.replace(target) != Some(target) {
                found.insert(target);
            }
        }
        found.extend(self.by_crowd.iter().map(|call| (call.site, self.crowds[call.crowd].code)));
        let mut targets: Vec<_> = found.into_iter().collect();
        targets.sort_unstable();
        targets
    }
}
