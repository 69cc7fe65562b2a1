//! Steps of explanations, in words.

use heliostat_pta::facts::{AllocKind, CodeId, EdgeKind, FieldKey, Stmt, Var};
use heliostat_pta::why::{How, Place as At, Reach, Step};
use heliostat_pta::{CallEdge, InstanceId, ObjectId};

use super::names::Names;
use super::{Explained, Place};

impl Names<'_> {
    /// A call on the way to a method.
    pub(super) fn reach(self, reach: &Reach) -> Explained {
        match *reach {
            Reach::Call(edge) => {
                let site = &self.solution.facts.sites()[edge.site];
                let (caller, callee) = (self.doer(site.code), self.code(self.solution.code_of(edge.callee)));
                let text = match (self.solution.facts.method(site.code), site.kind) {
                    (None, _) => format!("{caller} runs {callee}"),
                    (Some(_), kind) => format!("{caller} calls {callee} ({})", kind.name()),
                };
                Explained { text, place: self.place_of(edge) }
            }
            Reach::Clinit(edge) => {
                let (code, callee) = (self.doer(edge.code), self.method(edge.callee));
                let text = format!("{code} runs {callee} ({})", EdgeKind::Clinit.name());
                Explained { text, place: self.place(edge.code, edge.offset) }
            }
        }
    }

    /// A place on the way of an object.
    pub(super) fn step(self, step: &Step, object: ObjectId) -> Explained {
        let to = self.target_of(step.place);
        match step.how {
            How::Made(instance, _) => self.made(instance, object, &to),
            How::Moved(instance, stmt) => self.moved(instance, stmt, step.place, &to),
            How::Argument(edge) => self.passed(edge, "is an argument: ", &to),
            How::Receiver(edge) => self.passed(edge, "is the receiver: ", &to),
            How::Returned(edge) => self.passed(edge, "is returned to ", &to),
            How::Thrown(edge) => self.passed(edge, "is thrown to ", &to),
        }
    }

    fn made(self, instance: InstanceId, object: ObjectId, to: &str) -> Explained {
        let code = self.solution.code_of(instance);
        let alloc = self.solution.object(object).map(|o| self.solution.facts.allocs()[o.alloc]);
        let place = match alloc.map(|a| a.kind) {
            Some(AllocKind::Site { code, offset, .. } | AllocKind::Value { code, offset, .. }) => {
                self.place(code, offset)
            }
            _ => None,
        };
        let text = format!("{}: made in {}, is in {to}", self.object(object), self.doer(code));
        Explained { text, place }
    }

    fn moved(self, instance: InstanceId, stmt: Stmt, place: At, to: &str) -> Explained {
        let here = self.doer(self.solution.code_of(instance));
        let text = match (stmt, place) {
            (Stmt::Load { field, .. }, _) => format!("{here} reads {}: {to}", self.field(field)),
            (Stmt::LoadStatic { field, .. }, _) => {
                format!("{here} reads {}: {to}", self.declared_field(field))
            }
            (Stmt::Store { field, .. }, At::Field { object, .. }) => {
                format!("{here} stores it in {} of {}", self.field(field), self.object(object))
            }
            (Stmt::StoreStatic { field, .. }, _) => {
                format!("{here} stores it in {}", self.declared_field(field))
            }
            (Stmt::StoreAny { .. }, At::Field { object, field }) => {
                format!("{here} may store it in {} of {}", self.field(field), self.object(object))
            }
            (Stmt::StoreGlobal { .. } | Stmt::LoadGlobal { .. }, _) => {
                format!("{here} passes it through the JVM: {to}")
            }
            _ => format!("{here} assigns it to {to}"),
        };
        Explained { text, place: None }
    }

    fn passed(self, edge: CallEdge, how: &str, to: &str) -> Explained {
        let (caller, callee) = (self.solution.code_of(edge.caller), self.solution.code_of(edge.callee));
        let text = format!("{} calls {}, it {how}{to}", self.doer(caller), self.code(callee));
        Explained { text, place: self.place_of(edge) }
    }

    /// A place that an object comes to, shortly.
    fn target_of(self, place: At) -> String {
        match place {
            At::Var { instance, var } => self.variable(instance, var),
            At::Field { field: FieldKey::ELEMENTS, .. } => "the elements of an array".to_owned(),
            At::Field { field, .. } => self.field(field),
            At::Static(field) => self.declared_field(field),
            At::Global(_) => "what the JVM keeps".to_owned(),
        }
    }

    fn variable(self, instance: InstanceId, var: Var) -> String {
        let template = self.solution.facts.template(self.solution.code_of(instance));
        let value = template.and_then(|t| t.values.get(var.as_u32() as usize)?.expand());
        value.map_or_else(|| "a variable".to_owned(), |value| value.to_string())
    }

    fn place_of(self, edge: CallEdge) -> Option<Place> {
        let site = &self.solution.facts.sites()[edge.site];
        self.place(site.code, site.offset)
    }

    /// A place in bytecode; none in code that has none, or of which a model says what it does.
    pub(super) fn place(self, code: CodeId, offset: u32) -> Option<Place> {
        let facts = &self.solution.facts;
        let method = facts.method(code).filter(|_| !facts.is_modelled(code))?;
        self.program.methods()[method].has_code().then(|| Place::new(self.program, method, offset))
    }
}
