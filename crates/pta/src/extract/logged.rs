//! Reflective calls of which a log says what they did: the same statements that a call without reflection would give.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, Inst};
use heliostat_program::{ClassId, FieldId, MethodId, MethodType, TypeId};

use super::Extractor;
use super::adapters::boxed;
use super::writer::NewCall;
use crate::facts::{AllocKind, Callee, EdgeKind, Facts, FieldKey, Stmt, Var};
use crate::logged::{Acting, Done, Logged};

/// What the JDK wraps exceptions in that a method throws which was called by reflection.
const WRAPPER: &str = "java/lang/reflect/InvocationTargetException";

impl Extractor<'_> {
    /// What the log says that a call did.
    pub(super) fn logged(&mut self, block: Block, inst: Inst, called: MethodId) {
        self.bound(inst, called);
        let Some(acting) = self.acting(called) else { return };
        for done in self.taken(inst, acting) {
            match acting {
                // The first argument is the handle.
                Acting::CallHandle => self.by_handle(block, inst, 1, done),
                _ => self.done(block, inst, done),
            }
        }
    }

    /// What the log says that an instruction did, which acts so: it is noted as used.
    pub(super) fn taken(&mut self, inst: Inst, acting: Acting) -> Vec<Done> {
        let (log, offset) = (self.log, self.body.insts[inst].offset);
        let calls = log.calls_at(self.body.method, self.body.line(offset));
        let calls: Vec<_> = calls.filter(|call| acting.does(call.done)).collect();
        let noted = calls.iter().map(|&call| Logged { call, offset, acting });
        self.writer.facts.logged.extend(noted);
        calls.into_iter().map(|call| call.done).collect()
    }

    fn done(&mut self, block: Block, inst: Inst, done: Done) {
        match done {
            Done::Loaded(ty) => self.loaded(inst, ty),
            Done::Made(class) => self.made(block, inst, class),
            Done::Constructed(constructor) => self.constructed(block, inst, constructor),
            Done::Invoked(method) => self.invoked(block, inst, method),
            Done::Got(field) => self.got(inst, field),
            Done::Set(field) => self.set(inst, field),
            Done::MadeArray(ty) => {
                if let Some(to) = self.result(inst) {
                    self.reflective(to, ty);
                }
            }
        }
    }

    fn acting(&self, called: MethodId) -> Option<Acting> {
        let (class, name) = self.names(called);
        Acting::of(class, name)
    }

    /// The names of a method's class and its own.
    pub(super) fn names(&self, method: MethodId) -> (&[u8], &[u8]) {
        let selector = self.program.selector(self.program.methods()[method].selector);
        let class = self.program.types.name(self.program.owner(method));
        (self.program.symbols.bytes(class), self.program.symbols.bytes(selector.name))
    }

    /// `to =` an object that reflection makes.
    fn reflective(&mut self, to: Var, ty: TypeId) {
        let site = self.writer.facts.heap.alloc(AllocKind::Reflective(ty), ty);
        self.writer.push(Stmt::Alloc { to, site });
        self.writer.register(to, ty);
    }

    /// `forName` initialises the class, too; that others do not is not told apart.
    fn loaded(&mut self, inst: Inst, ty: TypeId) {
        if let Some(class) = self.program.class_of(ty) {
            self.writer.init(self.class, class, self.body.insts[inst].offset);
        }
        if let Some(to) = self.result(inst) {
            let site = self.writer.facts.heap.alloc(AllocKind::Class(ty), TypeId::CLASS);
            self.writer.push(Stmt::Alloc { to, site });
        }
    }

    fn made(&mut self, block: Block, inst: Inst, class: ClassId) {
        let selector = self.program.find_selector("<init>", "()V");
        let constructor = selector.and_then(|s| self.program.declared_method(class, s));
        let thrown = self.thrown_in(block);
        self.construct(inst, class, constructor, &[], thrown);
    }

    fn constructed(&mut self, block: Block, inst: Inst, constructor: MethodId) {
        let args = self.elements(inst, 1, constructor);
        let thrown = self.wrapped(block, inst);
        self.construct(inst, self.program.methods()[constructor].class, Some(constructor), &args, thrown);
    }

    pub(super) fn construct(
        &mut self,
        inst: Inst,
        class: ClassId,
        constructor: Option<MethodId>,
        args: &[PackedOption<Var>],
        thrown: Var,
    ) {
        let offset = self.body.insts[inst].offset;
        self.writer.init(self.class, class, offset);
        let object = self.writer.new_var();
        self.reflective(object, self.program.classes()[class].ty);
        if let Some(to) = self.result(inst) {
            self.writer.assign(object, to);
        }
        if let Some(constructor) = constructor {
            let callee = Callee::Fixed(Facts::code(constructor));
            self.reflective_call(inst, callee, Some(object), args, None, thrown);
        }
    }

    fn invoked(&mut self, block: Block, inst: Inst, method: MethodId) {
        let Some((callee, receiver)) = self.selected(inst, method) else { return };
        let args = self.elements(inst, 2, method);
        let thrown = self.wrapped(block, inst);
        let ty = self.method_type(method).result;
        let result = self.result(inst).filter(|_| self.program.types.is_reference(ty));
        self.reflective_call(inst, callee, receiver, &args, result, thrown);
        self.in_a_box(inst, ty);
    }

    /// What `invoke` of a method calls, and on what; nothing if that is always null.
    fn selected(&mut self, inst: Inst, method: MethodId) -> Option<(Callee, Option<Var>)> {
        let data = &self.program.methods()[method];
        if data.flags.is_static() {
            self.writer.init(self.class, data.class, self.body.insts[inst].offset);
            return Some((Callee::Fixed(Facts::code(method)), None));
        }
        let receiver = self.arg(inst, 1)?;
        let receiver = self.filtered(receiver, self.program.owner(method));
        Some((self.writer.selected(method), Some(receiver)))
    }

    /// Reflection gives a primitive value in a box; `void` and references come as they are.
    pub(super) fn in_a_box(&mut self, inst: Inst, ty: TypeId) {
        let Some(to) = self.result(inst) else { return };
        if let Some(from) = boxed(&mut self.writer, ty) {
            self.writer.assign(from, to);
        }
    }

    pub(super) fn reflective_call(
        &mut self,
        inst: Inst,
        callee: Callee,
        receiver: Option<Var>,
        args: &[PackedOption<Var>],
        result: Option<Var>,
        thrown: Var,
    ) {
        let (offset, kind) = (self.body.insts[inst].offset, EdgeKind::Reflective);
        self.writer.call(&NewCall { offset, kind, callee, receiver, args, result, thrown: Some(thrown) });
    }

    /// What a method is given from an array of arguments, which is itself an argument of the call: each parameter any element that fits.
    fn elements(&mut self, inst: Inst, array: usize, method: MethodId) -> Vec<PackedOption<Var>> {
        let parameters = self.method_type(method).parameters.clone();
        let Some(array) = self.arg(inst, array) else { return vec![PackedOption::none(); parameters.len()] };
        let element = self.writer.new_var();
        self.writer.push(Stmt::Load { base: array, field: FieldKey::ELEMENTS, to: element });
        self.any_that_fits(element, &parameters)
    }

    /// For each parameter, what of a variable is of its type.
    pub(super) fn any_that_fits(&mut self, given: Var, parameters: &[TypeId]) -> Vec<PackedOption<Var>> {
        let passed = parameters.iter().map(|&ty| {
            let is_reference = self.program.types.is_reference(ty);
            is_reference.then(|| self.filtered(given, ty)).into()
        });
        passed.collect()
    }

    pub(super) fn method_type(&self, method: MethodId) -> &MethodType {
        self.program.method_type(self.program.selector(self.program.methods()[method].selector).descriptor)
    }

    /// A variable with what is a `ty`.
    pub(super) fn filtered(&mut self, from: Var, ty: TypeId) -> Var {
        let (to, filter) = (self.writer.new_var(), self.writer.facts.type_filter(ty));
        self.writer.push(Stmt::Assign { from, to, filter });
        to
    }

    /// Where a call puts its exceptions that are thrown here in a wrapper.
    fn wrapped(&mut self, block: Block, inst: Inst) -> Var {
        let thrown = self.thrown_in(block);
        let Some((class, constructor)) = self.wrapper() else { return thrown };
        let (caught, wrapper) = (self.writer.new_var(), self.writer.new_var());
        let offset = self.body.insts[inst].offset;
        self.writer.init(self.class, class, offset);
        self.writer.jvm_object(wrapper, self.program.classes()[class].ty);
        self.writer.call(&NewCall {
            offset,
            kind: EdgeKind::Native,
            callee: Callee::Fixed(Facts::code(constructor)),
            receiver: Some(wrapper),
            args: &[caught.into()],
            result: None,
            thrown: Some(thrown),
        });
        self.writer.assign(wrapper, thrown);
        caught
    }

    /// The class of the wrapper, and the constructor that takes what is wrapped.
    fn wrapper(&self) -> Option<(ClassId, MethodId)> {
        let class = self.program.find_class(WRAPPER)?;
        let selector = self.program.find_selector("<init>", "(Ljava/lang/Throwable;)V")?;
        Some((class, self.program.declared_method(class, selector)?))
    }

    fn got(&mut self, inst: Inst, field: FieldId) {
        let data = self.program.fields()[field];
        let offset = self.body.insts[inst].offset;
        if data.flags.is_static() {
            self.writer.init(self.class, data.class, offset);
        }
        if !self.program.types.is_reference(data.ty) {
            return self.in_a_box(inst, data.ty);
        }
        let Some(to) = self.result(inst) else { return };
        if data.flags.is_static() {
            self.writer.push(Stmt::LoadStatic { field, to });
        } else if let Some(base) = self.arg(inst, 1) {
            let base = self.filtered(base, self.program.classes()[data.class].ty);
            self.writer.push(Stmt::Load { base, field: FieldKey::field(field), to });
        }
    }

    fn set(&mut self, inst: Inst, field: FieldId) {
        let data = self.program.fields()[field];
        let offset = self.body.insts[inst].offset;
        if data.flags.is_static() {
            self.writer.init(self.class, data.class, offset);
        }
        let Some(from) = self.arg(inst, 2).filter(|_| self.program.types.is_reference(data.ty)) else {
            return;
        };
        let from = self.filtered(from, data.ty);
        if data.flags.is_static() {
            self.writer.push(Stmt::StoreStatic { field, from });
        } else if let Some(base) = self.arg(inst, 1) {
            let base = self.filtered(base, self.program.classes()[data.class].ty);
            self.writer.push(Stmt::Store { base, field: FieldKey::field(field), from });
        }
    }
}
