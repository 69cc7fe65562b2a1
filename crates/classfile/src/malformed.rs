//! What can be wrong with a class file, and where.

use std::fmt;

/// Something in a class file that is not as the specification says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed {
    /// Offset in the class file (for code: of the instruction, also in the class file).
    pub offset: u32,
    /// What is wrong there.
    pub what: What,
}

/// The kinds of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The bytes end before the structure does.
    Truncated,
    /// The file does not begin with `CAFEBABE`.
    NotAClass,
    /// The class version is one this reader does not know.
    Version(u16),
    /// The constant pool has an entry with an unknown tag.
    PoolTag(u8),
    /// A constant pool index that is out of range or of another kind than its user expects.
    PoolIndex {
        /// The index.
        index: u16,
        /// What its user expects to find there.
        expected: &'static str,
    },
    /// A field or method descriptor that cannot be parsed.
    Descriptor,
    /// An attribute's content does not fit its length.
    Attribute(&'static str),
    /// Bytes are left after the end of the class.
    TrailingBytes,
    /// An unknown opcode.
    Opcode(u8),
    /// A jump to where no instruction begins.
    JumpTarget(i64),
    /// Anything else that the specification forbids.
    Invalid(&'static str),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("unexpected end of data"),
            Self::NotAClass => f.write_str("not a class file (no CAFEBABE)"),
            Self::Version(major) => write!(f, "class version {major} is not supported (45 to 69 are)"),
            Self::PoolTag(tag) => write!(f, "unknown constant pool tag {tag}"),
            Self::PoolIndex { index, expected } => {
                write!(f, "constant pool index {index} is not {expected}")
            }
            Self::Descriptor => f.write_str("malformed descriptor"),
            Self::Attribute(name) => write!(f, "malformed attribute {name}"),
            Self::TrailingBytes => f.write_str("bytes after the end of the class"),
            Self::Opcode(op) => write!(f, "unknown opcode {op:#04x}"),
            Self::JumpTarget(to) => write!(f, "jump to {to}, where no instruction begins"),
            Self::Invalid(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.what, self.offset)
    }
}

impl std::error::Error for Malformed {}
