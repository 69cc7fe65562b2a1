//! From a method's IR to its [`Template`].
//!
//! Only what the analysis reads becomes a variable: references that are used for more than a comparison. A phi whose only
//! operand besides `null` is one value is that value.

mod adapters;
mod bootstraps;
mod calls;
mod dynamic;
mod exceptions;
mod handles;
mod listening;
mod logged;
mod logged_handles;
mod needed;
mod writer;

use heliostat_classfile::ElementKind;
use heliostat_index::{FastMap, Id, IdMap, IdSet, PackedOption};
use heliostat_ir::{Block, Body, Catcher, Inst, Op, Value};
use heliostat_program::{ClassId, Constant, DynamicType, FieldId, FieldRefId, Program, TypeId};

use crate::facts::{AllocKind, Cast, CodeId, Facts, FieldKey, Stmt, Template, Var};
use crate::logged::ReflectionLog;
use crate::model_code::Models;
use crate::models::FINALIZABLE;

pub(crate) use adapters::{boxed, handle_template, lambda_template};
pub use writer::{NewCall, Writer};

/// The template of a method's body.
pub(crate) fn template(
    program: &Program,
    facts: &mut Facts,
    models: &Models,
    log: &ReflectionLog,
    body: &Body,
) -> Template {
    let code = Facts::code(body.method);
    let class = program.methods()[body.method].class;
    let needed = needed::values(program, body);
    let mut extractor = Extractor {
        program,
        models,
        log,
        body,
        class,
        vars: IdMap::sized(body.values.len(), PackedOption::none()),
        needed,
        handlers: FastMap::default(),
        writer: Writer::new(program, facts, code),
    };
    extractor.run();
    extractor.writer.finish()
}

struct Extractor<'a> {
    program: &'a Program,
    models: &'a Models,
    log: &'a ReflectionLog,
    body: &'a Body,
    class: ClassId,
    /// The variable of each value that has one.
    vars: IdMap<Value, PackedOption<Var>>,
    needed: IdSet<Value>,
    /// Where exceptions go, for each list of handlers.
    handlers: FastMap<Vec<Catcher>, Var>,
    writer: Writer<'a>,
}

