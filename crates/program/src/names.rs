//! How types and members are written for people, and in the textual IR.

use std::fmt::Write;

use heliostat_classfile::mutf8;
use heliostat_index::Symbol;

use crate::{
    ClassId, DescriptorId, FieldId, FieldRefId, MethodId, MethodRefId, Program, SelectorId, TypeId, TypeKind,
};

/// Writes a string constant in quotes, with escapes for what would not print or parse.
pub fn quote(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for &byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b' '..=b'~' => out.push(byte.into()),
            _ => _ = write!(out, "\\x{byte:02x}"),
        }
    }
    out.push('"');
    out
}

/// Bytes that a name may have without quotes.
pub fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'/' | b'-' | b'<' | b'>' | b'+')
}

/// Whether a name can stand as it is; others are put in quotes.
fn is_plain(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().copied().all(is_name_byte)
}

impl Program {
    /// A name, in quotes if it has characters that mean something in the textual IR.
    pub fn name_text(&self, name: Symbol) -> String {
        let bytes = self.symbols.bytes(name);
        if is_plain(bytes) { self.symbols.text(name).into_owned() } else { quote(bytes) }
    }

    /// A type as a descriptor: `I`, `Ljava/lang/String;`, `[[J`; `null` for the type of null.
    pub fn type_text(&self, ty: TypeId) -> String {
        let name = self.types.name(ty);
        match self.types.kind(ty) {
            TypeKind::Class(_) => format!("L{};", mutf8::decode_lossy(self.symbols.bytes(name))),
            TypeKind::Basic | TypeKind::Array(_) => mutf8::decode_lossy(self.symbols.bytes(name)),
        }
    }

    /// The internal name of a class, for messages.
    pub fn class_name(&self, class: ClassId) -> String {
        self.type_name(self.classes()[class].ty)
    }

    /// The internal name of a class type, or the descriptor of another type, for messages.
    pub fn type_name(&self, ty: TypeId) -> String {
        mutf8::decode_lossy(self.symbols.bytes(self.types.name(ty)))
    }

    fn member_name(&self, owner: TypeId, selector: SelectorId) -> String {
        let selector = self.selector(selector);
        let name = mutf8::decode_lossy(self.symbols.bytes(selector.name));
        format!("{}.{name}{}", self.type_name(owner), self.descriptor_text(selector.descriptor))
    }

    /// A method as `pkg/Class.name(ILjava/lang/String;)V`.
    pub fn method_name(&self, method: MethodId) -> String {
        let method = &self.methods()[method];
        self.member_name(self.classes()[method.class].ty, method.selector)
    }

    /// A method reference as `pkg/Class.name(ILjava/lang/String;)V`.
    pub fn method_ref_name(&self, id: MethodRefId) -> String {
        let reference = self.method_ref(id);
        self.member_name(reference.owner, reference.selector)
    }

    /// A field as `pkg/Class.name:I`.
    pub fn field_name(&self, field: FieldId) -> String {
        let field = &self.fields()[field];
        self.field_text(self.classes()[field.class].ty, field.name, field.ty)
    }

    /// A field reference as `pkg/Class.name:I`.
    pub fn field_ref_name(&self, id: FieldRefId) -> String {
        let reference = self.field_ref(id);
        self.field_text(reference.owner, reference.name, reference.ty)
    }

    fn field_text(&self, owner: TypeId, name: Symbol, ty: TypeId) -> String {
        format!(
            "{}.{}:{}",
            self.type_name(owner),
            mutf8::decode_lossy(self.symbols.bytes(name)),
            self.type_text(ty)
        )
    }

    /// A method descriptor as the class file has it.
    pub fn descriptor_text(&self, descriptor: DescriptorId) -> String {
        mutf8::decode_lossy(self.symbols.bytes(self.method_type(descriptor).text))
    }
}
