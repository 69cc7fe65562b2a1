//! From what a call graph says of a call to what the class file says of it.

use heliostat_classfile::Insn;
use heliostat_core::program::{MethodId, MethodRef, PoolEntry, Program};
use heliostat_core::pta::facts::EdgeKind;

use crate::bytecode;

/// The method that a call graph writes as `pkg/Class.name(I)V`.
pub(super) fn method(program: &Program, name: &str) -> Option<MethodId> {
    let (owner, descriptor) = name.split_at_checked(name.find('(')?)?;
    let (class, name) = owner.rsplit_once('.')?;
    program.declared_method(program.find_class(class)?, program.find_selector(name, descriptor)?)
}

/// The call instruction at an offset of a method, and the method that it refers to; none if no call is there. The class is
/// linked.
pub(super) fn instruction(program: &Program, caller: MethodId, offset: u32) -> Option<(EdgeKind, MethodRef)> {
    let code = bytecode::of(program, caller).ok()?;
    let (kind, index) = match code.instructions.at(offset).ok()?.0 {
        Insn::InvokeStatic(index) => (EdgeKind::Static, index),
        Insn::InvokeSpecial(index) => (EdgeKind::Special, index),
        Insn::InvokeVirtual(index) => (EdgeKind::Virtual, index),
        Insn::InvokeInterface(index) => (EdgeKind::Interface, index),
        _ => return None,
    };
    match program.linked(program.methods()[caller].class)?.entry(index) {
        PoolEntry::Method(reference) => Some((kind, program.method_ref(reference))),
        _ => None,
    }
}
