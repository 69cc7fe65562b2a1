//! What is made of objects: their class objects, and what reflection makes of those.

use heliostat_program::{ClassId, TypeId, TypeKind};
use heliostat_pta::facts::{AllocId, AllocKind, CodeId, Derivation};

use crate::contexts::Ctx;
use crate::world::{Obj, World};

impl World<'_> {
    /// What a derivation at a place of code makes of an object, in a context.
    pub(crate) fn derived(
        &self,
        how: Derivation,
        code: CodeId,
        offset: u32,
        ctx: Ctx,
        object: Obj,
    ) -> Option<Obj> {
        let reflective = |ty| self.alloc(AllocKind::Reflective(ty), ty);
        let alloc = match how {
            // An array of another length is not told apart from what it is a copy of, unless that held nothing.
            Derivation::Resize if !self.holds_nothing(object) => return Some(object),
            Derivation::Resize => {
                let ty = self.made_at(object).ty;
                return Some(self.allocated(self.alloc(AllocKind::Resized { code, offset, ty }, ty), ctx));
            }
            Derivation::ClassOf => self.class_object(self.made_at(object).ty),
            Derivation::ComponentOf => {
                self.class_object(self.program.types.element(self.class_meant(object)?)?)
            }
            Derivation::ArrayOf => reflective(self.array_type(self.class_meant(object)?)?),
            Derivation::Instance => reflective(self.program.classes()[self.instantiated(object)?].ty),
        };
        Some(self.object(alloc, Ctx::EMPTY))
    }

    /// The type that a class object stands for.
    pub(crate) fn class_meant(&self, object: Obj) -> Option<TypeId> {
        match self.made_at(object).kind {
            AllocKind::Class(ty) => Some(ty),
            _ => None,
        }
    }

    /// The class that a class object stands for, if it stands for one.
    pub(crate) fn class_behind(&self, object: Obj) -> Option<ClassId> {
        self.program.class_of(self.class_meant(object)?)
    }

    /// The class that a class object stands for, if it can have objects.
    pub(crate) fn instantiated(&self, object: Obj) -> Option<ClassId> {
        let class = self.class_behind(object)?;
        let flags = self.program.classes()[class].flags;
        (!flags.is_abstract() && !flags.is_interface()).then_some(class)
    }

    fn class_object(&self, ty: TypeId) -> AllocId {
        self.alloc(AllocKind::Class(ty), TypeId::CLASS)
    }

    /// The type of arrays of a type, of at most two dimensions, or there would be no end.
    fn array_type(&self, element: TypeId) -> Option<TypeId> {
        let types = &self.program.types;
        let dimensions = std::iter::successors(types.element(element), |&ty| types.element(ty)).count();
        if dimensions >= 2 {
            return None;
        }
        let array = types.array(element);
        if array.is_none() && !matches!(types.kind(element), TypeKind::Basic) {
            self.problem(format!("the engine made no arrays of {}", self.program.type_name(element)));
        }
        array
    }
}
