//! `invokedynamic` and dynamic constants: the bootstrap methods that compilers use, by what they are known to do; any
//! other as the call that it is.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, Body, Inst};
use heliostat_program::{
    Bootstrap, Constant, DescriptorId, DynamicId, DynamicType, Handle, HandleId, HandleKind, HandleMember,
    Program, TypeId,
};

use super::Extractor;
use super::adapters::read_field;
use super::writer::NewCall;
use crate::facts::{AllocKind, Callee, EdgeKind, Facts, FieldKey, Gap, Lambda, LambdaId, MadeUp, Stmt, Var};

/// `LambdaMetafactory.FLAG_SERIALIZABLE`
const SERIALIZABLE: i32 = 1;
/// `LambdaMetafactory.FLAG_MARKERS`
const MARKERS: i32 = 2;

impl Extractor<'_> {
    pub(super) fn call_dynamic(&mut self, block: Block, inst: Inst, id: DynamicId) {
        let dynamic = self.program.dynamic(id);
        let DynamicType::Call(descriptor) = dynamic.ty else { return };
        let Some(bootstrap) = self.program.linked(dynamic.class).and_then(|l| l.bootstrap(dynamic.bootstrap))
        else {
            return;
        };
        let bootstrap = bootstrap.clone();
        let (owner, name) = bootstrap_name(self.program, bootstrap.method);
        match (owner, name) {
            (b"java/lang/invoke/LambdaMetafactory", b"metafactory" | b"altMetafactory") => {
                self.lambda(inst, id, descriptor, &bootstrap);
            }
            (b"java/lang/invoke/StringConcatFactory", _) => self.concatenation(block, inst),
            (b"java/lang/runtime/ObjectMethods", b"bootstrap") => {
                let name = self.program.symbols.bytes(dynamic.name).to_vec();
                self.object_method(block, inst, &name, &bootstrap);
            }
            // They look at types and compare; no reference comes out of them.
            (b"java/lang/runtime/SwitchBootstraps", _) => {}
            _ => self.other_bootstrap(block, inst, id, &bootstrap),
        }
    }

    /// `LambdaMetafactory`: an object of the interface, which keeps the captured values.
    fn lambda(&mut self, inst: Inst, id: DynamicId, descriptor: DescriptorId, bootstrap: &Bootstrap) {
        let &[
            Constant::MethodType(erased),
            Constant::Handle(target),
            Constant::MethodType(instantiated),
            ref extra @ ..,
        ] = &bootstrap.arguments[..]
        else {
            return;
        };
        let call = self.program.method_type(descriptor);
        let mut interfaces = vec![call.result];
        interfaces.extend(other_interfaces(extra));
        let lambda = LambdaId::from_u32(self.writer.facts.lambdas.len() as u32);
        let adapter = self.writer.facts.make_up(MadeUp::Lambda(lambda));
        let (interface, captures) = (call.result, call.parameters.to_vec());
        self.writer.facts.lambdas.push(Lambda {
            interfaces,
            name: self.program.dynamic(id).name,
            erased,
            instantiated,
            target,
            captures,
            class: self.class,
            adapter,
        });
        let Some(object) = self.result(inst) else { return };
        let site = self.writer.facts.heap.alloc(AllocKind::Lambda(lambda), interface);
        self.writer.push(Stmt::Alloc { to: object, site });
        for number in 0..self.body.args(inst).len() {
            if let Some(from) = self.arg(inst, number) {
                self.writer.push(Stmt::Store { base: object, field: FieldKey::capture(number), from });
            }
        }
    }

    /// `StringConcatFactory`: every operand becomes text, which `toString` of objects says.
    fn concatenation(&mut self, block: Block, inst: Inst) {
        for number in 0..self.body.args(inst).len() {
            let ty = self.body.values[self.body.args(inst)[number]].ty;
            if let Some(operand) = self.arg(inst, number).filter(|_| ty != TypeId::STRING) {
                self.implicit_call(block, inst, ("toString", "()Ljava/lang/String;"), operand, &[]);
            }
        }
        if let Some(to) = self.result(inst) {
            let site = self.writer.facts.heap.alloc(AllocKind::Strings, TypeId::STRING);
            self.writer.push(Stmt::Alloc { to, site });
        }
    }

    /// `ObjectMethods`: `toString`, `hashCode` and `equals` of a record call the same of its components.
    fn object_method(&mut self, block: Block, inst: Inst, name: &[u8], bootstrap: &Bootstrap) {
        let (selector, compares) = match name {
            b"toString" => (("toString", "()Ljava/lang/String;"), false),
            b"hashCode" => (("hashCode", "()I"), false),
            b"equals" => (("equals", "(Ljava/lang/Object;)Z"), true),
            _ => return,
        };
        let Some(record) = self.arg(inst, 0) else { return };
        let other = self.arg(inst, 1);
        for argument in bootstrap.arguments.iter().skip(2) {
            let &Constant::Handle(getter) = argument else { continue };
            let Some(component) = self.component(record, getter) else { continue };
            let others = other.filter(|_| compares).and_then(|other| self.component(other, getter));
            let args: &[PackedOption<Var>] = if compares { &[others.into()] } else { &[] };
            self.implicit_call(block, inst, selector, component, args);
        }
        if let Some(to) = self.result(inst) {
            let site = self.writer.facts.heap.alloc(AllocKind::Strings, TypeId::STRING);
            self.writer.push(Stmt::Alloc { to, site });
        }
    }

    fn component(&mut self, record: Var, getter: HandleId) -> Option<Var> {
        match self.program.handle(getter) {
            Handle { kind: HandleKind::GetField, member: HandleMember::Field(field) } => {
                read_field(&mut self.writer, record, field, self.class)
            }
            _ => None,
        }
    }

    /// A call that generated code makes of a method of `Object`.
    fn implicit_call(
        &mut self,
        block: Block,
        inst: Inst,
        (name, descriptor): (&str, &str),
        receiver: Var,
        args: &[PackedOption<Var>],
    ) {
        let object = self.program.class_of(TypeId::OBJECT);
        let selector = self.program.find_selector(name, descriptor);
        let (Some(object), Some(selector)) = (object, selector) else { return };
        let Some(method) = self.program.declared_method(object, selector) else { return };
        self.writer_call(
            block,
            inst,
            EdgeKind::Implicit,
            Callee::Virtual(method),
            Some(receiver),
            args,
            None,
        );
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a call")]
    fn writer_call(
        &mut self,
        block: Block,
        inst: Inst,
        kind: EdgeKind,
        callee: Callee,
        receiver: Option<Var>,
        args: &[PackedOption<Var>],
        result: Option<Var>,
    ) {
        let offset = self.body.insts[inst].offset;
        let thrown = Some(self.thrown_in(block));
        self.writer.call(&NewCall { offset, kind, callee, receiver, args, result, thrown });
    }

    /// A bootstrap method that is none of the known: it is called, and what its call site leads to is called.
    fn other_bootstrap(&mut self, block: Block, inst: Inst, id: DynamicId, bootstrap: &Bootstrap) {
        let offset = self.body.insts[inst].offset;
        self.writer.facts.gaps.push(Gap::Bootstrap(self.writer.code, offset));
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
        let dynamic = self.program.dynamic(id);
        let bootstrap =
            self.program.linked(dynamic.class).and_then(|l| l.bootstrap(dynamic.bootstrap)).cloned();
        let Some(bootstrap) = bootstrap else { return };
        let block = self.block_of(inst);
        if let (Some(value), Some(to)) = (self.run_bootstrap(block, inst, id, &bootstrap), to) {
            let filter = self.writer.facts.type_filter(ty);
            self.writer.push(Stmt::Assign { from: value, to, filter });
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
        let site = self.writer.facts.heap.alloc(AllocKind::Jvm(lookup), lookup);
        let first = self.writer.new_var();
        self.writer.push(Stmt::Alloc { to: first, site });
        let mut args: Vec<PackedOption<Var>> = vec![first.into()];
        for &constant in [Constant::String(dynamic.name), ty].iter().chain(&bootstrap.arguments) {
            let var = self.writer.new_var();
            self.writer.constant(var, constant);
            args.push(var.into());
        }
        self.collect_varargs(inst, method, &mut args);
        let result = self.writer.new_var();
        let offset = self.body.insts[inst].offset;
        self.writer.init(self.class, self.program.methods()[method].class, offset);
        let callee = Callee::Fixed(Facts::code(method));
        self.writer_call(block, inst, EdgeKind::Implicit, callee, None, &args, Some(result));
        Some(result)
    }

    /// Puts the arguments beyond the last parameter into the array that a method of variable arity takes.
    fn collect_varargs(
        &mut self,
        inst: Inst,
        method: heliostat_program::MethodId,
        args: &mut Vec<PackedOption<Var>>,
    ) {
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

/// The class and the name of a bootstrap method.
fn bootstrap_name(program: &Program, handle: HandleId) -> (&[u8], &[u8]) {
    let HandleMember::Method(reference) = program.handle(handle).member else { return (b"", b"") };
    let reference = program.method_ref(reference);
    let owner = program.symbols.bytes(program.types.name(reference.owner));
    (owner, program.symbols.bytes(program.selector(reference.selector).name))
}

/// The interfaces that `altMetafactory` is asked to add.
fn other_interfaces(extra: &[Constant]) -> Vec<TypeId> {
    let [Constant::Int(flags), rest @ ..] = extra else { return Vec::new() };
    let mut interfaces = Vec::new();
    if flags & SERIALIZABLE != 0 {
        interfaces.push(TypeId::SERIALIZABLE);
    }
    if flags & MARKERS != 0
        && let [Constant::Int(count), rest @ ..] = rest
    {
        interfaces.extend(rest.iter().take(*count as usize).filter_map(|c| match c {
            Constant::Class(ty) => Some(*ty),
            _ => None,
        }));
    }
    interfaces
}
