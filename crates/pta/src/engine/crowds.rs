//! Receivers that arrive together.
//!
//! Where each receiver has a context of its own, a call in `m` contexts on the same `n` receivers has `m * n` edges in contexts, and
//! as many ways for each argument and result. But all `m` callers mean all `n` callees: with a node between them for each parameter
//! and result, `m + n` ways carry the same.

use heliostat_index::{BlockBits, Id, id};
use heliostat_solve::{NodeId, ObjectId, Solver};
use smallvec::SmallVec;

use super::{Engine, InstanceId, Waiting, count};
use crate::contexts::ContextId;
use crate::facts::{CodeId, SiteId};

id! {
    /// A crowd.
    pub(crate) struct CrowdId = "crowd";
}

/// How many receivers are a crowd.
const CROWD: u32 = 4;

/// Some code, and the receivers that run it.
pub(super) type CrowdKey = (CodeId, SmallVec<[BlockBits; 8]>);

/// Receivers that run the same code.
pub(crate) struct Crowd {
    pub(super) code: CodeId,
    /// The code in the context of each receiver.
    pub(super) callees: Box<[InstanceId]>,
    between: Between,
}

/// The nodes between callers and callees, from this one on: for the result, for exceptions, and for each parameter.
#[derive(Clone, Copy)]
struct Between(NodeId);

impl Between {
    fn new(solver: &mut Solver<Waiting>, parameters: usize) -> Self {
        Self(solver.new_nodes(2 + parameters))
    }

    fn outcomes(self) -> [NodeId; 2] {
        [self.0, NodeId::new(self.0.index() + 1)]
    }

    fn parameters(self) -> impl Iterator<Item = NodeId> {
        (self.0.index() + 2..).map(NodeId::new)
    }
}

impl Engine<'_> {
    /// Calls code on these receivers, each in its own context.
    pub(super) fn call_on_selected(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        code: CodeId,
        receivers: &[BlockBits],
    ) {
        if self.says_nothing(code) {
            let only = self.link(solver, caller, site, code, ContextId::EMPTY);
            return self.pass_receivers(solver, only, receivers);
        }
        if count(receivers) < CROWD {
            for &block in receivers {
                self.call_on_each(solver, caller, site, code, block);
            }
            return;
        }
        let crowd = self.crowd(solver, code, receivers);
        self.edges.insert_crowd(caller, site, crowd);
        self.pass_to_crowd(solver, caller, site, crowd);
    }

    fn crowd(&mut self, solver: &mut Solver<Waiting>, code: CodeId, receivers: &[BlockBits]) -> CrowdId {
        let key: CrowdKey = (code, receivers.into());
        if let Some(&known) = self.known_crowds.get(&key) {
            return known;
        }
        let mut callees: Vec<InstanceId> = Vec::new();
        for receiver in receivers.iter().flat_map(|block| block.ids::<ObjectId>()) {
            let context = self.receiver_context(receiver);
            let callee = self.instance(solver, code, context);
            self.pass_receivers(solver, callee, &[BlockBits::of(receiver)]);
            callees.push(callee);
        }
        callees.sort_unstable();
        callees.dedup();
        let between = self.connect_crowd(solver, code, &callees);
        let id = self.edges.crowds.push(Crowd { code, callees: callees.into(), between });
        self.known_crowds.insert(key, id);
        id
    }

    /// The ways between a new crowd and its callees.
    fn connect_crowd(&self, solver: &mut Solver<Waiting>, code: CodeId, callees: &[InstanceId]) -> Between {
        let Some(template) = self.facts.template(code) else { return Between::new(solver, 0) };
        let between = Between::new(solver, template.params.len());
        for &callee in callees {
            for (from, to) in between.parameters().zip(&template.params) {
                if let Some(to) = to.expand() {
                    solver.add_edge(from, self.node(callee, to));
                }
            }
            for (from, to) in [template.result, template.thrown].into_iter().zip(between.outcomes()) {
                if let Some(from) = from.expand() {
                    solver.add_edge(self.node(callee, from), to);
                }
            }
        }
        between
    }

    /// The ways between a caller and a crowd.
    fn pass_to_crowd(&self, solver: &mut Solver<Waiting>, caller: InstanceId, site: SiteId, crowd: CrowdId) {
        let &Crowd { code, between, .. } = &self.edges.crowds[crowd];
        let Some(template) = self.facts.template(code) else { return };
        let call = &self.facts.sites[site];
        for ((from, param), to) in call.args.iter().zip(&template.params).zip(between.parameters()) {
            if let (Some(from), true) = (from.expand(), param.is_some()) {
                solver.add_edge(self.node(caller, from), to);
            }
        }
        for (from, to) in between.outcomes().into_iter().zip([call.result, call.thrown]) {
            if let Some(to) = to.expand() {
                solver.add_edge(from, self.node(caller, to));
            }
        }
    }
}
