//! What things are called in the tables: no two have one name.

use std::collections::HashMap;

use crate::analysis::targets;
use heliostat_program::{MethodId, Program};
use heliostat_pta::facts::{
    AllocId, AllocKind, CodeId, FieldKey, Filter, GlobalId, LambdaId, MadeUp, SiteId, Template, Var,
};
use heliostat_pta::{ContextElement, ContextId, Making, Solution, What};

/// Names things.
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) solution: &'a Solution,
    /// The allocation sites by their numbers.
    objects: Vec<String>,
    /// For each call site, how many others of its code come before it at its offset.
    ordinals: Vec<u32>,
}

impl<'a> Names<'a> {
    pub(super) fn new(program: &'a Program, solution: &'a Solution) -> Self {
        let mut met: HashMap<(CodeId, u32), u32> = HashMap::new();
        let ordinal = |(_, site): (_, &heliostat_pta::facts::CallSite)| {
            let next = met.entry((site.code, site.offset)).or_default();
            *next += 1;
            *next - 1
        };
        let ordinals = solution.facts.sites().iter().map(ordinal).collect();
        let mut names = Self { program, solution, objects: Vec::new(), ordinals };
        names.objects = solution.facts.allocs().iter().map(|(id, _)| names.new_object(id)).collect();
        names
    }

    pub(super) fn method(&self, method: MethodId) -> String {
        self.program.method_name(method)
    }

    pub(super) fn code(&self, code: CodeId) -> String {
        let facts = &self.solution.facts;
        if let Some(method) = facts.method(code) {
            return self.method(method);
        }
        match facts.made_up(code) {
            Some(MadeUp::Lambda(lambda)) => self.lambda(lambda),
            Some(MadeUp::Handle(handle)) => format!("<{handle}>"),
            Some(MadeUp::Asked(ask, class)) => {
                format!("<{} {}>", ask.name(), self.program.class_name(class))
            }
            Some(MadeUp::Doing(done)) => format!("<{} {}>", done.verb(), targets::done(self.program, done)),
            Some(MadeUp::Reflected(what)) => format!("<{what}>"),
            Some(MadeUp::Root) | None => "<jvm>".to_owned(),
        }
    }

    fn lambda(&self, lambda: LambdaId) -> String {
        let class = self.program.class_name(self.solution.facts.lambda(lambda).class);
        format!("<{lambda} {class}>")
    }

    /// A variable of code of this name: the value of the IR if it is one.
    pub(super) fn var(code: &str, template: &Template, var: Var) -> String {
        let value = template.values.get(var.as_u32() as usize).and_then(|value| value.expand());
        value.map_or_else(|| format!("{code}:{var}"), |value| format!("{code}:{value}"))
    }

    pub(super) fn site(&self, site: SiteId) -> String {
        let call = &self.solution.facts.sites()[site];
        let place = format!("{}@{}", self.code(call.code), call.offset);
        match self.ordinals.get(site.as_u32() as usize) {
            Some(&ordinal) if ordinal > 0 => format!("{place}#{ordinal}"),
            _ => place,
        }
    }

    pub(super) fn object(&self, alloc: AllocId) -> &str {
        self.objects.get(alloc.as_u32() as usize).map_or("", String::as_str)
    }

    fn new_object(&self, alloc: AllocId) -> String {
        let alloc = self.solution.facts.allocs()[alloc];
        let place = match alloc.kind {
            AllocKind::Site { code, offset, part: 0 } | AllocKind::Value { code, offset, part: 0 } => {
                format!("{}@{offset}", self.code(code))
            }
            AllocKind::Site { code, offset, part } | AllocKind::Value { code, offset, part } => {
                format!("{}@{offset}.{part}", self.code(code))
            }
            AllocKind::Merged(_) => "<merged>".to_owned(),
            AllocKind::Strings => "<strings>".to_owned(),
            AllocKind::String(text) => format!("<string {}>", self.program.symbols.text(text)),
            AllocKind::LibraryString(text) => format!("<library string {}>", self.program.symbols.text(text)),
            AllocKind::Class(ty) => format!("<class {}>", self.program.type_name(ty)),
            AllocKind::Handle(handle) => format!("<{handle}>"),
            AllocKind::MethodType(descriptor) => {
                format!("<method type {}>", self.program.descriptor_text(descriptor))
            }
            AllocKind::Lambda(lambda) => self.lambda(lambda),
            AllocKind::Jvm(_) => "<jvm>".to_owned(),
            AllocKind::Empty(_) => "<empty>".to_owned(),
            AllocKind::Resized { code, offset, .. } => format!("<resized {}@{offset}>", self.code(code)),
            AllocKind::Reflective(_) => "<reflective>".to_owned(),
            AllocKind::Mirror(mirror) => format!("<mirror {}>", targets::mirrored(self.program, mirror)),
        };
        format!("{place} {}", self.program.type_name(alloc.ty))
    }

    /// What decides for an object: its type, or the lambda or handle that it is.
    pub(super) fn what(&self, what: What) -> String {
        match what {
            What::Of(ty) => self.program.type_name(ty),
            What::Empty(ty) => format!("<empty> {}", self.program.type_name(ty)),
            What::Lambda(lambda) => self.lambda(lambda),
            What::Handle(handle) => format!("<{handle}>"),
        }
    }

    pub(super) fn filter(&self, filter: &Filter) -> String {
        match filter {
            Filter::All => "*".to_owned(),
            Filter::Type(ty) => self.program.type_name(*ty),
            Filter::Caught { ty, not } => {
                let caught = ty.map_or_else(|| "*".to_owned(), |ty| self.program.type_name(ty));
                let not = not.iter().map(|&ty| format!(" not {}", self.program.type_name(ty)));
                format!("catch {caught}{}", not.collect::<String>())
            }
        }
    }

    pub(super) fn field(&self, field: FieldKey) -> String {
        match (field.as_field(), field.as_capture()) {
            (Some(field), _) => self.program.field_name(field),
            (None, Some(number)) => format!("<captured {number}>"),
            (None, None) => "[]".to_owned(),
        }
    }

    pub(super) fn global(&self, global: GlobalId) -> String {
        let name = self.solution.facts.globals().find(|&(id, _)| id == global);
        format!("<global {}>", name.map_or("", |(_, name)| name))
    }

    pub(super) fn making(&self, making: Making) -> String {
        match making.place {
            Some((code, offset)) => format!("{} {}@{offset}", making.how.name(), self.code(code)),
            None => making.how.name().to_owned(),
        }
    }

    pub(super) fn context(&self, context: ContextId) -> String {
        let element = |element: &ContextElement| match *element {
            ContextElement::Site(site) => self.site(site),
            ContextElement::Object(alloc) => self.object(alloc).to_owned(),
            ContextElement::Type(ty) => self.program.type_name(ty),
        };
        let elements: Vec<String> = self.solution.context(context).iter().map(element).collect();
        format!("[{}]", elements.join(", "))
    }
}
