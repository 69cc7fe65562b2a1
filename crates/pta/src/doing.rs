//! The code that does what a reflective call turns out to do: made up here, hidden in the call graph. Its parameters are the
//! arguments of the call after the receiver: for `Method.invoke`, the object and the array of arguments.

use heliostat_index::PackedOption;
use heliostat_program::{ClassId, FieldId, MethodId, Program, TypeId};

use crate::extract::boxed;
use crate::facts::{
    AllocKind, Callee, CodeId, EdgeKind, Facts, FieldKey, NewCall, Stmt, Template, Var, Writer,
};
use crate::logged::Done;

/// What the JDK wraps exceptions in that a method throws which was called by reflection.
const WRAPPER: &str = "java/lang/reflect/InvocationTargetException";

/// Does something, and returns what comes of it.
pub(crate) fn doing_template(program: &Program, facts: &mut Facts, code: CodeId, done: Done) -> Template {
    let mut writer = Writer::new(program, facts, code);
    match done {
        Done::Loaded(ty) => writer.load_class(ty),
        Done::Made(class) => writer.make(class),
        Done::Constructed(constructor) => writer.construct_reflectively(constructor),
        Done::Invoked(method) => writer.invoke(method),
        Done::Got(field) => writer.get(field),
        Done::Set(field) => writer.set(field),
        Done::MadeArray(ty) => {
            let array = writer.reflective(ty);
            writer.returned(array);
        }
    }
    writer.finish()
}

