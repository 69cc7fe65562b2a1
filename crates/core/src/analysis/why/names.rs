//! What things are called in explanations.

use heliostat_program::{HandleMember, MethodId, Program};
use heliostat_pta::facts::{AllocKind, CodeId, FieldKey, MadeUp};
use heliostat_pta::{ObjectId, Solution};

/// Names things.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) solution: &'a Solution,
}

impl Names<'_> {
    pub(super) fn method(self, method: MethodId) -> String {
        self.program.method_name(method)
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
            Some(MadeUp::Provider(class)) => {
                format!("ServiceLoader, which makes {}", self.program.class_name(class))
            }
            Some(MadeUp::Root) | None => "the JVM".to_owned(),
        }
    }

    fn target(self, handle: heliostat_program::HandleId) -> String {
        match self.program.handle(handle).member {
            HandleMember::Method(method) => self.program.method_ref_name(method),
            HandleMember::Field(field) => self.program.field_ref_name(field),
        }
    }

    pub(super) fn object(self, object: ObjectId) -> String {
        let Some(object) = self.solution.object(object) else { return "an object".to_owned() };
        let alloc = self.solution.facts.allocs()[object.alloc];
        let ty = |ty| self.program.type_name(ty);
        match alloc.kind {
            AllocKind::Site { code, .. } => format!("a new {} of {}", ty(alloc.ty), self.code(code)),
            AllocKind::Merged(of) => format!("any new {}", ty(of)),
            AllocKind::Strings => "a string".to_owned(),
            AllocKind::String(text) => format!("the string {:?}", self.program.name_text(text)),
            AllocKind::Class(of) => format!("the class object of {}", ty(of)),
            AllocKind::Handle(handle) => format!("the method handle for {}", self.target(handle)),
            AllocKind::MethodType(_) => "a method type".to_owned(),
            AllocKind::Lambda(lambda) => {
                let target = self.target(self.solution.facts.lambda(lambda).target);
                format!("a lambda or method reference of {} that runs {target}", ty(alloc.ty))
            }
            AllocKind::Empty(of) => format!("an empty {}", ty(of)),
            AllocKind::Resized { code, ty: of, .. } => format!("a new {} of {}", ty(of), self.code(code)),
            AllocKind::Jvm(of) => format!("the JVM's {}", ty(of)),
            AllocKind::Reflective(of) => format!("a {} made by reflection", ty(of)),
        }
    }

    pub(super) fn field(self, field: FieldKey) -> String {
        match field.as_field() {
            Some(field) => format!("field {}", self.program.field_name(field)),
            None if field == FieldKey::ELEMENTS => "the elements".to_owned(),
            None => "a captured value".to_owned(),
        }
    }
}
