//! The call graph without contexts and without the code that stands between methods.

use heliostat_index::{FastMap, FastSet};
use heliostat_program::MethodId;
use smallvec::{SmallVec, smallvec};

use crate::engine::{End, Hop, InstanceId};
use crate::facts::{CodeId, EdgeKind, SiteId};
use crate::solution::Solution;

/// A call edge with contexts projected away and adapters left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// The method that calls.
    pub caller: MethodId,
    /// The bytecode offset of the call there.
    pub offset: u32,
    /// The method that is called.
    pub callee: MethodId,
    /// How.
    pub kind: EdgeKind,
}

/// A call of the bytecode that selects by its receiver: `invokevirtual` or `invokeinterface`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VirtualSite {
    /// The method that has it.
    pub method: MethodId,
    /// Its bytecode offset.
    pub offset: u32,
    /// How many methods it runs.
    pub targets: usize,
}

/// What the code between methods calls, in each of its contexts.
type Behind<'a> = FastMap<InstanceId, &'a [Hop]>;

impl Solution {
    /// The code that each call site calls, in whatever context, in order.
    pub(crate) fn targets(&self) -> Vec<(SiteId, CodeId)> {
        self.edges.targets(|instance| self.instances[instance].code)
    }

    /// Call edges with contexts projected away; adapters are left out, what they call is called where they are.
    pub fn calls(&self) -> Vec<Call> {
        let hops = self.edges.hops(|instance| {
            let method = self.facts.method(self.instances[instance].code);
            method.map_or(End::Between(instance), End::Method)
        });
        let by_caller = hops.chunk_by(|a, b| a.from == b.from);
        let behind: Behind<'_> = by_caller.filter_map(|group| Some((group[0].from?, group))).collect();
        let mut calls = Vec::with_capacity(hops.len());
        for hop in hops.iter().filter(|hop| hop.from.is_none()) {
            let call = &self.facts.sites[hop.site];
            let Some(caller) = self.facts.method(call.code) else { continue };
            for (callee, kind) in self.reached_by(*hop, &behind) {
                calls.push(Call { caller, offset: call.offset, callee, kind });
            }
        }
        self.add_clinit_calls(&hops, &mut calls);
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// The methods that a call runs: itself, or what an adapter leads to.
    fn reached_by(&self, hop: Hop, behind: &Behind<'_>) -> SmallVec<[(MethodId, EdgeKind); 1]> {
        let mut work: SmallVec<[Hop; 4]> = smallvec![hop];
        let (mut found, mut seen) = (SmallVec::new(), FastSet::default());
        while let Some(hop) = work.pop() {
            match hop.to {
                End::Method(method) => found.push((method, self.facts.sites[hop.site].kind)),
                End::Between(instance) if seen.insert(instance) => {
                    work.extend(behind.get(&instance).into_iter().flat_map(|hops| hops.iter().copied()));
                }
                End::Between(_) => {}
            }
        }
        found
    }

    /// Adds the edges to class initialisers. What an adapter initialises, the methods do that call it, or call what calls it.
    fn add_clinit_calls(&self, hops: &[Hop], calls: &mut Vec<Call>) {
        let mut callers: FastMap<CodeId, Vec<SiteId>> = FastMap::default();
        for hop in hops {
            if let End::Between(instance) = hop.to {
                callers.entry(self.instances[instance].code).or_default().push(hop.site);
            }
        }
        for edge in &self.clinit_edges {
            let mut work: SmallVec<[(CodeId, u32); 4]> = smallvec![(edge.code, edge.offset)];
            let mut seen = FastSet::default();
            while let Some((code, offset)) = work.pop() {
                if let Some(caller) = self.facts.method(code) {
                    calls.push(Call { caller, offset, callee: edge.callee, kind: EdgeKind::Clinit });
                } else if seen.insert(code) {
                    let sites = callers.get(&code).into_iter().flatten().map(|&site| &self.facts.sites[site]);
                    work.extend(sites.map(|site| (site.code, site.offset)));
                }
            }
        }
    }

    /// The sites of virtual calls in reached bytecode, in order, with how many methods each runs by the call edges of [`Self::calls`].
    pub fn virtual_sites(&self, calls: &[Call]) -> Vec<VirtualSite> {
        let sites = self.facts.sites.values().filter(|site| is_virtual(site.kind));
        let own = sites.filter(|site| !self.facts.is_modelled(site.code));
        let places = own.filter_map(|site| Some((self.facts.method(site.code)?, site.offset)));
        let mut places: Vec<(MethodId, u32)> = places.collect();
        // Copies of one instruction, as of the body of a `jsr`, are one.
        places.sort_unstable();
        places.dedup();
        let count =
            |(method, offset)| VirtualSite { method, offset, targets: selected(calls, method, offset) };
        places.into_iter().map(count).collect()
    }
}

fn is_virtual(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Virtual | EdgeKind::Interface)
}

/// How many methods the receivers of a call select; those that lambdas run count in place of the lambdas.
fn selected(calls: &[Call], method: MethodId, offset: u32) -> usize {
    let first = calls.partition_point(|call| (call.caller, call.offset) < (method, offset));
    let here = calls[first..].iter().take_while(|call| (call.caller, call.offset) == (method, offset));
    let selected = here.filter(|call| is_virtual(call.kind) || call.kind == EdgeKind::Dynamic);
    let mut methods: Vec<MethodId> = selected.map(|call| call.callee).collect();
    methods.dedup();
    methods.len()
}
