//! What is made of objects by their types: class objects, instances and arrays by reflection.

use heliostat_index::BlockBits;
use heliostat_program::{ClassId, TypeId, TypeKind};
use heliostat_solve::{NodeId, ObjectId, Solver};

use super::dispatch::Group;
use super::{Engine, InstanceId, Waiting};
use crate::contexts::ContextId;
use crate::facts::{AllocId, AllocKind, Derivation, Var};

/// How many dimensions the arrays have, at most, that reflection makes.
const REFLECTIVE_DIMENSIONS: usize = 2;

impl Engine<'_> {
    /// Gives `to` what is made of each object.
    pub(super) fn derive(
        &mut self,
        solver: &mut Solver<Waiting>,
        how: Derivation,
        objects: &[BlockBits],
        to: NodeId,
    ) {
        match how {
            // A copy has the same elements and fields: it may as well be the same object.
            Derivation::Clone | Derivation::Resize => solver.add_objects(to, objects),
            Derivation::ClassOf => {
                for &block in objects {
                    let ty = self.group_type(solver.block_group(block));
                    let alloc = self.class_object(ty);
                    self.give(solver, alloc, to);
                }
            }
            Derivation::ComponentOf | Derivation::ArrayOf | Derivation::Instance => {
                for object in objects.iter().flat_map(|b| b.ids()) {
                    if let Some(alloc) = self.of_class_object(solver, how, object) {
                        self.give(solver, alloc, to);
                    }
                }
            }
        }
    }

    /// Gives `to` each array with another length: itself, or a new one if it is empty.
    pub(super) fn resize(
        &mut self,
        solver: &mut Solver<Waiting>,
        instance: InstanceId,
        offset: u32,
        objects: &[BlockBits],
        to: Var,
    ) {
        let to = self.node(instance, to);
        let code = self.instances[instance].code;
        for &block in objects {
            if let Group::Empty(ty) = self.groups[solver.block_group(block)] {
                let alloc = self.facts.heap.alloc(AllocKind::Resized { code, offset, ty }, ty);
                let object = self.allocate(solver, instance, alloc);
                solver.add_object(to, object);
            } else {
                solver.add_objects(to, &[block]);
            }
        }
    }

    fn give(&mut self, solver: &mut Solver<Waiting>, alloc: AllocId, to: NodeId) {
        let object = self.object(solver, alloc, ContextId::EMPTY);
        solver.add_object(to, object);
    }

    fn class_object(&mut self, ty: TypeId) -> AllocId {
        self.facts.heap.alloc(AllocKind::Class(ty), TypeId::CLASS)
    }

    /// What is made of a class object.
    fn of_class_object(
        &mut self,
        solver: &mut Solver<Waiting>,
        how: Derivation,
        object: ObjectId,
    ) -> Option<AllocId> {
        let ty = self.class_behind(object)?;
        let made = match how {
            Derivation::ComponentOf => {
                let component = self.program.types.element(ty)?;
                return Some(self.class_object(component));
            }
            Derivation::ArrayOf => self.array_of(ty)?,
            _ => {
                let class = self.program.class_of(ty).filter(|&c| self.is_instantiable(c))?;
                self.initialise(solver, class);
                ty
            }
        };
        Some(self.facts.heap.alloc(AllocKind::Reflective(made), made))
    }

    /// The type of arrays of a type, up to a number of dimensions: otherwise there would be no end.
    fn array_of(&mut self, element: TypeId) -> Option<TypeId> {
        if let Some(known) = self.program.types.array(element) {
            return (self.dimensions(known) <= REFLECTIVE_DIMENSIONS).then_some(known);
        }
        let name = self.program.symbols.bytes(self.program.types.name(element));
        let descriptor = match self.program.types.kind(element) {
            TypeKind::Class(_) => [b"[L", name, b";"].concat(),
            TypeKind::Array(_) if self.dimensions(element) < REFLECTIVE_DIMENSIONS => [b"[", name].concat(),
            _ => return None,
        };
        Some(self.program.intern_type(&descriptor))
    }

    fn dimensions(&self, ty: TypeId) -> usize {
        std::iter::successors(Some(ty), |&ty| self.program.types.element(ty)).count() - 1
    }

    pub(super) fn is_instantiable(&self, class: ClassId) -> bool {
        let flags = self.program.classes()[class].flags;
        !flags.is_abstract() && !flags.is_interface()
    }
}
