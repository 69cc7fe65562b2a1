//! Subtyping (JVMS 4.10.1.2 and the rules of `checkcast`), with an honest answer where classes are missing.

use crate::{ClassId, Program, TypeId, TypeKind};

/// Whether one type is a subtype of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subtype {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// It depends on a class that is missing.
    Unknown,
}

impl Subtype {
    fn known(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

impl Program {
    /// Whether every value of reference type `sub` is one of type `sup`, as `checkcast` would decide.
    pub fn subtype(&self, sub: TypeId, sup: TypeId) -> Subtype {
        let (mut sub, mut sup) = (sub, sup);
        loop {
            if sub == sup {
                return Subtype::Yes;
            }
            match (self.types.kind(sub), self.types.kind(sup)) {
                (TypeKind::Array(a), TypeKind::Array(b)) => (sub, sup) = (a, b),
                (TypeKind::Array(_), TypeKind::Class(_)) => return Subtype::known(is_array_super(sup)),
                (TypeKind::Class(a), TypeKind::Class(b)) => {
                    if sup == TypeId::OBJECT {
                        return Subtype::Yes;
                    }
                    return self.class_subtype(a.expand(), b.expand());
                }
                _ => return Subtype::known(sub == TypeId::NULL && self.types.is_reference(sup)),
            }
        }
    }

    fn class_subtype(&self, sub: Option<ClassId>, sup: Option<ClassId>) -> Subtype {
        let Some(sub) = sub else { return Subtype::Unknown };
        if sup.is_some_and(|sup| self.is_subtype_class(sub, sup)) {
            return Subtype::Yes;
        }
        // A complete class names all its ancestors: a missing one is not among them.
        if self.is_incomplete(sub) { Subtype::Unknown } else { Subtype::No }
    }

    /// Whether the class `sub` is the class or interface `sup`, or below it, as far as is known.
    pub fn is_subtype_class(&self, sub: ClassId, sup: ClassId) -> bool {
        self.is_subclass(sub, sup) || self.super_interfaces(sub).binary_search(&sup).is_ok()
    }

    /// The least common superclass: what the type-inferring verifier gives a slot that holds
    /// either type (JVMS 4.10.2.2). Interfaces meet in `Object`.
    pub fn join(&self, a: TypeId, b: TypeId) -> TypeId {
        if a == b || b == TypeId::NULL {
            return a;
        }
        if a == TypeId::NULL {
            return b;
        }
        match (self.types.kind(a), self.types.kind(b)) {
            (TypeKind::Array(x), TypeKind::Array(y)) => self.join_arrays(x, y),
            (TypeKind::Class(x), TypeKind::Class(y)) => match (x.expand(), y.expand()) {
                (Some(x), Some(y)) => self.join_classes(x, y),
                _ => TypeId::OBJECT,
            },
            _ => TypeId::OBJECT,
        }
    }

    fn join_arrays(&self, x: TypeId, y: TypeId) -> TypeId {
        if !self.types.is_reference(x) || !self.types.is_reference(y) {
            return TypeId::OBJECT;
        }
        self.least_array_over(self.join(x, y))
    }

    /// The array type with this element type or, where nothing ever named that, the least above it that
    /// something did. Were it just `Object`, the join of three types would depend on their order.
    fn least_array_over(&self, element: TypeId) -> TypeId {
        let mut element = element;
        loop {
            match self.types.array(element) {
                Some(array) => return array,
                None if element == TypeId::OBJECT => return TypeId::OBJECT,
                None => element = self.least_super_type(element),
            }
        }
    }

    /// The parent in the tree that [`join`](Self::join) climbs.
    fn least_super_type(&self, ty: TypeId) -> TypeId {
        match self.types.kind(ty) {
            TypeKind::Array(element) if element != TypeId::OBJECT && self.types.is_reference(element) => {
                self.least_array_over(self.least_super_type(element))
            }
            TypeKind::Class(class) => {
                let parent = class.expand().and_then(|class| self.super_class(class));
                parent.map_or(TypeId::OBJECT, |parent| self.classes()[parent].ty)
            }
            TypeKind::Array(_) | TypeKind::Basic => TypeId::OBJECT,
        }
    }

    fn join_classes(&self, x: ClassId, y: ClassId) -> TypeId {
        self.common_super_class(x, y).map_or(TypeId::OBJECT, |class| self.classes()[class].ty)
    }
}

/// The only class types above an array.
fn is_array_super(ty: TypeId) -> bool {
    matches!(ty, TypeId::OBJECT | TypeId::CLONEABLE | TypeId::SERIALIZABLE)
}
