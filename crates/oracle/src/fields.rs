//! Fields that native code and variable handles may mean: those whose names their class, or one around it, has as string constants.

use std::rc::Rc;

use heliostat_index::{FastMap, FastSet, Ids, Symbol};
use heliostat_program::{ClassId, Constant, FieldId, PoolEntry, TypeId};
use heliostat_pta::facts::FieldKey;

use crate::world::{Obj, What, World};

/// The fields of classes that were asked for.
pub(crate) type OpenFields = FastMap<ClassId, Rc<[FieldId]>>;

impl World<'_> {
    /// What code outside Java may read or write in an object, and what type it has.
    pub(crate) fn open_fields(&self, object: Obj) -> Vec<(FieldKey, TypeId)> {
        if self.holds_nothing(object) || matches!(self.what(object), What::Lambda(_)) {
            return Vec::new();
        }
        let ty = self.made_at(object).ty;
        if let Some(element) = self.reference_element(ty) {
            return vec![(FieldKey::ELEMENTS, element)];
        }
        let Some(class) = self.program.class_of(ty) else { return Vec::new() };
        let mut found = Vec::new();
        for class in self.program.super_classes(class) {
            let fields = self.open_fields_of(class);
            found.extend(fields.iter().map(|&f| (FieldKey::field(f), self.program.fields()[f].ty)));
        }
        found
    }

    fn open_fields_of(&self, class: ClassId) -> Rc<[FieldId]> {
        if let Some(known) = self.open_fields.borrow().get(&class) {
            return Rc::clone(known);
        }
        let mut texts = self.string_constants(class);
        let name = self.program.class_name(class);
        for (end, _) in name.match_indices('$') {
            let around = self.program.find_class(&name[..end]);
            texts.extend(around.map(|around| self.string_constants(around)).into_iter().flatten());
        }
        let is_open = |&f: &FieldId| {
            let field = &self.program.fields()[f];
            let is_reference = self.program.types.is_reference(field.ty);
            is_reference && !field.flags.is_static() && texts.contains(&field.name)
        };
        let own = Ids::between(self.program.classes()[class].fields.clone());
        let found: Rc<[FieldId]> = own.filter(is_open).collect();
        self.open_fields.borrow_mut().insert(class, Rc::clone(&found));
        found
    }

    fn string_constants(&self, class: ClassId) -> FastSet<Symbol> {
        let Some(linked) = self.program.linked(class) else {
            self.problem(format!("the engine has not looked into {}", self.program.class_name(class)));
            return FastSet::default();
        };
        let text = |entry: &PoolEntry| match entry {
            PoolEntry::Constant(Constant::String(text)) => Some(*text),
            _ => None,
        };
        linked.entries().iter().filter_map(text).collect()
    }
}
