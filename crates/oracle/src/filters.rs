//! What passes: casts, handlers of exceptions, and the element types of arrays.

use heliostat_program::{Subtype, TypeId};
use heliostat_pta::facts::{FieldKey, Filter};

use crate::world::{Obj, What, World};

impl World<'_> {
    /// Whether an object passes an assignment's filter. What depends on a missing class passes.
    pub(crate) fn passes(&self, filter: &Filter, object: Obj) -> bool {
        match filter {
            Filter::All => true,
            Filter::Type(ty) => self.may_be(object, *ty),
            Filter::Caught { ty, not } => {
                let is_caught_before = not.iter().any(|&before| self.is_of(object, before) == Subtype::Yes);
                !is_caught_before && ty.is_none_or(|ty| self.may_be(object, ty))
            }
        }
    }

    /// Whether an object may be of a type.
    pub(crate) fn may_be(&self, object: Obj, ty: TypeId) -> bool {
        self.is_of(object, ty) != Subtype::No
    }

    /// The type of what a store puts into an object. Elements are checked by the array; what is stored into a field has been
    /// checked by the compiler.
    pub(crate) fn storable(&self, base: Obj, field: FieldKey) -> Option<TypeId> {
        if field != FieldKey::ELEMENTS {
            return Some(TypeId::OBJECT);
        }
        match self.what(base) {
            What::Of(array) if !self.holds_nothing(base) => self.reference_element(array),
            What::Of(_) | What::Lambda(_) | What::Handle(_) => None,
        }
    }

    /// The element type of an array of references.
    pub(crate) fn reference_element(&self, array: TypeId) -> Option<TypeId> {
        self.program.types.element(array).filter(|&element| self.program.types.is_reference(element))
    }
}
