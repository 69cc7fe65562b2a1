//! What method handles mean (JVMS 5.4.3.5).

use heliostat_program::{
    ClassId, FieldId, Handle, HandleId, HandleKind, HandleMember, MethodId, MethodRefId, Program, TypeId,
};

/// What a method handle stands for.
pub(super) enum Member {
    Field(FieldId),
    /// The method that it resolves to; for `super.f`, the one that is selected.
    Method(MethodId),
}

/// The member that a handle stands for, seen from a class. None if it is not there, or is not what the kind of the handle says.
pub(super) fn member(program: &Program, handle: HandleId, from: ClassId) -> Option<Member> {
    let Handle { kind, member } = program.handle(handle);
    let (member, is_static) = match member {
        HandleMember::Field(reference) => {
            let field = program.resolve_field(program.field_ref(reference), from).member()?;
            (Member::Field(field), program.fields()[field].flags.is_static())
        }
        HandleMember::Method(reference) => {
            let method = method(program, kind, reference, from)?;
            (Member::Method(method), program.methods()[method].flags.is_static())
        }
    };
    (is_static == is_of_static(kind)).then_some(member)
}

fn method(program: &Program, kind: HandleKind, reference: MethodRefId, from: ClassId) -> Option<MethodId> {
    let reference = program.method_ref(reference);
    let resolved = program.resolve_method(reference, from).member()?;
    if kind == HandleKind::InvokeSpecial {
        return program.select_special(reference, resolved, from).method();
    }
    Some(resolved)
}

fn is_of_static(kind: HandleKind) -> bool {
    matches!(kind, HandleKind::GetStatic | HandleKind::PutStatic | HandleKind::InvokeStatic)
}

/// The class that a handle names.
pub(super) fn owner(program: &Program, handle: HandleId) -> Option<ClassId> {
    program.class_of(match program.handle(handle).member {
        HandleMember::Field(field) => program.field_ref(field).owner,
        HandleMember::Method(method) => program.method_ref(method).owner,
    })
}

/// The parameters of a handle's type.
pub(super) fn parameters(program: &Program, handle: HandleId) -> Vec<TypeId> {
    let Handle { kind, member } = program.handle(handle);
    let (owner, declared) = match member {
        HandleMember::Field(field) => {
            let field = program.field_ref(field);
            let is_written = matches!(kind, HandleKind::PutField | HandleKind::PutStatic);
            (field.owner, is_written.then_some(field.ty).into_iter().collect())
        }
        HandleMember::Method(method) => {
            let method = program.method_ref(method);
            let descriptor = program.selector(method.selector).descriptor;
            (method.owner, program.method_type(descriptor).parameters.to_vec())
        }
    };
    let has_receiver = !is_of_static(kind) && kind != HandleKind::NewInvokeSpecial;
    has_receiver.then_some(owner).into_iter().chain(declared).collect()
}
