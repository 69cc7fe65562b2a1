//! Code that is made up: arrays with all that a class is asked for. One for all calls that ask the same.

use heliostat_program::{ClassId, TypeId};
use heliostat_pta::facts::{AllocKind, FieldKey, Stmt, Writer};
use heliostat_pta::reflection::Mirror;

use crate::members::{Scope, constructors, fields, methods};

/// Kinds of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Methods,
    Constructors,
    Fields,
}

/// Code that is made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reflected {
    /// Gives an array with the members of a class.
    Members(Kind, Scope, ClassId),
    /// Gives an array with the interfaces that a class declares.
    Interfaces(ClassId),
}

/// Writes it.
pub(crate) fn write(what: Reflected, writer: &mut Writer<'_>) {
    match what {
        Reflected::Members(kind, scope, class) => members(writer, kind, scope, class),
        Reflected::Interfaces(class) => {
            let interfaces = writer.program.declared_interfaces(class).iter();
            let elements = interfaces.map(|&ty| (AllocKind::Class(ty), TypeId::CLASS)).collect();
            array(writer, "java/lang/Class", elements);
        }
    }
}

fn members(writer: &mut Writer<'_>, kind: Kind, scope: Scope, class: ClassId) {
    let program = writer.program;
    let (name, mirrors): (_, Vec<Mirror>) = match kind {
        Kind::Methods => (
            "java/lang/reflect/Method",
            methods(program, class, scope).into_iter().map(Mirror::Method).collect(),
        ),
        Kind::Constructors => (
            "java/lang/reflect/Constructor",
            constructors(program, class, scope).into_iter().map(Mirror::Constructor).collect(),
        ),
        Kind::Fields => (
            "java/lang/reflect/Field",
            fields(program, class, scope).into_iter().map(Mirror::Field).collect(),
        ),
    };
    let Some(of) = program.find_class(name) else { return };
    let ty = program.classes()[of].ty;
    array(writer, name, mirrors.into_iter().map(|mirror| (AllocKind::Mirror(mirror), ty)).collect());
}

/// Returns a new array with these objects.
fn array(writer: &mut Writer<'_>, element: &str, elements: Vec<(AllocKind, TypeId)>) {
    let Some(array) = array_type(writer, element) else { return };
    let to = writer.new_array(array);
    for (kind, ty) in elements {
        let from = writer.object(kind, ty);
        writer.push(Stmt::Store { base: to, field: FieldKey::ELEMENTS, from });
    }
    writer.returned(to);
}

fn array_type(writer: &Writer<'_>, element: &str) -> Option<TypeId> {
    let program = writer.program;
    program.types.array(program.classes()[program.find_class(element)?].ty)
}
