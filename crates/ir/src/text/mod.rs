//! The text form of the IR: what `heliostat ir` prints, and what tests read back.
//!
//! ```text
//! method public Lacme/Loader;.load(Ljava/lang/String;)Ljava/lang/Object; {
//!   params v0: Lacme/Loader;, v1: Ljava/lang/String;
//! b0: catch (Ljava/lang/ClassNotFoundException; b1)
//!   @1 L12  v2: Ljava/lang/Class; = call static Ljava/lang/Class;.forName(Ljava/lang/String;)Ljava/lang/Class; v1
//!   @4 L12  return v2
//! b1: # from !b0
//!   @5 L13  v3: Ljava/lang/ClassNotFoundException; = catch
//!   @5 L13  goto b2
//! …
//! }
//! ```
//! Each line holds bytecode offset, source line if known, result with its type, operation, operands.
//! The method's flags stand before it. References are to members of classes, but for `call interface` and handles of
//! that kind, where they are to members of interfaces; `(interface)` or `(class)` says so where it is otherwise.
//! Types are descriptors; names with unusual characters stand in quotes; `#` begins a comment. In phis, an
//! operand follows the block that its edge comes from, with `!` before exceptional ones.

mod cursor;
mod parse;
mod print;

pub use cursor::ParseError;
pub use parse::parse;
pub use print::print;

use heliostat_classfile::{Condition, ElementKind, Flags};
use heliostat_program::HandleKind;

use crate::CallKind;

const CONDITIONS: [(Condition, &str); 6] = [
    (Condition::Eq, "=="),
    (Condition::Ne, "!="),
    (Condition::Lt, "<"),
    (Condition::Ge, ">="),
    (Condition::Gt, ">"),
    (Condition::Le, "<="),
];

const ELEMENTS: [(ElementKind, &str); 8] = [
    (ElementKind::Int, "int"),
    (ElementKind::Long, "long"),
    (ElementKind::Float, "float"),
    (ElementKind::Double, "double"),
    (ElementKind::Ref, "ref"),
    (ElementKind::Byte, "byte"),
    (ElementKind::Char, "char"),
    (ElementKind::Short, "short"),
];

/// The flags of methods, in the order in which they are written.
const FLAGS: [(Flags, &str); 12] = [
    (Flags::PUBLIC, "public"),
    (Flags::PRIVATE, "private"),
    (Flags::PROTECTED, "protected"),
    (Flags::ABSTRACT, "abstract"),
    (Flags::STATIC, "static"),
    (Flags::FINAL, "final"),
    (Flags::SYNCHRONIZED, "synchronized"),
    (Flags::BRIDGE, "bridge"),
    (Flags::VARARGS, "varargs"),
    (Flags::NATIVE, "native"),
    (Flags::STRICT, "strict"),
    (Flags::SYNTHETIC, "synthetic"),
];

/// Whether a call's method is an interface's, unless the text says otherwise.
fn calls_interface(kind: CallKind) -> bool {
    kind == CallKind::Interface
}

/// Whether a handle's method is an interface's, unless the text says otherwise.
fn is_of_interface(kind: HandleKind) -> bool {
    kind == HandleKind::InvokeInterface
}

/// The word that a table has for a key.
fn word<K: PartialEq>(table: &[(K, &'static str)], key: &K) -> &'static str {
    table.iter().find(|(k, _)| k == key).map_or("", |(_, word)| word)
}
