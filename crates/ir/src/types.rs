//! The types that values have on the stack.

use heliostat_classfile::ValueKind;
use heliostat_index::IdMap;
use heliostat_program::{Program, TypeId};

use crate::{Block, Catcher};

/// The type that a value of a declared type has on the stack: small integers are ints.
pub(crate) fn computational(ty: TypeId) -> TypeId {
    match ty {
        TypeId::BOOLEAN | TypeId::BYTE | TypeId::CHAR | TypeId::SHORT => TypeId::INT,
        _ => ty,
    }
}

/// The kind of a type.
pub(crate) fn kind_of(ty: TypeId) -> ValueKind {
    match ty {
        TypeId::BOOLEAN | TypeId::BYTE | TypeId::CHAR | TypeId::SHORT | TypeId::INT => ValueKind::Int,
        TypeId::LONG => ValueKind::Long,
        TypeId::FLOAT => ValueKind::Float,
        TypeId::DOUBLE => ValueKind::Double,
        _ => ValueKind::Ref,
    }
}

/// The type of values of a kind; for references, the least one, to be raised by the inference.
pub(crate) fn least_type(kind: ValueKind) -> TypeId {
    match kind {
        ValueKind::Int => TypeId::INT,
        ValueKind::Long => TypeId::LONG,
        ValueKind::Float => TypeId::FLOAT,
        ValueKind::Double => TypeId::DOUBLE,
        ValueKind::Ref => TypeId::NULL,
    }
}

/// What `aaload` from an array of this type gives. A load from null gives nothing, hence null.
pub(crate) fn element_type(program: &Program, array: TypeId) -> TypeId {
    match program.types.element(array) {
        Some(element) if program.types.is_reference(element) => element,
        None if array == TypeId::NULL => TypeId::NULL,
        _ => TypeId::OBJECT,
    }
}

/// The type of what each landing block catches: the join of its catchers' classes. It is `Throwable` where
/// everything is caught, or where that join is `Object`, for want of a class.
pub(crate) fn caught_types(program: &Program, catchers: &[Catcher]) -> IdMap<Block, TypeId> {
    let mut caught = IdMap::with_default(TypeId::NULL);
    for catcher in catchers {
        let ty = catcher.ty.expand().unwrap_or(TypeId::THROWABLE);
        caught[catcher.block] = program.join(caught[catcher.block], ty);
    }
    for catcher in catchers {
        if caught[catcher.block] == TypeId::OBJECT {
            caught[catcher.block] = TypeId::THROWABLE;
        }
    }
    caught
}
