//! Bootstrap methods as the calls that they are, and what cannot be said about them.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, Body, Inst};
use heliostat_program::{
    Bootstrap, Constant, DynamicId, DynamicType, Handle, HandleId, HandleKind, HandleMember, MethodId, TypeId,
};

use super::Extractor;
use super::handles;
use crate::facts::{Callee, EdgeKind, Facts, FieldKey, Gap, Stmt, Var};

impl Extractor<'_> {
    /// A bootstrap method that is none of the known: it is called, and what its call site leads to is called.
    pub(super) fn other_bootstrap(&mut self, block: Block, inst: Inst, id: DynamicId, bootstrap: &Bootstrap) {
        self.bootstrap_gap(inst);
        self.logged_dynamic(block, inst);
        let Some(call_site) = self.run_bootstrap(block, inst, id, bootstrap) else { return };
        let target = self.writer.new_var();
        let get_target =
            self.find("java/lang/invoke/CallSite", "getTarget", "()Ljava/lang/invoke/MethodHandle;");
        let invoke = self.find(
            "java/lang/invoke/MethodHandle",
            "invokeExact",
            "([Ljava/lang/Object;)Ljava/lang/Object;",
        );
        let (Some(get_target), Some(invoke)) = (get_target, invoke) else { return };
        self.writer_call(block, inst, EdgeKind::Implicit, get_target, Some(call_site), &[], Some(target));
        let args: Vec<_> = self.body.args(inst).iter().map(|&v| self.var(v)).collect();
        let result = self.result(inst);
        self.writer_call(block, inst, EdgeKind::Dynamic, invoke, Some(target), &args, result);
    }

    /// A dynamic constant: what its bootstrap method gives.
    pub(super) fn dynamic_constant(&mut self, inst: Inst, id: DynamicId, ty: TypeId, to: Option<Var>) {
        let block = self.block_of(inst);
        let bootstrap = self.bootstrap(id);
        let value = bootstrap.and_then(|bootstrap| self.run_bootstrap(block, inst, id, &bootstrap));
        let Some(from) = value else { return self.bootstrap_gap(inst) };
        if let Some(to) = to {
            let filter = self.writer.facts.type_filter(ty);
            self.writer.push(Stmt::Assign { from, to, filter });
        }
    }

    /// The row of the bootstrap table that a call site or constant refers to.
    pub(super) fn bootstrap(&self, id: DynamicId) -> Option<Bootstrap> {
        let dynamic = self.program.dynamic(id);
        self.program.linked(dynamic.class)?.bootstrap(dynamic.bootstrap).cloned()
    }

    /// Notes that what a bootstrap method makes here is not known, or not wholly.
    pub(super) fn bootstrap_gap(&mut self, inst: Inst) {
        let offset = self.body.insts[inst].offset;
        self.writer.facts.gaps.push(Gap::Bootstrap(self.writer.code, offset));
    }

    /// Notes it if the member of a handle that is made here is not there.
    pub(super) fn check_handle(&mut self, handle: HandleId, offset: u32) {
        if handles::member(self.program, handle, self.class).is_none() {
            self.writer.facts.gaps.push(Gap::Handle(self.writer.code, offset, handle));
        }
    }

    fn block_of(&self, inst: Inst) -> Block {
        let mut blocks = self.body.blocks.iter();
        blocks.find(|(_, b)| b.insts.contains(&inst)).map_or(Body::ENTRY, |(block, _)| block)
    }

    /// Calls a bootstrap method with a lookup object, name, type and static arguments; what it returns.
    fn run_bootstrap(
        &mut self,
        block: Block,
        inst: Inst,
        id: DynamicId,
        bootstrap: &Bootstrap,
    ) -> Option<Var> {
        let dynamic = self.program.dynamic(id);
        let Handle { kind: HandleKind::InvokeStatic, member: HandleMember::Method(reference) } =
            self.program.handle(bootstrap.method)
        else {
            return None;
        };
        let method = self.program.resolve_method(self.program.method_ref(reference), self.class).member()?;
        let lookup = self.program.find_class("java/lang/invoke/MethodHandles$Lookup")?;
        let lookup = self.program.classes()[lookup].ty;
        let ty = match dynamic.ty {
            DynamicType::Constant(ty) => Constant::Class(ty),
            DynamicType::Call(ty) => Constant::MethodType(ty),
        };
        let first = self.writer.new_var();
        self.writer.jvm_object(first, lookup);
        let mut args: Vec<PackedOption<Var>> = vec![first.into()];
        for &constant in [Constant::String(dynamic.name), ty].iter().chain(&bootstrap.arguments) {
            args.push(self.static_argument(inst, constant).into());
        }
        self.collect_varargs(inst, method, &mut args);
        let result = self.writer.new_var();
        let offset = self.body.insts[inst].offset;
        self.writer.init(self.class, self.program.methods()[method].class, offset);
        let callee = Callee::Fixed(Facts::code(method));
        self.writer_call(block, inst, EdgeKind::Implicit, callee, None, &args, Some(result));
        Some(result)
    }

    /// A constant that is given to a bootstrap method. Dynamic ones are not computed: they would need bootstraps of their own.
    fn static_argument(&mut self, inst: Inst, constant: Constant) -> Var {
        match constant {
            Constant::Dynamic(_) => self.bootstrap_gap(inst),
            Constant::Handle(handle) => self.check_handle(handle, self.body.insts[inst].offset),
            Constant::Null
            | Constant::Int(_)
            | Constant::Long(_)
            | Constant::Float(_)
            | Constant::Double(_)
            | Constant::String(_)
            | Constant::Class(_)
            | Constant::MethodType(_) => {}
        }
        let var = self.writer.new_var();
        self.writer.constant(var, constant);
        var
    }

    /// Puts the arguments beyond the last parameter into the array that a method of variable arity takes.
    fn collect_varargs(&mut self, inst: Inst, method: MethodId, args: &mut Vec<PackedOption<Var>>) {
        let data = &self.program.methods()[method];
        let parameters =
            &self.program.method_type(self.program.selector(data.selector).descriptor).parameters;
        let (Some(&last), true) = (parameters.last(), data.flags.is_varargs()) else { return };
        let fixed = parameters.len() - 1;
        let rest = args.split_off(fixed.min(args.len()));
        let array = self.writer.new_var();
        self.writer.alloc(array, last, self.body.insts[inst].offset, 1);
        for from in rest.into_iter().filter_map(PackedOption::expand) {
            self.writer.push(Stmt::Store { base: array, field: FieldKey::ELEMENTS, from });
        }
        args.push(array.into());
    }

    fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Callee> {
        let class = self.program.find_class(class)?;
        let method = self.program.declared_method(class, self.program.find_selector(name, descriptor)?)?;
        Some(Callee::Virtual(method))
    }
}
