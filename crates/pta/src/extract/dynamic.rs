//! `invokedynamic` and dynamic constants: the bootstrap methods that compilers use, by what they are known to do; any
//! other as the call that it is.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, Inst};
use heliostat_program::{
    Bootstrap, Constant, DescriptorId, DynamicId, DynamicType, HandleId, HandleKind, HandleMember, Program,
    TypeId,
};

use super::Extractor;
use super::adapters::read_field;
use super::handles::{self, Member};
use super::writer::NewCall;
use crate::facts::{AllocKind, Callee, EdgeKind, FieldKey, Lambda, LambdaId, MadeUp, Stmt, Var};
use crate::types::Types;

/// `LambdaMetafactory.FLAG_SERIALIZABLE`
const SERIALIZABLE: i32 = 1;
/// `LambdaMetafactory.FLAG_MARKERS`
const MARKERS: i32 = 2;

impl Extractor<'_> {
    pub(super) fn call_dynamic(&mut self, block: Block, inst: Inst, id: DynamicId) {
        let dynamic = self.program.dynamic(id);
        let DynamicType::Call(descriptor) = dynamic.ty else { return };
        let Some(bootstrap) = self.bootstrap(id) else { return self.bootstrap_gap(inst) };
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
            return self.bootstrap_gap(inst);
        };
        let offset = self.body.insts[inst].offset;
        self.check_handle(target, offset);
        let call = self.program.method_type(descriptor);
        let mut interfaces = vec![call.result];
        interfaces.extend(other_interfaces(extra));
        let lambda = LambdaId::from_u32(self.writer.facts.lambdas.len() as u32);
        self.init_interfaces(&interfaces, offset);
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
            code: self.writer.code,
            offset,
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

    /// The class of a lambda is initialised when the lambda is made, and with it its interfaces that have default methods.
    fn init_interfaces(&mut self, interfaces: &[TypeId], offset: u32) {
        for class in interfaces.iter().filter_map(|&ty| self.program.class_of(ty)) {
            for interface in [class].into_iter().chain(self.program.super_interfaces(class).iter().copied()) {
                let types = Types { program: self.program, facts: self.writer.facts };
                if types.has_defaults(interface) {
                    self.writer.init(self.class, interface, offset);
                }
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
            self.writer.unknown_string(to);
        }
    }

    /// `ObjectMethods`: `toString`, `hashCode` and `equals` of a record call the same of its components.
    fn object_method(&mut self, block: Block, inst: Inst, name: &[u8], bootstrap: &Bootstrap) {
        let (selector, compares) = match name {
            b"toString" => (("toString", "()Ljava/lang/String;"), false),
            b"hashCode" => (("hashCode", "()I"), false),
            b"equals" => (("equals", "(Ljava/lang/Object;)Z"), true),
            _ => return self.bootstrap_gap(inst),
        };
        let Some(record) = self.arg(inst, 0) else { return };
        let other = self.arg(inst, 1);
        for argument in bootstrap.arguments.iter().skip(2) {
            let &Constant::Handle(getter) = argument else {
                self.bootstrap_gap(inst);
                continue;
            };
            self.check_handle(getter, self.body.insts[inst].offset);
            let Some(component) = self.component(record, getter) else { continue };
            let others = other.filter(|_| compares).and_then(|other| self.component(other, getter));
            let args: &[PackedOption<Var>] = if compares { &[others.into()] } else { &[] };
            self.implicit_call(block, inst, selector, component, args);
        }
        if let Some(to) = self.result(inst) {
            self.writer.unknown_string(to);
        }
    }

    fn component(&mut self, record: Var, getter: HandleId) -> Option<Var> {
        let is_getter = self.program.handle(getter).kind == HandleKind::GetField;
        match handles::member(self.program, getter, self.class).filter(|_| is_getter)? {
            Member::Field(field) => read_field(&mut self.writer, record, field),
            Member::Method(_) => None,
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
    pub(super) fn writer_call(
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
