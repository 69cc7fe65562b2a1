//! Calls: which code, in which context, and what goes in and out.

use heliostat_index::BlockBits;
use heliostat_program::{MethodId, TypeId};
use heliostat_solve::{ObjectId, Solver};
use smallvec::SmallVec;

use super::{CallEdge, Engine, InstanceId, Waiting};
use crate::contexts::{ContextElement, ContextId, Kind};
use crate::facts::{Callee, CodeId, SiteId};

impl Engine<'_> {
    /// A call without a receiver.
    pub(super) fn call(&mut self, solver: &mut Solver<Waiting>, caller: InstanceId, site: SiteId) {
        match self.facts.sites[site].callee {
            Callee::Fixed(code) => {
                let context = self.static_context(caller, site);
                self.link(solver, caller, site, code, context);
            }
            Callee::Inlined(code) => self.call_inlined(solver, caller, site, code),
            Callee::Virtual(_) | Callee::Asked(_) => {}
        }
    }

    /// A call of code of which the caller says what it does: contexts would tell nothing apart.
    fn call_inlined(&mut self, solver: &mut Solver<Waiting>, caller: InstanceId, site: SiteId, code: CodeId) {
        self.link(solver, caller, site, code, ContextId::EMPTY);
    }

    /// A call on these receivers.
    pub(super) fn call_on(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        receivers: &[BlockBits],
    ) {
        let per_object = self.contexts.flavour().looks_at_receivers();
        match self.facts.sites[site].callee {
            Callee::Fixed(code) if !per_object => self.call_on_all(solver, caller, site, code),
            Callee::Fixed(code) => self.call_on_selected(solver, caller, site, code, receivers),
            Callee::Inlined(code) => self.call_inlined(solver, caller, site, code),
            Callee::Asked(ask) => self.call_asked(solver, caller, site, ask, receivers),
            Callee::Virtual(method) => self.call_virtual(solver, caller, site, method, receivers),
        }
    }

    /// Calls what each receiver selects, for all receivers together that select the same: many types inherit it from one.
    fn call_virtual(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        method: MethodId,
        receivers: &[BlockBits],
    ) {
        let mut selected = std::mem::take(&mut self.selecting);
        selected.clear();
        let codes = receivers.iter().map(|&block| (self.select(method, solver.block_group(block)), block));
        selected.extend(codes.filter_map(|(code, block)| Some((code?, block))));
        selected.sort_by_key(|&(code, _)| code);
        let mut alike: SmallVec<[BlockBits; 16]> = SmallVec::new();
        for same in selected.chunk_by(|a, b| a.0 == b.0) {
            alike.clear();
            alike.extend(same.iter().map(|&(_, block)| block));
            self.call_selected(solver, caller, site, same[0].0, &alike);
        }
        self.selecting = selected;
    }

    fn call_selected(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        code: CodeId,
        receivers: &[BlockBits],
    ) {
        if self.contexts.flavour().looks_at_receivers() {
            return self.call_on_selected(solver, caller, site, code, receivers);
        }
        let context = self.static_context(caller, site);
        let target = self.link(solver, caller, site, code, context);
        self.pass_receivers(solver, target, receivers);
    }

    /// All receivers run the same code in the same context: they go there by an edge.
    fn call_on_all(&mut self, solver: &mut Solver<Waiting>, caller: InstanceId, site: SiteId, code: CodeId) {
        let context = self.static_context(caller, site);
        let target = self.link(solver, caller, site, code, context);
        let this = self.facts.template(code).and_then(|t| t.this.expand());
        if let (Some(this), Some(receiver)) = (this, self.facts.sites[site].receiver.expand()) {
            solver.add_edge(self.node(caller, receiver), self.node(target, this));
        }
    }

    /// Each receiver has its own context.
    pub(super) fn call_on_each(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        code: CodeId,
        receivers: BlockBits,
    ) {
        for receiver in receivers.ids::<ObjectId>() {
            let context = self.receiver_context(receiver);
            let callee = self.instance(solver, code, context);
            let edge = CallEdge { caller, site, callee };
            // Beyond the bound on contexts, receivers share one.
            let has_own = self.instances[callee].context == context;
            let is_new = if has_own { self.edges.insert_by_receiver(edge) } else { self.edges.insert(edge) };
            if is_new {
                self.pass(solver, edge, code);
            }
            self.pass_receivers(solver, callee, &[BlockBits::of(receiver)]);
        }
    }

    pub(super) fn pass_receivers(
        &mut self,
        solver: &mut Solver<Waiting>,
        callee: InstanceId,
        receivers: &[BlockBits],
    ) {
        let code = self.instances[callee].code;
        if let Some(this) = self.facts.template(code).and_then(|t| t.this.expand()) {
            solver.add_objects(self.node(callee, this), receivers);
        }
    }

    /// The context of code that a call runs whatever its receiver. Adapters are transparent: what they call has the context
    /// that it would have if it were called directly.
    fn static_context(&mut self, caller: InstanceId, site: SiteId) -> ContextId {
        let context = self.instances[caller].context;
        if self.facts.method(self.instances[caller].code).is_none() {
            return context;
        }
        self.contexts.of_call(context, site)
    }

    /// The context of code that runs on a receiver.
    pub(super) fn receiver_context(&mut self, receiver: ObjectId) -> ContextId {
        if let Some(known) = self.receiver_contexts[receiver].expand() {
            return known;
        }
        let context = self.make_receiver_context(receiver);
        self.receiver_contexts[receiver] = context.into();
        context
    }

    fn make_receiver_context(&mut self, receiver: ObjectId) -> ContextId {
        let Some(object) = self.objects[receiver] else { return ContextId::EMPTY };
        let element = match self.contexts.flavour().kind {
            Kind::Type => ContextElement::Type(self.allocating_type(receiver)),
            Kind::Insensitive | Kind::CallSite | Kind::Object | Kind::Hybrid => {
                ContextElement::Object(object.alloc)
            }
        };
        self.contexts.of_receiver(object.context, element)
    }

    /// The class whose code allocates an object; its own type if no code does.
    fn allocating_type(&self, object: ObjectId) -> TypeId {
        let Some(object) = self.objects[object] else { return TypeId::OBJECT };
        let alloc = self.facts.allocs()[object.alloc];
        let method = self.facts.place_of(alloc.kind).and_then(|(code, _)| self.facts.method(code));
        method.map_or(alloc.ty, |method| self.program.classes()[self.program.methods()[method].class].ty)
    }

    /// Notes a call edge.
    pub(super) fn link(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        code: CodeId,
        context: ContextId,
    ) -> InstanceId {
        let callee = self.instance(solver, code, context);
        let edge = CallEdge { caller, site, callee };
        if self.edges.insert(edge) {
            self.pass(solver, edge, code);
        }
        callee
    }

    /// What a new call edge means: arguments go in, result and exceptions come out.
    fn pass(&self, solver: &mut Solver<Waiting>, edge: CallEdge, code: CodeId) {
        let CallEdge { caller, site, callee } = edge;
        let Some(template) = self.facts.template(code) else { return };
        let call = &self.facts.sites[site];
        for (arg, param) in call.args.iter().zip(&template.params) {
            if let (Some(arg), Some(param)) = (arg.expand(), param.expand()) {
                solver.add_edge(self.node(caller, arg), self.node(callee, param));
            }
        }
        for (from, to) in [(template.result, call.result), (template.thrown, call.thrown)] {
            if let (Some(from), Some(to)) = (from.expand(), to.expand()) {
                solver.add_edge(self.node(callee, from), self.node(caller, to));
            }
        }
    }
}
