//! Steps of explanations, in words.

use heliostat_pta::CallEdge;
use heliostat_pta::facts::{AllocKind, Callee, CodeId, Derivation, EdgeKind, FieldKey, GlobalId, Stmt};
use heliostat_pta::why::{How, Place as At, Reach, Step, StmtAt};

use super::names::Names;
use super::outside::Outsider;
use super::query::BY_MODEL_OF;
use super::roles::Role;
use super::{Explained, Place};

impl Names<'_> {
    /// A call on the way to a method.
    pub(super) fn reach(self, reach: &Reach) -> Explained {
        match *reach {
            Reach::Call(edge) => {
                let site = &self.solution.facts.sites()[edge.site];
                let (caller, callee) = (self.doer(site.code), self.code(self.solution.code_of(edge.callee)));
                let text = match (self.solution.facts.method(site.code), site.kind) {
                    (None, _) => match self.outside_call(edge.site) {
                        Some(who) => self.entered(who, edge.site, &callee),
                        None => format!("{caller} runs {callee}"),
                    },
                    (Some(_), kind) => format!("{caller} calls {callee} ({})", kind.name()),
                };
                Explained { text, place: self.place_of(edge) }
            }
            Reach::Clinit(edge) => {
                let (code, callee) = (self.doer(edge.code), self.method(edge.callee));
                let kind = EdgeKind::Clinit.name();
                let text = match self.initialised_for(edge) {
                    Some(who) => format!("the JVM runs {callee} ({kind}) for {who}"),
                    None => format!("{code} runs {callee} ({kind})"),
                };
                Explained { text, place: self.place(edge.code, edge.offset) }
            }
        }
    }

    /// A place on the way of an object.
    pub(super) fn step(self, step: &Step) -> Explained {
        let to = self.target_of(step.place);
        match step.how {
            How::Made(by) => self.at(by, self.made(by, step, &to)),
            How::Kept => {
                let text = format!("{}: the JVM keeps all class objects", self.object(step.object));
                Explained { text, place: None }
            }
            How::Derived(by) => self.derived(by, step, &to),
            How::Moved(by) => self.moved(by, step.place, &to),
            How::Argument(edge, number) => {
                let (caller, callee) = self.ends(edge);
                self.passed(edge, format!("{caller} passes it to {callee} as argument {}: {to}", number + 1))
            }
            How::Receiver(edge) => {
                let (caller, callee) = self.ends(edge);
                self.passed(edge, format!("{caller} calls {callee} on it: {to}"))
            }
            How::Returned(edge) => {
                let (caller, callee) = self.ends(edge);
                self.passed(edge, format!("{callee} returns it to {caller}: {to}"))
            }
            How::Thrown(edge) => {
                let (caller, callee) = self.ends(edge);
                self.passed(edge, format!("{callee} throws it to {caller}: {to}"))
            }
        }
    }

    fn made(self, by: StmtAt, step: &Step, to: &str) -> String {
        let object = self.object(step.object);
        match self.outside_stmt(by) {
            Some(Outsider::Caller | Outsider::User | Outsider::Either) => format!("{object}, from wherever"),
            Some(Outsider::Jvm) | None => format!("{object}: made in {}, is in {to}", self.doer_of(by)),
        }
    }

    fn derived(self, by: StmtAt, step: &Step, to: &str) -> Explained {
        let here = self.doer_of(by);
        let alloc = self.solution.object(step.object).map(|o| self.solution.facts.allocs()[o.alloc].kind);
        let copies = matches!(self.stmt(by), Some(Stmt::Derive { how: Derivation::Resize, .. }));
        self.at(
            by,
            match alloc {
                Some(AllocKind::Resized { code, .. }) if code == self.solution.code_of(by.instance) => {
                    format!("{here} makes of it {}: {to}", self.object(step.object))
                }
                _ if copies => format!("{here} copies it, and the copy counts as the same: {to}"),
                _ => format!("{here} makes of it {}: {to}", self.object(step.object)),
            },
        )
    }

    fn moved(self, by: StmtAt, place: At, to: &str) -> Explained {
        let here = self.doer_of(by);
        let moves = || format!("{here} moves it to {to}");
        let Some(stmt) = self.stmt(by) else { return self.at(by, moves()) };
        let text = match stmt {
            Stmt::Load { field, .. } => format!("{here} reads {}: {to}", self.field(field)),
            Stmt::LoadAny { .. } => format!("{here} may read the field: {to}"),
            Stmt::LoadStatic { field, .. } => format!("{here} reads {}: {to}", self.declared_field(field)),
            Stmt::LoadGlobal { global, .. } => format!("{here} gets it from {}: {to}", self.global(global)),
            Stmt::Store { .. } => format!("{here} stores it in {}", self.stored_in(place)),
            Stmt::StoreAny { .. } => format!("{here} may store it in {}", self.stored_in(place)),
            Stmt::StoreStatic { field, .. } => format!("{here} stores it in {}", self.declared_field(field)),
            Stmt::StoreGlobal { global, .. } => format!("{here} leaves it to {}", self.global(global)),
            Stmt::Assign { from, to, filter } => {
                self.assigned(by, from, to, self.solution.facts.filter(filter))
            }
            // These move nothing: what they bring is made, or comes through calls.
            Stmt::Alloc { .. }
            | Stmt::Derive { .. }
            | Stmt::Call(_)
            | Stmt::Init { .. }
            | Stmt::InitOf { .. }
            | Stmt::Listen { .. } => moves(),
        };
        self.at(by, text)
    }

    /// A place that is stored into, with the object whose field it is.
    fn stored_in(self, place: At) -> String {
        match place {
            At::Field { object, field } => format!("{} of {}", self.field(field), self.object(object)),
            At::Var { .. } | At::Static(_) | At::Global(_) => self.target_of(place),
        }
    }

    fn passed(self, edge: CallEdge, text: String) -> Explained {
        Explained { text, place: self.place_of(edge) }
    }

    /// Who calls, and what.
    fn ends(self, edge: CallEdge) -> (String, String) {
        let (caller, callee) = (self.solution.code_of(edge.caller), self.solution.code_of(edge.callee));
        let outside = self.outside_call(edge.site).map(|who| who.to_string());
        (outside.unwrap_or_else(|| self.doer(caller)), self.code(callee))
    }

    /// A place that an object comes to, shortly.
    fn target_of(self, place: At) -> String {
        match place {
            At::Var { instance, var } => Role::of(self, self.solution.code_of(instance), var).to_string(),
            At::Field { field: FieldKey::ELEMENTS, .. } => "the elements of an array".to_owned(),
            At::Field { field, .. } => self.field(field),
            At::Static(field) => self.declared_field(field),
            At::Global(global) => self.global(global),
        }
    }

    /// What the JVM keeps under a name of the models.
    fn global(self, global: GlobalId) -> String {
        let mut globals = self.solution.facts.globals();
        let name = globals.find(|&(id, _)| id == global).map_or("", |(_, name)| name);
        format!("the JVM, which keeps \u{2018}{name}\u{2019}")
    }

    /// The code of a statement; if a model says at a call what the callee does, that too.
    pub(super) fn doer_of(self, by: StmtAt) -> String {
        let code = self.solution.code_of(by.instance);
        match (self.outside_stmt(by), self.inlined_at(by)) {
            (Some(who), _) => who.to_string(),
            (None, Some(callee)) => format!("{}{BY_MODEL_OF}{})", self.code(code), self.code(callee)),
            (None, None) => self.doer(code),
        }
    }

    /// The callee that the model stands for which a statement is of: what such a model says comes right after the call.
    fn inlined_at(self, by: StmtAt) -> Option<CodeId> {
        let facts = &self.solution.facts;
        let template = facts.template(self.solution.code_of(by.instance))?;
        let number = by.number as usize;
        let offset = template.offsets.get(number)?;
        let before = template.stmts.iter().zip(&template.offsets).take(number).rev();
        before.take_while(|(_, at)| *at == offset).find_map(|(stmt, _)| match *stmt {
            Stmt::Call(site) => match facts.sites()[site].callee {
                Callee::Inlined(code) => Some(code),
                _ => None,
            },
            _ => None,
        })
    }

    fn stmt(self, by: StmtAt) -> Option<Stmt> {
        let template = self.solution.facts.template(self.solution.code_of(by.instance))?;
        template.stmts.get(by.number as usize).copied()
    }

    /// A text with the place of a statement.
    fn at(self, by: StmtAt, text: String) -> Explained {
        let code = self.solution.code_of(by.instance);
        let template = self.solution.facts.template(code);
        let offset = template.and_then(|template| template.offsets.get(by.number as usize));
        Explained { text, place: offset.and_then(|&offset| self.place(code, offset)) }
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
