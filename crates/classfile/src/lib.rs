//! Total reader of Java class files: bytes in, structure and problems out.
//!
//! Knows the format of JVMS chapter 4 for class versions 45 to 69 and nothing else: no paths, no
//! other classes. Every function returns for every input; what is wrong comes back as a
//! [`Malformed`] with its offset, and what could be read is still there. Nothing is copied: a
//! [`ClassFile`] borrows the bytes it was read from.
#![warn(clippy::indexing_slicing)]

mod attributes;
mod class;
mod code;
mod cursor;
mod descriptor;
mod flags;
mod frames;
mod insn;
mod malformed;
mod module;
pub mod mutf8;
mod operator;
mod pool;

pub use attributes::{Attribute, Attributes, Bootstrap};
pub use class::{ClassFile, Member, Version};
pub use code::{Code, Handler, LineNumber};
pub use descriptor::{Descriptor, MethodDescriptor, field_descriptor, method_descriptor};
pub use flags::Flags;
pub use frames::{Frame, Frames, VerificationType};
pub use insn::{Condition, ElementKind, Insn, Instructions, Switch};
pub use malformed::{Malformed, What};
pub use module::ModuleProvides;
pub use operator::{Operator, ValueKind};
pub use pool::{Constant, ConstantPool, MemberRef, MethodHandleConstant, Tag};
