//! The text form of the IR: what `heliostat ir` prints, and what tests read back.
//!
//! ```text
//! method Lacme/Loader;.load(Ljava/lang/String;)Ljava/lang/Object; {
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
//! Types are descriptors; names with unusual characters stand in quotes; `#` begins a comment. In phis, an
//! operand follows the block that its edge comes from, with `!` before exceptional ones.

mod cursor;
mod parse;
mod print;

pub use cursor::ParseError;
pub use parse::parse;
pub use print::print;

use heliostat_classfile::{Condition, ElementKind};

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

/// The word that a table has for a key.
fn word<K: PartialEq>(table: &[(K, &'static str)], key: &K) -> &'static str {
    table.iter().find(|(k, _)| k == key).map_or("", |(_, word)| word)
}