impl Extractor<'_> {
    fn run(&mut self) {
        self.params();
        self.name_values();
        for block in self.body.block_ids() {
            self.cover(block);
            for inst in self.body.block_insts(block) {
                self.inst(block, inst);
            }
        }
        self.initialiser_throws();
    }

    /// Parameters that nothing reads are none.
    fn params(&mut self) {
        let is_static = self.program.methods()[self.body.method].flags.is_static();
        for number in 0..usize::from(self.body.params) {
            let value = Value::new(number);
            let var = self.needed.contains(value).then(|| self.writer.var_of(value));
            self.vars[value] = var.into();
            if number == 0 && !is_static {
                self.writer.template.this = var.into();
            } else {
                self.writer.template.params.push(var.into());
            }
        }
    }

    /// Gives variables to the values that need one, before anything refers to them.
    fn name_values(&mut self) {
        for (inst, data) in self.body.insts.iter() {
            let Some(value) = data.result.expand().filter(|&v| self.needed.contains(v)) else { continue };
            self.vars[value] = match data.op {
                Op::Const(Constant::Null) => PackedOption::none(),
                Op::Phi => self.same_as(inst, value),
                _ => self.writer.var_of(value).into(),
            };
        }
    }

    /// The variable of a phi: that of its only operand, if there is but one and its variable is known; else its own.
    fn same_as(&mut self, phi: Inst, value: Value) -> PackedOption<Var> {
        let mut others = self.body.args(phi).iter().filter(|&&v| v != value && !self.is_null(v));
        let first = others.next().copied();
        match first {
            Some(first) if others.all(|&v| v == first) && self.vars[first].is_some() => self.vars[first],
            _ => self.writer.var_of(value).into(),
        }
    }

    fn is_null(&self, value: Value) -> bool {
        self.body.values[value].ty == TypeId::NULL
    }

    fn var(&self, value: Value) -> PackedOption<Var> {
        self.vars[value]
    }

    /// The variable of an instruction's result, if it is read.
    fn result(&self, inst: Inst) -> Option<Var> {
        self.vars[self.body.insts[inst].result.expand()?].expand()
    }

    fn arg(&self, inst: Inst, number: usize) -> Option<Var> {
        self.var(*self.body.args(inst).get(number)?).expand()
    }

    fn inst(&mut self, block: Block, inst: Inst) {
        let data = self.body.insts[inst];
        let offset = data.offset;
        self.writer.at = offset;
        match data.op {
            Op::Phi => self.phi(inst),
            Op::Const(constant) => self.constant(inst, constant),
            Op::New(ty) => self.new_object(inst, ty, offset),
            Op::NewArray(ty) => self.new_array(inst, ty, offset),
            Op::NewMultiArray(ty) => self.new_arrays(inst, ty, offset),
            Op::GetField(reference) => {
                if let (Some(field), Some(base), Some(to)) =
                    (self.instance_field(reference), self.arg(inst, 0), self.result(inst))
                {
                    self.writer.push(Stmt::Load { base, field: FieldKey::field(field), to });
                }
            }
            Op::PutField(reference) => {
                if let (Some(field), Some(base), Some(from)) =
                    (self.instance_field(reference), self.arg(inst, 0), self.arg(inst, 1))
                {
                    self.writer.push(Stmt::Store { base, field: FieldKey::field(field), from });
                }
            }
            Op::GetStatic(reference) => {
                let Some(field) = self.static_field(reference, offset) else { return };
                if let Some(to) = self.result(inst) {
                    self.writer.push(Stmt::LoadStatic { field, to });
                }
            }
            Op::PutStatic(reference) => {
                let Some(field) = self.static_field(reference, offset) else { return };
                if let Some(from) = self.arg(inst, 0) {
                    self.writer.push(Stmt::StoreStatic { field, from });
                }
            }
            Op::ArrayLoad(ElementKind::Ref) => {
                if let (Some(base), Some(to)) = (self.arg(inst, 0), self.result(inst)) {
                    self.writer.push(Stmt::Load { base, field: FieldKey::ELEMENTS, to });
                }
            }
            Op::ArrayStore(ElementKind::Ref) => {
                if let (Some(base), Some(from)) = (self.arg(inst, 0), self.arg(inst, 2)) {
                    self.writer.push(Stmt::Store { base, field: FieldKey::ELEMENTS, from });
                }
            }
            Op::CheckCast(ty) => self.cast(inst, ty, offset),
            Op::Call(kind, reference) => self.call(block, inst, kind, reference),
            Op::CallDynamic(dynamic) => self.call_dynamic(block, inst, dynamic),
            Op::Return => {
                if let Some(from) = self.arg(inst, 0) {
                    self.writer.returned(from);
                }
            }
            Op::Throw => {
                if let Some(from) = self.arg(inst, 0) {
                    let to = self.thrown_in(block);
                    self.writer.assign(from, to);
                }
            }
            // Handlers get their exception from `thrown_in`. The others move no reference.
            Op::Catch
            | Op::ArrayLoad(_)
            | Op::ArrayStore(_)
            | Op::ArrayLength
            | Op::InstanceOf(_)
            | Op::Compute(_)
            | Op::MonitorEnter
            | Op::MonitorExit
            | Op::Goto(_)
            | Op::If(..)
            | Op::Switch(_) => {}
        }
    }

    fn phi(&mut self, inst: Inst) {
        let Some(to) = self.result(inst) else { return };
        for i in 0..self.body.args(inst).len() {
            if let Some(from) = self.arg(inst, i).filter(|&from| from != to) {
                self.writer.assign(from, to);
            }
        }
    }

    fn cast(&mut self, inst: Inst, ty: TypeId, offset: u32) {
        let Some(from) = self.arg(inst, 0) else { return };
        self.writer.template.casts.push(Cast { from, ty, offset });
        if let Some(to) = self.result(inst) {
            let filter = self.writer.facts.type_filter(ty);
            self.writer.push(Stmt::Assign { from, to, filter });
        }
    }

    fn new_object(&mut self, inst: Inst, ty: TypeId, offset: u32) {
        let Some(class) = self.program.class_of(ty) else { return };
        self.writer.init(self.class, class, offset);
        if let Some(to) = self.result(inst) {
            self.writer.alloc(to, ty, offset, 0);
        }
    }

    fn new_array(&mut self, inst: Inst, ty: TypeId, offset: u32) {
        let Some(to) = self.result(inst) else { return };
        let length = self.body.args(inst).first().and_then(|&length| self.body.int_constant(length));
        if length == Some(0) {
            let site = self.writer.facts.heap.alloc(AllocKind::Empty(ty), ty);
            self.writer.push(Stmt::Alloc { to, site });
        } else {
            self.writer.alloc(to, ty, offset, 0);
        }
    }

    /// The arrays of all dimensions that are given, each the element of the one around it.
    fn new_arrays(&mut self, inst: Inst, ty: TypeId, offset: u32) {
        let Some(outermost) = self.result(inst) else { return };
        self.writer.alloc(outermost, ty, offset, 0);
        let (mut outer, mut ty) = (outermost, ty);
        for part in 1..self.body.args(inst).len() as u32 {
            let Some(element) = self.program.types.element(ty) else { return };
            let inner = self.writer.new_var();
            self.writer.alloc(inner, element, offset, part);
            self.writer.push(Stmt::Store { base: outer, field: FieldKey::ELEMENTS, from: inner });
            (outer, ty) = (inner, element);
        }
    }

    fn constant(&mut self, inst: Inst, constant: Constant) {
        match (constant, self.result(inst)) {
            (Constant::Dynamic(dynamic), to) => {
                if let DynamicType::Constant(ty) = self.program.dynamic(dynamic).ty {
                    self.dynamic_constant(inst, dynamic, ty, to);
                }
            }
            (Constant::Handle(handle), to) => {
                self.check_handle(handle, self.body.insts[inst].offset);
                if let Some(to) = to {
                    self.writer.constant(to, constant);
                }
            }
            (_, Some(to)) => self.writer.constant(to, constant),
            (_, None) => {}
        }
    }

    /// The field of a load or store that moves a reference.
    fn instance_field(&self, reference: FieldRefId) -> Option<FieldId> {
        let reference = self.program.field_ref(reference);
        if !self.program.types.is_reference(reference.ty) {
            return None;
        }
        let field = self.program.resolve_field(reference, self.class).member()?;
        (!self.program.fields()[field].flags.is_static()).then_some(field)
    }

    /// The same for a static one, whose class is initialised whatever the field holds.
    fn static_field(&mut self, reference: FieldRefId, offset: u32) -> Option<FieldId> {
        let reference = self.program.field_ref(reference);
        let field = self.program.resolve_field(reference, self.class).member()?;
        let data = self.program.fields()[field];
        if !data.flags.is_static() {
            return None;
        }
        self.writer.init(self.class, data.class, offset);
        self.program.types.is_reference(data.ty).then_some(field)
    }
}

