//! The call edges by caller and by callee. Crowds stay together: an edge for each pair would be too many.

use std::cell::OnceCell;

use heliostat_index::{Id, Lists, id};

use crate::engine::{CallEdge, CrowdId, FoundEdges, InstanceId};
use crate::facts::SiteId;

id! {
    /// An edge that belongs to no crowd, by its place among them.
    struct SingleId = "single";
}

/// The call edges, sorted when they are first asked for.
pub(super) struct Calls<'a> {
    edges: &'a FoundEdges,
    instances: usize,
    by_caller: OnceCell<Lists<InstanceId, SingleId>>,
    by_callee: OnceCell<Lists<InstanceId, SingleId>>,
    crowds_of_caller: OnceCell<Lists<InstanceId, (SiteId, CrowdId)>>,
    crowds_with: OnceCell<Lists<InstanceId, CrowdId>>,
    callers_of_crowd: OnceCell<Lists<CrowdId, (InstanceId, SiteId)>>,
}

impl<'a> Calls<'a> {
    pub(super) fn new(edges: &'a FoundEdges, instances: usize) -> Self {
        Self {
            edges,
            instances,
            by_caller: OnceCell::new(),
            by_callee: OnceCell::new(),
            crowds_of_caller: OnceCell::new(),
            crowds_with: OnceCell::new(),
            callers_of_crowd: OnceCell::new(),
        }
    }

    /// What an instance calls outside crowds.
    pub(super) fn single_from(&self, caller: InstanceId) -> impl Iterator<Item = CallEdge> + '_ {
        let lists = self.by_caller.get_or_init(|| self.single_by(|edge| edge.caller));
        lists.of(caller).iter().map(|&id| self.single(id))
    }

    /// What calls an instance outside crowds.
    pub(super) fn single_to(&self, callee: InstanceId) -> impl Iterator<Item = CallEdge> + '_ {
        let lists = self.by_callee.get_or_init(|| self.single_by(|edge| edge.callee));
        lists.of(callee).iter().map(|&id| self.single(id))
    }

    /// The crowds that an instance calls, and where.
    pub(super) fn crowds_from(&self, caller: InstanceId) -> &[(SiteId, CrowdId)] {
        let calls = self.edges.crowd_calls().map(|(caller, site, crowd)| (caller, (site, crowd)));
        self.crowds_of_caller.get_or_init(|| Lists::new(self.instances, calls)).of(caller)
    }

    /// The crowds that an instance is a callee of.
    pub(super) fn crowds_with(&self, callee: InstanceId) -> &[CrowdId] {
        let members = self.edges.crowds().flat_map(|(id, callees)| callees.iter().map(move |&c| (c, id)));
        self.crowds_with.get_or_init(|| Lists::new(self.instances, members)).of(callee)
    }

    /// Who calls a crowd, and where.
    pub(super) fn callers_of(&self, crowd: CrowdId) -> &[(InstanceId, SiteId)] {
        let calls = self.edges.crowd_calls().map(|(caller, site, crowd)| (crowd, (caller, site)));
        self.callers_of_crowd.get_or_init(|| Lists::new(self.edges.crowds().len(), calls)).of(crowd)
    }

    /// The callees of a crowd.
    pub(super) fn callees_of(&self, crowd: CrowdId) -> &'a [InstanceId] {
        self.edges.callees(crowd)
    }

    /// Everything that an instance calls.
    pub(super) fn from(&self, caller: InstanceId) -> impl Iterator<Item = CallEdge> + '_ {
        let of_crowds = self.crowds_from(caller).iter().flat_map(move |&(site, crowd)| {
            self.callees_of(crowd).iter().map(move |&callee| CallEdge { caller, site, callee })
        });
        self.single_from(caller).chain(of_crowds)
    }

    fn single(&self, id: SingleId) -> CallEdge {
        self.edges.single()[id.index()]
    }

    fn single_by(&self, key: fn(&CallEdge) -> InstanceId) -> Lists<InstanceId, SingleId> {
        let edges = self.edges.single().iter().enumerate();
        let pairs = edges.map(|(number, edge)| (key(edge), SingleId::new(number)));
        Lists::new(self.instances, pairs)
    }
}
