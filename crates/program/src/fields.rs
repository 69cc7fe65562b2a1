//! Resolution of field references (JVMS 5.4.3.2).

use heliostat_index::Ids;

use crate::{ClassId, FieldId, FieldRef, Program, Resolution};

impl Program {
    /// Resolves a field reference as the class `from` sees it.
    pub fn resolve_field(&self, reference: FieldRef, from: ClassId) -> Resolution<FieldId> {
        let Some(class) = self.class_of(reference.owner) else {
            let is_missing = self.types.is_missing(reference.owner);
            return if is_missing { Resolution::MissingClass(reference.owner) } else { Resolution::NotFound };
        };
        match self.find_field(class, reference) {
            Some(field) if self.can_access_field(field, from) => Resolution::Found(field),
            Some(field) => Resolution::Inaccessible(field),
            None => self.missing_ancestor(class).map_or(Resolution::NotFound, Resolution::MissingClass),
        }
    }

    /// Each class on the way up: itself, then its superinterfaces, then its superclass.
    fn find_field(&self, class: ClassId, reference: FieldRef) -> Option<FieldId> {
        self.super_classes(class).find_map(|c| {
            self.declared_field(c, reference)
                .or_else(|| self.super_interfaces(c).iter().find_map(|&i| self.declared_field(i, reference)))
        })
    }

    fn declared_field(&self, class: ClassId, reference: FieldRef) -> Option<FieldId> {
        let is_meant = |&f: &FieldId| {
            let field = &self.fields()[f];
            field.name == reference.name && field.ty == reference.ty
        };
        Ids::between(self.classes()[class].fields.clone()).find(is_meant)
    }
}
