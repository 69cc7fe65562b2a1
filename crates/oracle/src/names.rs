//! What things are called in a report.

use heliostat_pta::ContextElement;
use heliostat_pta::facts::{AllocId, AllocKind, CodeId, FieldKey, MadeUp, SiteId};

use crate::contexts::Ctx;
use crate::world::{Obj, World};

impl World<'_> {
    pub(crate) fn code_name(&self, code: CodeId) -> String {
        if let Some(method) = self.facts.method(code) {
            return self.program.method_name(method);
        }
        match self.facts.made_up(code) {
            None => format!("no code ({code})"),
            Some(MadeUp::Root) => "the JVM".to_owned(),
            Some(MadeUp::Lambda(lambda)) => {
                format!("{lambda} of {}", self.program.class_name(self.facts.lambda(lambda).class))
            }
            Some(MadeUp::Handle(handle)) => handle.to_string(),
            Some(MadeUp::Asked(ask, class)) => {
                format!("<{} {}>", ask.name(), self.program.class_name(class))
            }
            Some(MadeUp::Doing(done)) => format!("<{done:?}>"),
            Some(MadeUp::Reflected(what)) => what.to_string(),
        }
    }

    pub(crate) fn site_name(&self, site: SiteId) -> String {
        let call = &self.facts.sites()[site];
        format!("{} @{}", self.code_name(call.code), call.offset)
    }

    /// A context as it is told after something; nothing if it is empty.
    pub(crate) fn in_context(&self, context: Ctx) -> String {
        let elements: Vec<String> =
            self.contexts.elements(context).into_iter().map(|element| self.element_name(element)).collect();
        if elements.is_empty() { String::new() } else { format!(" [{}]", elements.join(", ")) }
    }

    fn element_name(&self, element: ContextElement) -> String {
        match element {
            ContextElement::Site(site) => self.site_name(site),
            ContextElement::Object(alloc) => self.alloc_name(alloc),
            ContextElement::Type(ty) => self.program.type_name(ty),
        }
    }

    pub(crate) fn object_name(&self, object: Obj) -> String {
        let (alloc, context) = self.object_of(object);
        format!("{}{}", self.alloc_name(alloc), self.in_context(context))
    }

    fn alloc_name(&self, alloc: AllocId) -> String {
        let alloc = self.alloc_of(alloc);
        let ty = self.program.type_name(alloc.ty);
        let place = match alloc.kind {
            AllocKind::Site { code, offset, part: 0 } | AllocKind::Value { code, offset, part: 0 } => {
                format!("{} @{offset}", self.code_name(code))
            }
            AllocKind::Site { code, offset, part } | AllocKind::Value { code, offset, part } => {
                format!("{} @{offset}.{part}", self.code_name(code))
            }
            AllocKind::Resized { code, offset, .. } => {
                format!("resized by {} @{offset}", self.code_name(code))
            }
            AllocKind::Empty(_) => "empty".to_owned(),
            AllocKind::Lambda(lambda) => lambda.to_string(),
            AllocKind::Class(class) => self.program.type_name(class),
            AllocKind::String(text) | AllocKind::LibraryString(text) => {
                format!("{:?}", self.program.name_text(text))
            }
            AllocKind::Handle(handle) => handle.to_string(),
            AllocKind::MethodType(descriptor) => self.program.descriptor_text(descriptor),
            AllocKind::Merged(_) => "all".to_owned(),
            AllocKind::Strings => "strings".to_owned(),
            AllocKind::Reflective(_) => "by reflection".to_owned(),
            AllocKind::Jvm(_) => "the JVM's".to_owned(),
            AllocKind::Mirror(mirror) => format!("{mirror:?}"),
        };
        format!("{ty}{{{place}}}")
    }

    pub(crate) fn field_name(&self, field: FieldKey) -> String {
        match field.as_field() {
            Some(field) => self.program.field_name(field),
            None if field == FieldKey::ELEMENTS => "elements".to_owned(),
            None => format!("{field:?}"),
        }
    }
}
