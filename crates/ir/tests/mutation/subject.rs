//! A class to be mutated, with what it takes to mutate it where it hurts.

use bytes::Bytes;
use heliostat_classfile::{ClassFile, Code, Tag};

/// A class and the places in it.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
    /// Offsets of the constant pool indices inside of the constant pool.
    pub(crate) pool_indices: Vec<usize>,
    /// Number of constant pool entries.
    pub(crate) pool_len: u16,
    /// Offsets of instructions.
    pub(crate) instructions: Vec<usize>,
    /// Offsets and lengths of `Code` attributes.
    pub(crate) codes: Vec<(usize, usize)>,
    /// Of each `Code` attribute the part after the instructions: exception table, line numbers, frames.
    pub(crate) tables: Vec<(usize, usize)>,
}

impl Subject {
    /// None if it is no class.
    pub(crate) fn new(bytes: &Bytes) -> Option<Self> {
        let file = ClassFile::read(bytes).ok()?;
        let mut this = Self {
            name: String::from_utf8_lossy(file.name).into_owned(),
            bytes: bytes.clone(),
            pool_indices: pool_indices(&file),
            pool_len: file.pool.len(),
            instructions: Vec::new(),
            codes: Vec::new(),
            tables: Vec::new(),
        };
        for method in &file.methods {
            let Some(attribute) = method.attributes.find(&file.pool, "Code") else { continue };
            let (start, len) = (attribute.offset as usize, attribute.bytes.len());
            let code = Code::read(&attribute, file.version).ok()?;
            // The sizes before the instructions are wider since 45.3; old subjects are few.
            let first = start + if file.version.major > 45 || file.version.minor >= 3 { 8 } else { 4 };
            let mut pc = 0;
            while pc < code.instructions.len() {
                this.instructions.push(first + pc as usize);
                pc = code.instructions.at(pc).ok()?.1;
            }
            let after = first + code.instructions.len() as usize;
            this.codes.push((start, len));
            this.tables.push((after, start + len - after));
        }
        Some(this)
    }
}

fn pool_indices(file: &ClassFile<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    for index in 1..file.pool.len() {
        let at = file.pool.offset(index) as usize;
        match file.pool.tag(index) {
            Some(Tag::Class | Tag::String | Tag::MethodType | Tag::Module | Tag::Package) => {
                found.push(at + 1);
            }
            Some(Tag::MethodHandle) => found.push(at + 2),
            Some(
                Tag::FieldRef
                | Tag::MethodRef
                | Tag::InterfaceMethodRef
                | Tag::NameAndType
                | Tag::Dynamic
                | Tag::InvokeDynamic,
            ) => found.extend([at + 1, at + 3]),
            Some(Tag::Utf8 | Tag::Integer | Tag::Float | Tag::Long | Tag::Double) | None => {}
        }
    }
    found
}
