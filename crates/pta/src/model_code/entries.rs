//! How `main` is entered.

use heliostat_index::PackedOption;
use heliostat_program::{ClassId, MethodId};

use crate::extract::{NewCall, Writer};
use crate::facts::{Callee, EdgeKind, Facts, FieldKey, Stmt, Var};

/// `main(String[])`, or one of its later forms, of a class that declares or inherits it.
pub(super) fn enter_main(
    writer: &mut Writer<'_>,
    class: ClassId,
    method: MethodId,
    number: u32,
    thrown: Option<Var>,
) {
    let program = writer.program;
    let data = program.methods()[method];
    let parameters = &program.method_type(program.selector(data.selector).descriptor).parameters;
    let args: Vec<PackedOption<Var>> = parameters
        .iter()
        .map(|&ty| {
            let (array, text) = (writer.new_var(), writer.new_var());
            writer.jvm_object(array, ty);
            writer.unknown_string(text);
            writer.push(Stmt::Store { base: array, field: FieldKey::ELEMENTS, from: text });
            array.into()
        })
        .collect();
    writer.push(Stmt::Init { class, offset: number });
    let kind = EdgeKind::Implicit;
    let receiver = (!data.flags.is_static()).then(|| construct(writer, class, kind, number, thrown));
    let callee = Callee::Fixed(Facts::code(method));
    writer.call(&NewCall { offset: number, kind, callee, receiver, args: &args, result: None, thrown });
}

/// An object of a class, made with its constructor without parameters, if it has one.
pub(super) fn construct(
    writer: &mut Writer<'_>,
    class: ClassId,
    kind: EdgeKind,
    offset: u32,
    thrown: Option<Var>,
) -> Var {
    let program = writer.program;
    let object = writer.new_var();
    writer.jvm_object(object, program.classes()[class].ty);
    let selector = program.find_selector("<init>", "()V");
    if let Some(constructor) = selector.and_then(|s| program.declared_method(class, s)) {
        let (callee, receiver) = (Callee::Fixed(Facts::code(constructor)), Some(object));
        writer.call(&NewCall { offset, kind, callee, receiver, args: &[], result: None, thrown });
    }
    object
}
