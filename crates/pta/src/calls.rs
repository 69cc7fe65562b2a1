//! The call graph without contexts and without the code that stands between methods.

use heliostat_index::{FastMap, FastSet};
use heliostat_program::MethodId;
use smallvec::{SmallVec, smallvec};

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

/// What lies behind code that is no method.
type Hidden = FastMap<CodeId, Vec<(SiteId, CodeId)>>;

impl Solution {
    /// The code that each call site calls, in whatever context, in order.
    fn targets(&self) -> Vec<(SiteId, CodeId)> {
        self.edges.targets(|instance| self.instances[instance].code)
    }

    /// Call edges with contexts projected away; adapters are left out, what they call is called where they are.
    pub fn calls(&self) -> Vec<Call> {
        let sites = self.targets();
        let mut hidden = Hidden::default();
        let mut callers: FastMap<CodeId, Vec<SiteId>> = FastMap::default();
        for &(site, callee) in &sites {
            if self.facts.method(callee).is_none() {
                callers.entry(callee).or_default().push(site);
            }
            let code = self.facts.sites[site].code;
            if self.facts.method(code).is_none() {
                hidden.entry(code).or_default().push((site, callee));
            }
        }
        let mut calls = Vec::with_capacity(sites.len());
        for &(site, callee) in &sites {
            let call = &self.facts.sites[site];
            let Some(caller) = self.facts.method(call.code) else { continue };
            for (method, kind) in self.behind(callee, call.kind, &hidden) {
                calls.push(Call { caller, offset: call.offset, callee: method, kind });
            }
        }
        for edge in &self.clinit_edges {
            let clinit =
                |caller, offset| Call { caller, offset, callee: edge.callee, kind: EdgeKind::Clinit };
            match self.facts.method(edge.code) {
                Some(caller) => calls.push(clinit(caller, edge.offset)),
                // What an adapter initialises, its callers do.
                None => calls.extend(callers.get(&edge.code).into_iter().flatten().filter_map(|&site| {
                    let call = &self.facts.sites[site];
                    Some(clinit(self.facts.method(call.code)?, call.offset))
                })),
            }
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// The methods that a call runs: itself, or what an adapter leads to.
    fn behind(&self, callee: CodeId, kind: EdgeKind, hidden: &Hidden) -> SmallVec<[(MethodId, EdgeKind); 1]> {
        if let Some(method) = self.facts.method(callee) {
            return smallvec![(method, kind)];
        }
        let (mut found, mut seen, mut work) = (SmallVec::new(), FastSet::default(), vec![callee]);
        while let Some(code) = work.pop() {
            if !seen.insert(code) {
                continue;
            }
            for &(site, callee) in hidden.get(&code).map_or(&[][..], |v| v) {
                match self.facts.method(callee) {
                    Some(method) => found.push((method, self.facts.sites[site].kind)),
                    None => work.push(callee),
                }
            }
        }
        found
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