impl Writer<'_> {
    /// `to =` a constant that is no dynamic one.
    pub(crate) fn constant(&mut self, to: Var, constant: Constant) {
        let method = self.facts.method(self.code);
        let heap = &mut self.facts.heap;
        let site = match constant {
            Constant::String(text) => heap.string(self.program, method, text),
            Constant::Class(ty) => heap.alloc(AllocKind::Class(ty), TypeId::CLASS),
            Constant::Handle(handle) => heap.alloc(AllocKind::Handle(handle), TypeId::METHOD_HANDLE),
            Constant::MethodType(ty) => heap.alloc(AllocKind::MethodType(ty), TypeId::METHOD_TYPE),
            Constant::Null
            | Constant::Int(_)
            | Constant::Long(_)
            | Constant::Float(_)
            | Constant::Double(_)
            | Constant::Dynamic(_) => return,
        };
        self.push(Stmt::Alloc { to, site });
    }

    /// `to = new ty`, here.
    pub(crate) fn alloc(&mut self, to: Var, ty: TypeId, offset: u32, part: u32) {
        let site = self.facts.heap.site(self.program, self.code, offset, part, ty);
        self.push(Stmt::Alloc { to, site });
        self.register(to, ty);
    }

    /// The JVM registers an object whose class has a finalizer when it is made.
    pub(crate) fn register(&mut self, object: Var, ty: TypeId) {
        if self.program.class_of(ty).is_some_and(|class| self.has_finalizer(class)) {
            let global = self.facts.globals.intern(FINALIZABLE.into());
            self.push(Stmt::StoreGlobal { global, from: object });
        }
    }
}

/// The code of a template that says nothing.
pub(crate) fn empty_template(program: &Program, facts: &mut Facts, code: CodeId) -> Template {
    Writer::new(program, facts, code).finish()
}
