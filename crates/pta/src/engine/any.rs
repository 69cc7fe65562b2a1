//! Fields that code outside Java may mean: `Unsafe` and `VarHandle` name them by offset or by string.
//!
//! Such a field's class, or one around it, says its name in a string constant (`objectFieldOffset(C.class, "next")`), so
//! that fields nobody names that way are left alone.

use heliostat_index::BlockBits;
use heliostat_program::{ClassId, FieldId};
use heliostat_solve::{NodeId, Solver};

use super::{Engine, Waiting};
use crate::facts::FieldKey;
use crate::types::What;

impl Engine<'_> {
    pub(super) fn load_any(&mut self, solver: &mut Solver<Waiting>, block: BlockBits, to: NodeId) {
        for field in self.any_fields(solver, block) {
            for object in block.ids() {
                let from = self.field_node(solver, object, field);
                solver.add_edge(from, to);
            }
        }
    }

    pub(super) fn store_any(&mut self, solver: &mut Solver<Waiting>, block: BlockBits, from: NodeId) {
        for field in self.any_fields(solver, block) {
            let ty = match field.as_field() {
                Some(field) => Some(self.program.fields()[field].ty),
                None => self.program.types.element(self.group_type(solver.block_group(block))),
            };
            let Some(ty) = ty else { continue };
            let filter = self.facts.type_filter(ty);
            for object in block.ids() {
                let to = self.field_node(solver, object, field);
                solver.add_filtered_edge(from, to, filter);
            }
        }
    }

    fn any_fields(&mut self, solver: &Solver<Waiting>, block: BlockBits) -> Vec<FieldKey> {
        let group = solver.block_group(block);
        if matches!(self.groups[group], What::Empty(_)) {
            return Vec::new();
        }
        let ty = self.group_type(group);
        if let Some(element) = self.program.types.element(ty) {
            return if self.program.types.is_reference(element) {
                vec![FieldKey::ELEMENTS]
            } else {
                Vec::new()
            };
        }
        let Some(class) = self.program.class_of(ty) else { return Vec::new() };
        let classes: Vec<ClassId> = self.program.super_classes(class).collect();
        classes.into_iter().flat_map(|c| self.open_fields_of(c)).map(FieldKey::field).collect()
    }

    /// The instance fields of a class that hold references and whose names are string constants of the class or of one around it.
    fn open_fields_of(&mut self, class: ClassId) -> Box<[FieldId]> {
        if let Some(known) = self.open_fields.get(&class) {
            return known.clone();
        }
        for namer in self.types().namers(class) {
            self.program.link(namer);
        }
        let found: Box<[FieldId]> = self.types().open_fields_of(class).into();
        self.open_fields.insert(class, found.clone());
        found
    }
}
