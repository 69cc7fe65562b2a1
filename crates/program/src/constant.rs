//! Constants that bytecode and bootstrap methods load.

use heliostat_classfile::{Tag, Version};
use heliostat_index::{Symbol, id};

use crate::{ClassId, DescriptorId, FieldRefId, MethodRefId, Program, TypeId};

id! {
    /// A method handle constant.
    pub struct HandleId = "handle";
}
id! {
    /// A dynamic constant or an `invokedynamic` call site's specifier.
    pub struct DynamicId = "dynamic";
}

/// A loadable constant. Floating point numbers are kept as bits, so that equal means identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the kinds of JVMS table 4.4-C")]
pub enum Constant {
    Null,
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    String(Symbol),
    Class(TypeId),
    Handle(HandleId),
    MethodType(DescriptorId),
    Dynamic(DynamicId),
}

impl Constant {
    /// The type of the constant.
    pub fn ty(self, program: &Program) -> TypeId {
        match self {
            Self::Null => TypeId::NULL,
            Self::Int(_) => TypeId::INT,
            Self::Long(_) => TypeId::LONG,
            Self::Float(_) => TypeId::FLOAT,
            Self::Double(_) => TypeId::DOUBLE,
            Self::String(_) => TypeId::STRING,
            Self::Class(_) => TypeId::CLASS,
            Self::Handle(_) => TypeId::METHOD_HANDLE,
            Self::MethodType(_) => TypeId::METHOD_TYPE,
            Self::Dynamic(id) => match program.dynamic(id).ty {
                DynamicType::Constant(ty) => ty,
                DynamicType::Call(_) => TypeId::OBJECT,
            },
        }
    }
}

/// What a method handle does with its member (JVMS table 5.4.3.5-A).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of JVMS table 5.4.3.5-A")]
#[repr(u8)]
pub enum HandleKind {
    GetField = 1,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

impl HandleKind {
    /// All kinds, by number from 1.
    pub const ALL: [Self; 9] = [
        Self::GetField,
        Self::GetStatic,
        Self::PutField,
        Self::PutStatic,
        Self::InvokeVirtual,
        Self::InvokeStatic,
        Self::InvokeSpecial,
        Self::NewInvokeSpecial,
        Self::InvokeInterface,
    ];

    pub(crate) fn new(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Whether its member is a field.
    pub fn is_field(self) -> bool {
        matches!(self, Self::GetField | Self::GetStatic | Self::PutField | Self::PutStatic)
    }

    /// JVMS 4.4.8: whether its member may be such a constant in a class of this version.
    pub(crate) fn admits(self, member: Option<Tag>, version: Version) -> bool {
        match self {
            Self::GetField | Self::GetStatic | Self::PutField | Self::PutStatic => {
                member == Some(Tag::FieldRef)
            }
            Self::InvokeVirtual | Self::NewInvokeSpecial => member == Some(Tag::MethodRef),
            Self::InvokeStatic | Self::InvokeSpecial => match member {
                Some(Tag::MethodRef) => true,
                Some(Tag::InterfaceMethodRef) => version.major >= 52,
                _ => false,
            },
            Self::InvokeInterface => member == Some(Tag::InterfaceMethodRef),
        }
    }

    /// The name used in the textual IR.
    pub fn name(self) -> &'static str {
        match self {
            Self::GetField => "getfield",
            Self::GetStatic => "getstatic",
            Self::PutField => "putfield",
            Self::PutStatic => "putstatic",
            Self::InvokeVirtual => "virtual",
            Self::InvokeStatic => "static",
            Self::InvokeSpecial => "special",
            Self::NewInvokeSpecial => "new",
            Self::InvokeInterface => "interface",
        }
    }
}

/// The member a method handle is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "self-explanatory")]
pub enum HandleMember {
    Field(FieldRefId),
    Method(MethodRefId),
}

/// A method handle constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle {
    /// What it does.
    pub kind: HandleKind,
    /// With which member.
    pub member: HandleMember,
}

/// Whether a dynamic entity is a constant or a call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DynamicType {
    /// A constant of this type.
    Constant(TypeId),
    /// A call site of this type.
    Call(DescriptorId),
}

/// A dynamic constant or an `invokedynamic` call site's specifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dynamic {
    /// The class whose bootstrap table is meant.
    pub class: ClassId,
    /// The row of that table.
    pub bootstrap: u16,
    /// The name given to the bootstrap method.
    pub name: Symbol,
    /// The type given to the bootstrap method.
    pub ty: DynamicType,
}

/// A row of a class's bootstrap table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap {
    /// The bootstrap method.
    pub method: HandleId,
    /// Its static arguments.
    pub arguments: Vec<Constant>,
}
