//! The bytecode of a method, as its class file has it.

use heliostat_classfile::{Attribute, Code, Malformed};
use heliostat_core::program::{MethodId, Program};

/// Decodes the `Code` attribute of a method; what has none is malformed.
pub(crate) fn of(program: &Program, method: MethodId) -> Result<Code<'_>, Malformed> {
    let method = &program.methods()[method];
    let class = &program.classes()[method.class];
    let (offset, len) = method.code;
    let bytes = class.bytes.get(offset as usize..(offset + len) as usize).unwrap_or_default();
    Code::read(&Attribute { name: b"Code", bytes, offset }, class.version)
}
