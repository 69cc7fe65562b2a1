//! Resolution of field references (JVMS 5.4.3.2).

use heliostat_index::FastSet;

use crate::{ClassId, FieldId, FieldRef, Program, Resolution, TypeId};

impl Program {
    /// Resolves a field reference as the class `from` sees it.
    pub fn resolve_field(&self, reference: FieldRef, from: ClassId) -> Resolution<FieldId> {
        let Some(class) = self.class_of(reference.owner) else {
            let is_missing = self.types.is_missing(reference.owner);
            return if is_missing { Resolution::MissingClass(reference.owner) } else { Resolution::NotFound };
        };
        let mut missing = None;
        match self.find_field(class, reference, &mut missing) {
            Some(field) if self.can_access_field(field, class, from) => Resolution::unless(missing, field),
            Some(field) => Resolution::Inaccessible(field),
            None => self.missing_ancestor(class).map_or(Resolution::NotFound, Resolution::MissingClass),
        }
    }

    /// Each class on the way up: itself, then its own superinterfaces, then its superclass. An interface
    /// that should have been searched before but is missing is put into `missing`.
    fn find_field(
        &self,
        class: ClassId,
        reference: FieldRef,
        missing: &mut Option<TypeId>,
    ) -> Option<FieldId> {
        let mut seen = FastSet::default();
        self.super_classes(class).find_map(|c| {
            self.declared_field(c, reference)
                .or_else(|| self.find_interface_field(c, reference, &mut seen, missing))
        })
    }

    /// The direct superinterfaces in the order of declaration, each with everything above it.
    /// Interfaces that were `seen` have been searched in vain.
    fn find_interface_field(
        &self,
        class: ClassId,
        reference: FieldRef,
        seen: &mut FastSet<ClassId>,
        missing: &mut Option<TypeId>,
    ) -> Option<FieldId> {
        let direct = |c| self.declared_interfaces(c).iter().rev().copied();
        let mut todo: Vec<TypeId> = direct(class).collect();
        while let Some(ty) = todo.pop() {
            let Some(interface) = self.class_of(ty) else {
                missing.get_or_insert(ty);
                continue;
            };
            if !seen.insert(interface) {
                continue;
            }
            if let Some(field) = self.declared_field(interface, reference) {
                return Some(field);
            }
            todo.extend(direct(interface));
        }
        None
    }

    fn declared_field(&self, class: ClassId, reference: FieldRef) -> Option<FieldId> {
        self.declared_fields.get(&(class, reference.name, reference.ty)).copied()
    }
}
