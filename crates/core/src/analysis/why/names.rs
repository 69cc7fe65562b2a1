//! What things are called in explanations.

use heliostat_program::{FieldId, HandleMember, MethodId, Program};
use heliostat_pta::facts::{AllocKind, Ask, CodeId, FieldKey, MadeUp};
use heliostat_pta::reflection::Mirror;
use heliostat_pta::{Done, ObjectId, Solution};

use super::outside::Outside;
use super::query::BY_MODEL;
use crate::readable::Readable;

/// Names things.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) solution: &'a Solution,
    pub(super) outside: &'a Outside,
}

impl Names<'_> {
    pub(super) fn readable(&self) -> Readable<'_> {
        Readable(self.program)
    }

    pub(super) fn method(self, method: MethodId) -> String {
        self.readable().method(method)
    }

    /// Code that does something; if a model says what, that too.
    pub(super) fn doer(self, code: CodeId) -> String {
        let model = if self.solution.facts.is_modelled(code) { BY_MODEL } else { "" };
        self.code(code) + model
    }

    /// Code, whether it is a method's or not.
    pub(super) fn code(self, code: CodeId) -> String {
        let facts = &self.solution.facts;
        if let Some(method) = facts.method(code) {
            return self.method(method);
        }
        match facts.made_up(code) {
            Some(MadeUp::Lambda(lambda)) => {
                format!(
                    "the lambda or method reference that runs {}",
                    self.target(facts.lambda(lambda).target)
                )
            }
            Some(MadeUp::Handle(handle)) => format!("the method handle for {}", self.target(handle)),
            Some(MadeUp::Asked(ask, class)) => {
                let what = match ask {
                    Ask::Constructed | Ask::Provided => "what makes the provider",
                    Ask::Constants => "what gives the constants of the enum",
                };
                format!("{what} {}", self.readable().ty(self.program.classes()[class].ty))
            }
            Some(MadeUp::Doing(done)) => format!("what {}s {}", done.verb(), self.done(done)),
            Some(MadeUp::Reflected(_)) => "what the library's reflection runs".to_owned(),
            Some(MadeUp::Root) | None => "the JVM".to_owned(),
        }
    }

    fn target(self, handle: heliostat_program::HandleId) -> String {
        match self.program.handle(handle).member {
            HandleMember::Method(method) => self.readable().method_ref(method),
            HandleMember::Field(field) => self.readable().field_ref(field),
        }
    }

    pub(super) fn object(self, object: ObjectId) -> String {
        let Some(object) = self.solution.object(object) else { return "an object".to_owned() };
        let id = object.alloc;
        let alloc = self.solution.facts.allocs()[id];
        let ty = |ty| self.readable().ty(ty);
        match alloc.kind {
            AllocKind::Site { code, .. } | AllocKind::Value { code, .. } => {
                format!("a new {} of {}", ty(alloc.ty), self.code(code))
            }
            AllocKind::Merged(of) => format!("any new {}", ty(of)),
            AllocKind::Strings => "a string".to_owned(),
            AllocKind::String(text) | AllocKind::LibraryString(text) => {
                format!("the string {:?}", self.program.name_text(text))
            }
            AllocKind::Class(of) => format!("the class object of {}", ty(of)),
            AllocKind::Handle(handle) => format!("the method handle for {}", self.target(handle)),
            AllocKind::MethodType(_) => "a method type".to_owned(),
            AllocKind::Lambda(lambda) => {
                let target = self.target(self.solution.facts.lambda(lambda).target);
                format!("a lambda or method reference of {} that runs {target}", ty(alloc.ty))
            }
            AllocKind::Empty(of) => format!("an empty {}", ty(of)),
            AllocKind::Resized { code, ty: of, .. } => format!("a new {} of {}", ty(of), self.code(code)),
            AllocKind::Jvm(of) => self.whose(id, &ty(of)),
            AllocKind::Reflective(of) => format!("a {} made by reflection", ty(of)),
            AllocKind::Mirror(mirror) => format!("the object that stands for {}", self.mirrored(mirror)),
        }
    }

    fn mirrored(self, mirror: Mirror) -> String {
        match mirror {
            Mirror::Method(method) | Mirror::Constructor(method) => self.method(method),
            Mirror::Field(field) => self.readable().field(field),
        }
    }

    /// What a reflective call is about.
    fn done(self, done: Done) -> String {
        match done {
            Done::Loaded(ty) | Done::MadeArray(ty) => self.readable().ty(ty),
            Done::Made(class) => self.readable().ty(self.program.classes()[class].ty),
            Done::Constructed(method) | Done::Invoked(method) => self.method(method),
            Done::Got(field) | Done::Set(field) => self.readable().field(field),
        }
    }

    pub(super) fn field(self, field: FieldKey) -> String {
        match field.as_field() {
            Some(field) => self.declared_field(field),
            None if field == FieldKey::ELEMENTS => "the elements".to_owned(),
            None => "a captured value".to_owned(),
        }
    }

    pub(super) fn declared_field(self, field: FieldId) -> String {
        format!("field {}", self.readable().field(field))
    }
}