impl Writer<'_> {
    /// `forName` initialises the class, too; that others do not is not told apart.
    fn load_class(&mut self, ty: TypeId) {
        if let Some(class) = self.program.class_of(ty) {
            self.push(Stmt::Init { class, offset: 0 });
        }
        let site = self.facts.heap.alloc(AllocKind::Class(ty), TypeId::CLASS);
        let result = self.new_var();
        self.push(Stmt::Alloc { to: result, site });
        self.returned(result);
    }

    /// An object that reflection makes.
    fn reflective(&mut self, ty: TypeId) -> Var {
        let to = self.new_var();
        let site = self.facts.heap.alloc(AllocKind::Reflective(ty), ty);
        self.push(Stmt::Alloc { to, site });
        self.register(to, ty);
        to
    }

    fn make(&mut self, class: ClassId) {
        let selector = self.program.find_selector("<init>", "()V");
        let constructor = selector.and_then(|s| self.program.declared_method(class, s));
        let thrown = self.thrown();
        let object = self.construct(class, constructor, &[], thrown);
        self.returned(object);
    }

    fn construct_reflectively(&mut self, constructor: MethodId) {
        let array = self.param();
        let args = self.elements(array, constructor);
        let thrown = self.wrapped();
        let class = self.program.methods()[constructor].class;
        let object = self.construct(class, Some(constructor), &args, thrown);
        self.returned(object);
    }

    /// A new object of a class, whose constructor runs.
    pub(crate) fn construct(
        &mut self,
        class: ClassId,
        constructor: Option<MethodId>,
        args: &[PackedOption<Var>],
        thrown: Var,
    ) -> Var {
        self.push(Stmt::Init { class, offset: self.at });
        let object = self.reflective(self.program.classes()[class].ty);
        if let Some(constructor) = constructor {
            let callee = Callee::Fixed(Facts::code(constructor));
            self.reflective_call(callee, Some(object), args, None, thrown);
        }
        object
    }

    fn invoke(&mut self, method: MethodId) {
        let (object, array) = (self.param(), self.param());
        let args = self.elements(array, method);
        let thrown = self.wrapped();
        if let Some(result) = self.run(method, object, &args, thrown) {
            self.returned(result);
        }
    }

    /// Calls a method on what is of its class, if it has a receiver. A primitive value comes back in a box.
    pub(crate) fn run(
        &mut self,
        method: MethodId,
        object: Var,
        args: &[PackedOption<Var>],
        thrown: Var,
    ) -> Option<Var> {
        let data = &self.program.methods()[method];
        let (callee, receiver) = if data.flags.is_static() {
            self.push(Stmt::Init { class: data.class, offset: self.at });
            (Callee::Fixed(Facts::code(method)), None)
        } else {
            let receiver = self.filtered(object, self.program.owner(method));
            (self.selected(method), Some(receiver))
        };
        let ty = self.program.method_type(self.program.selector(data.selector).descriptor).result;
        let result = self.program.types.is_reference(ty).then(|| self.new_var());
        self.reflective_call(callee, receiver, args, result, thrown);
        result.or_else(|| boxed(self, ty))
    }

    fn reflective_call(
        &mut self,
        callee: Callee,
        receiver: Option<Var>,
        args: &[PackedOption<Var>],
        result: Option<Var>,
        thrown: Var,
    ) {
        let (offset, kind) = (self.at, EdgeKind::Reflective);
        self.call(&NewCall { offset, kind, callee, receiver, args, result, thrown: Some(thrown) });
    }

    /// What a method is given from an array of arguments: each parameter any element that fits.
    fn elements(&mut self, array: Var, method: MethodId) -> Vec<PackedOption<Var>> {
        let descriptor = self.program.selector(self.program.methods()[method].selector).descriptor;
        let parameters = &self.program.method_type(descriptor).parameters;
        let element = self.element_of(array);
        self.any_that_fits(element, parameters)
    }

    /// A variable with what is in an array.
    pub(crate) fn element_of(&mut self, array: Var) -> Var {
        let element = self.new_var();
        self.push(Stmt::Load { base: array, field: FieldKey::ELEMENTS, to: element });
        element
    }

    /// For each parameter, what of a variable is of its type.
    pub(crate) fn any_that_fits(&mut self, given: Var, parameters: &[TypeId]) -> Vec<PackedOption<Var>> {
        let passed = parameters.iter().map(|&ty| {
            let is_reference = self.program.types.is_reference(ty);
            is_reference.then(|| self.filtered(given, ty)).into()
        });
        passed.collect()
    }

    /// Where a call puts its exceptions that are thrown from here in a wrapper.
    fn wrapped(&mut self) -> Var {
        let thrown = self.thrown();
        let Some((class, constructor)) = self.wrapper() else { return thrown };
        let (caught, wrapper) = (self.new_var(), self.new_var());
        self.push(Stmt::Init { class, offset: 0 });
        self.jvm_object(wrapper, self.program.classes()[class].ty);
        self.call(&NewCall {
            offset: 0,
            kind: EdgeKind::Native,
            callee: Callee::Fixed(Facts::code(constructor)),
            receiver: Some(wrapper),
            args: &[caught.into()],
            result: None,
            thrown: Some(thrown),
        });
        self.assign(wrapper, thrown);
        caught
    }

    /// The class of the wrapper, and the constructor that takes what is wrapped.
    fn wrapper(&self) -> Option<(ClassId, MethodId)> {
        let class = self.program.find_class(WRAPPER)?;
        let selector = self.program.find_selector("<init>", "(Ljava/lang/Throwable;)V")?;
        Some((class, self.program.declared_method(class, selector)?))
    }

    fn get(&mut self, field: FieldId) {
        let object = self.param();
        let data = self.program.fields()[field];
        if data.flags.is_static() {
            self.push(Stmt::Init { class: data.class, offset: 0 });
        }
        if let Some(value) = boxed(self, data.ty) {
            return self.returned(value);
        }
        let to = self.new_var();
        if data.flags.is_static() {
            self.push(Stmt::LoadStatic { field, to });
        } else {
            let base = self.filtered(object, self.program.classes()[data.class].ty);
            self.push(Stmt::Load { base, field: FieldKey::field(field), to });
        }
        self.returned(to);
    }

    fn set(&mut self, field: FieldId) {
        let (object, value) = (self.param(), self.param());
        let data = self.program.fields()[field];
        if data.flags.is_static() {
            self.push(Stmt::Init { class: data.class, offset: 0 });
        }
        if !self.program.types.is_reference(data.ty) {
            return;
        }
        let from = self.filtered(value, data.ty);
        if data.flags.is_static() {
            self.push(Stmt::StoreStatic { field, from });
        } else {
            let base = self.filtered(object, self.program.classes()[data.class].ty);
            self.push(Stmt::Store { base, field: FieldKey::field(field), from });
        }
    }
}
