//! Classes, methods and fields.

use std::ops::Range;

use bytes::Bytes;
use heliostat_classfile::{Flags, Version};
use heliostat_index::{PackedOption, Symbol, id};

use crate::{SelectorId, TypeId};

id! {
    /// A class that has a definition.
    pub struct ClassId = "c";
}
id! {
    /// A method that a class declares.
    pub struct MethodId = "m";
}
id! {
    /// A field that a class declares.
    pub struct FieldId = "f";
}
id! {
    /// Where a class came from; the caller of [`crate::Builder::add`] knows what it means.
    pub struct SourceId = "source";
}

/// A class, interface, enum, record or annotation.
#[derive(Debug, Clone)]
pub struct Class {
    /// Its type.
    pub ty: TypeId,
    /// Its flags.
    pub flags: Flags,
    /// The class file's version.
    pub version: Version,
    /// Its declared superclass, which may be missing.
    pub super_type: PackedOption<TypeId>,
    /// The nest host it names; none if it names none.
    pub nest_host: PackedOption<TypeId>,
    /// Its source file's name, if told.
    pub source_file: PackedOption<Symbol>,
    /// Its fields, in class file order.
    pub fields: Range<FieldId>,
    /// Its methods, in class file order.
    pub methods: Range<MethodId>,
    /// Where it came from.
    pub source: SourceId,
    /// The whole class file.
    pub bytes: Bytes,
    pub(crate) interfaces: Range<u32>,
}

/// A method declaration.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name and descriptor.
    pub selector: SelectorId,
    /// Its flags.
    pub flags: Flags,
    /// Its bytecode's place in the class file: offset and length of the `Code` attribute's content;
    /// the offset is 0 for a method without code.
    pub code: (u32, u32),
}

impl Method {
    /// Whether it has bytecode.
    pub fn has_code(&self) -> bool {
        self.code.0 != 0
    }
}

/// A field declaration.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub ty: TypeId,
    /// Its flags.
    pub flags: Flags,
}
