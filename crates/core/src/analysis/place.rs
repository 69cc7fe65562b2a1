//! A place in the code of a method: its source line, and what its instruction refers to.

use heliostat_classfile::{Attribute, Code, ConstantPool, Insn, LineNumber};
use heliostat_program::{MethodId, PoolEntry, Program};
use serde::Serialize;

/// A place in the code of a method.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The method, as `pkg/Class.name(I)V`.
    pub method: String,
    /// The bytecode offset in it.
    pub offset: u32,
    /// The source line, if the class file tells.
    pub line: Option<u16>,
    /// The name of the source file, if the class file tells.
    pub source_file: Option<String>,
}

impl Place {
    pub(super) fn new(program: &Program, method: MethodId, offset: u32) -> Self {
        let line = Lines::of(program, method).at(offset);
        let class = &program.classes()[program.methods()[method].class];
        let source_file = class.source_file.expand().map(|name| program.symbols.text(name).into_owned());
        Self { method: program.method_name(method), offset, line, source_file }
    }
}

/// The source lines of a method.
#[derive(Default)]
pub(super) struct Lines(Vec<LineNumber>);

impl Lines {
    /// None if the class file does not tell, or nothing looked into the class.
    pub(super) fn of(program: &Program, method: MethodId) -> Self {
        Self(code(program, method).map(|(code, pool)| code.line_numbers(&pool)).unwrap_or_default())
    }

    /// The line of a bytecode offset.
    pub(super) fn at(&self, offset: u32) -> Option<u16> {
        let after = self.0.partition_point(|line| line.start <= offset);
        self.0.get(after.checked_sub(1)?).map(|line| line.line)
    }
}

/// What the call at a bytecode offset refers to.
pub(super) fn called_at(program: &Program, method: MethodId, offset: u32) -> Option<PoolEntry> {
    let (code, _) = code(program, method)?;
    let (insn, _) = code.instructions.at(offset).ok()?;
    let (Insn::InvokeVirtual(index)
    | Insn::InvokeSpecial(index)
    | Insn::InvokeStatic(index)
    | Insn::InvokeInterface(index)
    | Insn::InvokeDynamic(index)
    | Insn::LoadConstant(index)) = insn
    else {
        return None;
    };
    Some(program.linked(program.methods()[method].class)?.entry(index))
}

/// The offsets of a method's calls that name a method of this class and name, or one that is found there, in order.
pub(super) fn called_offsets(program: &Program, method: MethodId, class: &str, name: &str) -> Vec<u32> {
    let from = program.methods()[method].class;
    let is_meant = |offset: u32| {
        let Some(PoolEntry::Method(called)) = called_at(program, method, offset) else { return false };
        let called = program.method_ref(called);
        program.symbols.text(program.selector(called.selector).name) == name
            && (program.type_name(called.owner) == class
                || program
                    .resolve_method(called, from)
                    .member()
                    .is_some_and(|found| program.class_name(program.methods()[found].class) == class))
    };
    let Some((code, _)) = code(program, method) else { return Vec::new() };
    let mut offsets = Vec::new();
    let mut offset = 0;
    // What is damaged ends the code: it has no instructions that could be told apart.
    while let Ok((insn, next)) = code.instructions.at(offset) {
        if is_call(&insn) && is_meant(offset) {
            offsets.push(offset);
        }
        offset = next;
    }
    offsets
}

fn is_call(insn: &Insn<'_>) -> bool {
    matches!(
        insn,
        Insn::InvokeVirtual(_) | Insn::InvokeSpecial(_) | Insn::InvokeStatic(_) | Insn::InvokeInterface(_)
    )
}

/// The code of a method of a linked class, and its constant pool.
pub(super) fn code(program: &Program, method: MethodId) -> Option<(Code<'_>, ConstantPool<'_>)> {
    let data = &program.methods()[method];
    let class = &program.classes()[data.class];
    let pool = program.linked(data.class)?.pool(&class.bytes);
    let (start, len) = data.code;
    let bytes = class.bytes.get(start as usize..start as usize + len as usize).filter(|_| data.has_code())?;
    let code = Code::read(&Attribute { name: b"Code", bytes, offset: start }, class.version).ok()?;
    Some((code, pool))
}
