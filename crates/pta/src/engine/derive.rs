//! What is made of objects by their types: class objects, instances and arrays by reflection.

use heliostat_index::BlockBits;
use heliostat_program::{ClassId, TypeId, TypeKind};
use heliostat_solve::{NodeId, ObjectId, Solver};

use super::{Engine, InstanceId, Waiting};
use crate::contexts::ContextId;
use crate::facts::{AllocId, AllocKind, Derivation, Var};
use crate::heap::is_instantiable;
use crate::types::What;

/// How many dimensions the arrays have, at most, that reflection makes.
const REFLECTIVE_DIMENSIONS: usize = 2;

/// Where something is made of objects.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) instance: InstanceId,
    pub(super) offset: u32,
}

impl Engine<'_> {
    /// Gives `to` what is made of each object.
    pub(super) fn derive(
        &mut self,
        solver: &mut Solver<Waiting>,
        place: Place,
        how: Derivation,
        objects: &[BlockBits],
        to: Var,
    ) {
        let to = self.node(place.instance, to);
        let each = || objects.iter().flat_map(|block| block.ids::<ObjectId>());
        match how {
            Derivation::Resize => self.resize(solver, place, objects, to),
            Derivation::ClassOf => {
                for &block in objects {
                    let ty = self.group_type(solver.block_group(block));
                    let alloc = self.class_object(ty);
                    self.give(solver, alloc, to);
                }
            }
            Derivation::ComponentOf => self.give_all(solver, each(), to, Self::component_class),
            Derivation::ArrayOf => self.give_all(solver, each(), to, Self::array_of_class),
            Derivation::Instance => {
                for class in each().filter_map(|o| self.instantiable(o)).collect::<Vec<_>>() {
                    self.instantiate(solver, place, class, to);
                }
            }
        }
    }

    /// Gives `to` each array with another length: itself, or a new one if it is empty.
    fn resize(&mut self, solver: &mut Solver<Waiting>, place: Place, objects: &[BlockBits], to: NodeId) {
        let Place { instance, offset } = place;
        let code = self.instances[instance].code;
        for &block in objects {
            if let What::Empty(ty) = self.groups[solver.block_group(block)] {
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

    /// Gives `to` what is made of the type of each class object, if something is.
    fn give_all(
        &mut self,
        solver: &mut Solver<Waiting>,
        class_objects: impl Iterator<Item = ObjectId>,
        to: NodeId,
        make: fn(&mut Self, TypeId) -> Option<AllocId>,
    ) {
        for object in class_objects {
            if let Some(alloc) = self.class_behind(object).and_then(|ty| make(self, ty)) {
                self.give(solver, alloc, to);
            }
        }
    }

    fn component_class(&mut self, array: TypeId) -> Option<AllocId> {
        let component = self.program.types.element(array)?;
        Some(self.class_object(component))
    }

    fn array_of_class(&mut self, element: TypeId) -> Option<AllocId> {
        let array = self.array_of(element)?;
        Some(self.facts.heap.alloc(AllocKind::Reflective(array), array))
    }

    /// The class that a class object stands for, if it can have objects.
    fn instantiable(&self, object: ObjectId) -> Option<ClassId> {
        let class = self.program.class_of(self.class_behind(object)?)?;
        is_instantiable(self.program, class).then_some(class)
    }

    /// Gives `to` an object of a class, which is initialised for it.
    fn instantiate(&mut self, solver: &mut Solver<Waiting>, place: Place, class: ClassId, to: NodeId) {
        let code = self.instances[place.instance].code;
        self.initialise(solver, class);
        self.note_initialisers(code, place.offset, class);
        let ty = self.program.classes()[class].ty;
        let alloc = self.facts.heap.alloc(AllocKind::Reflective(ty), ty);
        self.give(solver, alloc, to);
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
            TypeKind::Array(_) | TypeKind::Basic => return None,
        };
        Some(self.program.intern_type(&descriptor))
    }

    fn dimensions(&self, ty: TypeId) -> usize {
        std::iter::successors(Some(ty), |&ty| self.program.types.element(ty)).count() - 1
    }
}
