//! Calls: which code, in which context, and what goes in and out.

use heliostat_index::BlockBits;
use heliostat_program::{MethodId, TypeId};
use heliostat_solve::{ObjectId, Solver};

use super::{CallEdge, Engine, InstanceId, Waiting};
use crate::contexts::{ContextElement, ContextId, Kind};
use crate::facts::{AllocKind, Callee, CodeId, SiteId};

impl Engine<'_> {
    /// A call without a receiver.
    pub(super) fn call(&mut self, solver: &mut Solver<Waiting>, caller: InstanceId, site: SiteId) {
        if let Callee::Fixed(code) = self.facts.sites[site].callee {
            let context = self.static_context(caller, site);
            self.link(solver, caller, site, code, context);
        }
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
            Callee::Fixed(code) => {
                for &block in receivers {
                    self.call_on_each(solver, caller, site, code, block);
                }
            }
            Callee::Virtual(method) => {
                for (code, blocks) in self.by_selected(solver, method, receivers) {
                    if per_object {
                        for block in blocks {
                            self.call_on_each(solver, caller, site, code, block);
                        }
                    } else {
                        let context = self.static_context(caller, site);
                        let target = self.link(solver, caller, site, code, context);
                        self.pass_receivers(solver, target, &blocks);
                    }
                }
            }
        }
    }

    /// Receivers by the code that they run: many types inherit it from one.
    fn by_selected(
        &mut self,
        solver: &Solver<Waiting>,
        method: MethodId,
        receivers: &[BlockBits],
    ) -> Vec<(CodeId, Vec<BlockBits>)> {
        let mut selected: Vec<(CodeId, BlockBits)> = receivers
            .iter()
            .filter_map(|&block| Some((self.select(method, solver.block_group(block))?, block)))
            .collect();
        selected.sort_by_key(|&(code, _)| code);
        let groups = selected.chunk_by(|a, b| a.0 == b.0);
        groups.filter_map(|g| Some((g.first()?.0, g.iter().map(|&(_, block)| block).collect()))).collect()
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
    fn call_on_each(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        code: CodeId,
        receivers: BlockBits,
    ) {
        for receiver in receivers.ids::<ObjectId>() {
            let context = self.receiver_context(receiver);
            let target = self.link(solver, caller, site, code, context);
            let bit = receiver.as_u32() % heliostat_index::BLOCK_IDS;
            self.pass_receivers(solver, target, &[BlockBits::new(receivers.block(), 1 << bit)]);
        }
    }

    fn pass_receivers(&mut self, solver: &mut Solver<Waiting>, callee: InstanceId, receivers: &[BlockBits]) {
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
    fn receiver_context(&mut self, receiver: ObjectId) -> ContextId {
        let Some(object) = self.objects[receiver] else { return ContextId::EMPTY };
        let element = match self.contexts.flavour().kind {
            Kind::Type => ContextElement::Type(self.allocating_type(receiver)),
            _ => ContextElement::Object(object.alloc),
        };
        self.contexts.of_receiver(object.context, element)
    }

    /// The class whose code allocates an object; its own type if no code does.
    fn allocating_type(&self, object: ObjectId) -> TypeId {
        let Some(object) = self.objects[object] else { return TypeId::OBJECT };
        let alloc = self.facts.allocs()[object.alloc];
        let class_of = |method: MethodId| self.program.classes()[self.program.methods()[method].class].ty;
        match alloc.kind {
            AllocKind::Site { code, .. } => self.facts.method(code).map_or(alloc.ty, class_of),
            AllocKind::Lambda(lambda) => self.program.classes()[self.facts.lambda(lambda).class].ty,
            _ => alloc.ty,
        }
    }

    /// Notes a call edge; if it is new, arguments go in, result and exceptions come out.
    fn link(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        code: CodeId,
        context: ContextId,
    ) -> InstanceId {
        let target = self.instance(solver, code, context);
        if !self.edges.insert(CallEdge { caller, site, callee: target }) {
            return target;
        }
        let Some(template) = self.facts.template(code) else { return target };
        let call = &self.facts.sites[site];
        for (arg, param) in call.args.iter().zip(&template.params) {
            if let (Some(arg), Some(param)) = (arg.expand(), param.expand()) {
                solver.add_edge(self.node(caller, arg), self.node(target, param));
            }
        }
        for (from, to) in [(template.result, call.result), (template.thrown, call.thrown)] {
            if let (Some(from), Some(to)) = (from.expand(), to.expand()) {
                solver.add_edge(self.node(target, from), self.node(caller, to));
            }
        }
        target
    }
}
