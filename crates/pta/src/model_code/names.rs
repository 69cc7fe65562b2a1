//! What the names of models mean in a program.

use heliostat_index::Ids;
use heliostat_program::{FieldId, MethodId, MethodRef, Program, TypeId};

use crate::models::text::{FieldName, MethodName};

/// The type of a name, if the program has it.
pub(super) fn find_type(program: &Program, name: &str) -> Option<TypeId> {
    if let Some((_, primitive)) = PRIMITIVES.iter().find(|(word, _)| *word == name) {
        return Some(*primitive);
    }
    let ty = program.types.find(program.symbols.find(name.as_bytes())?)?;
    (name.starts_with('[') || program.class_of(ty).is_some()).then_some(ty)
}

const PRIMITIVES: [(&str, TypeId); 9] = [
    ("boolean", TypeId::BOOLEAN),
    ("byte", TypeId::BYTE),
    ("char", TypeId::CHAR),
    ("short", TypeId::SHORT),
    ("int", TypeId::INT),
    ("long", TypeId::LONG),
    ("float", TypeId::FLOAT),
    ("double", TypeId::DOUBLE),
    ("void", TypeId::VOID),
];

/// The field that a class declares under a name.
pub(super) fn find_field(program: &Program, name: FieldName<'_>) -> Option<FieldId> {
    let class = program.find_class(name.class)?;
    let symbol = program.symbols.find(name.name.as_bytes())?;
    Ids::between(program.classes()[class].fields.clone()).find(|&f| program.fields()[f].name == symbol)
}

/// The method that a class itself declares.
pub(super) fn declared(program: &Program, name: MethodName<'_>) -> Option<MethodId> {
    program
        .declared_method(program.find_class(name.class)?, program.find_selector(name.name, name.descriptor)?)
}

/// The method that a call of this name means.
pub(super) fn resolved(program: &Program, name: MethodName<'_>) -> Option<MethodId> {
    let class = program.find_class(name.class)?;
    let selector = program.find_selector(name.name, name.descriptor)?;
    let data = &program.classes()[class];
    let reference = MethodRef { owner: data.ty, selector, interface: data.flags.is_interface() };
    program.resolve_method(reference, class).member()
}
