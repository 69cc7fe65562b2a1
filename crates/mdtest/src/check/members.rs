//! Expectations about what references resolve to, and what calls run.

use heliostat_core::ir::{CallKind, Op};
use heliostat_core::program::{
    ClassId, FieldRefId, MethodId, MethodRefId, Program, Resolution, Selection, TypeId,
};
use heliostat_index::Symbol;

use super::{Checked, only};
use crate::scene::Scene;

/// A member that an instruction names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    Field(FieldRefId),
    Method(CallKind, MethodRefId),
}

/// A member, and the class whose code names it.
type Reference = (ClassId, Member);

/// The reference of a line resolves to this.
pub(super) fn resolves(scene: &Scene, line: u32, name: Option<&str>, target: &str) -> Checked {
    let (from, member) = reference(scene, line, name)?;
    let program = &scene.program;
    let found = match member {
        Member::Field(id) => {
            resolution(program, program.resolve_field(program.field_ref(id), from), Program::field_name)
        }
        Member::Method(_, id) => {
            resolution(program, program.resolve_method(program.method_ref(id), from), Program::method_name)
        }
    };
    if is_meant(target, &found) { Ok(()) } else { Err(format!("   found {found}")) }
}

fn resolution<T: Copy>(program: &Program, found: Resolution<T>, name: fn(&Program, T) -> String) -> String {
    match found {
        Resolution::Found(member) => name(program, member),
        Resolution::Assumed { member, missing } => assumed(program, missing, &name(program, member)),
        Resolution::SignaturePolymorphic(member) => format!("polymorphic {}", name(program, member)),
        Resolution::Inaccessible(member) => format!("inaccessible {}", name(program, member)),
        Resolution::MissingClass(ty) => format!("missing {}", program.type_name(ty)),
        Resolution::WrongKind => "wrong kind".to_owned(),
        Resolution::NotFound => "not found".to_owned(),
    }
}

/// A member that another one may go before, if the missing class has it.
fn assumed(program: &Program, missing: TypeId, name: &str) -> String {
    format!("assumed past {} {name}", program.type_name(missing))
}

/// The call of a line runs these methods, by class of receiver if it matters.
pub(super) fn selects(
    scene: &Scene,
    line: u32,
    name: Option<&str>,
    targets: &[(Option<String>, String)],
) -> Checked {
    let (from, member) = reference(scene, line, name)?;
    let Member::Method(kind, id) = member else { return Err("   found a field".to_owned()) };
    let program = &scene.program;
    let (Resolution::Found(resolved) | Resolution::Assumed { member: resolved, .. }) =
        program.resolve_method(program.method_ref(id), from)
    else {
        return Err("   found that it does not resolve".to_owned());
    };
    let mut all_meant = true;
    let mut found = Vec::new();
    for (receiver, target) in targets {
        let selected = match receiver {
            Some(receiver) => select_virtual(program, kind, receiver, resolved)?,
            None => select_fixed(program, kind, id, resolved, from)?,
        };
        all_meant &= is_meant(target, &selected);
        found.push(receiver.as_ref().map_or(selected.clone(), |receiver| format!("{receiver}: {selected}")));
    }
    if all_meant { Ok(()) } else { Err(format!("   found {}", found.join(", "))) }
}

fn select_virtual(
    program: &Program,
    kind: CallKind,
    receiver: &str,
    resolved: MethodId,
) -> Result<String, String> {
    if !matches!(kind, CallKind::Virtual | CallKind::Interface) {
        return Err(format!("   found a {} call, which does not look at its receiver", kind.name()));
    }
    let unknown = || format!("   but there is no type {receiver}");
    let ty = find_type(program, receiver).ok_or_else(unknown)?;
    Ok(selection(program, program.select(ty, resolved)))
}

fn select_fixed(
    program: &Program,
    kind: CallKind,
    id: MethodRefId,
    resolved: MethodId,
    from: ClassId,
) -> Result<String, String> {
    match kind {
        CallKind::Static => Ok(program.method_name(resolved)),
        CallKind::Special => {
            Ok(selection(program, program.select_special(program.method_ref(id), resolved, from)))
        }
        CallKind::Virtual | CallKind::Interface => {
            Err(format!("   found a {} call: say `CLASS: METHOD` for each class of receiver", kind.name()))
        }
    }
}

fn selection(program: &Program, selected: Selection) -> String {
    match selected {
        Selection::Method(method) => program.method_name(method),
        Selection::Assumed { method, missing } => assumed(program, missing, &program.method_name(method)),
        Selection::Abstract => "abstract".to_owned(),
        Selection::Conflict => "conflict".to_owned(),
        Selection::MissingClass(ty) => format!("missing {}", program.type_name(ty)),
    }
}

fn find_type(program: &Program, name: &str) -> Option<TypeId> {
    program.types.find(program.symbols.find(name.as_bytes())?)
}

/// Whether the expected text is the found one; what follows a member's name may be left out.
fn is_meant(expected: &str, found: &str) -> bool {
    found.strip_prefix(expected).is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', ':']))
}

/// The member reference of a line; the one of this name if told.
fn reference(scene: &Scene, line: u32, name: Option<&str>) -> Result<Reference, String> {
    let program = &scene.program;
    let mut found: Vec<Reference> = Vec::new();
    for (lowered, inst) in scene.at(line) {
        let (member, member_name) = match lowered.body.insts[inst].op {
            Op::GetField(id) | Op::PutField(id) | Op::GetStatic(id) | Op::PutStatic(id) => {
                (Member::Field(id), program.field_ref(id).name)
            }
            Op::Call(kind, id) => (Member::Method(kind, id), selector_name(program, id)),
            _ => continue,
        };
        let is_named = name.is_none_or(|name| program.symbols.text(member_name) == name);
        let reference = (scene.class(lowered), member);
        if is_named && !found.contains(&reference) {
            found.push(reference);
        }
    }
    only(scene, line, "call or field access of that name", found)
}

fn selector_name(program: &Program, id: MethodRefId) -> Symbol {
    program.selector(program.method_ref(id).selector).name
}
