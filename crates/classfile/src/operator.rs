//! The operators that compute primitive values: arithmetic, logic, conversions, comparisons.

/// The kinds of values that the JVM computes with; small integers are `Int`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the JVM's computational types, JVMS 2.11.1")]
pub enum ValueKind {
    Int,
    Long,
    Float,
    Double,
    Ref,
}

use ValueKind::{Double, Float, Int, Long};

impl ValueKind {
    /// The kinds in the order in which opcodes enumerate them (`iload lload fload dload aload`).
    pub(crate) fn of_opcode(offset: u8) -> Self {
        match offset {
            0 => Int,
            1 => Long,
            2 => Float,
            3 => Double,
            _ => Self::Ref,
        }
    }

    /// Whether values of this kind take two slots.
    pub fn is_wide(self) -> bool {
        matches!(self, Long | Double)
    }
}

/// One of the JVM's 56 computing instructions, `iadd` to `dcmpg` without `iinc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operator(u8);

const FIRST: u8 = 0x60;

const NAMES: [&str; 57] = [
    "iadd", "ladd", "fadd", "dadd", "isub", "lsub", "fsub", "dsub", "imul", "lmul", "fmul", "dmul", "idiv",
    "ldiv", "fdiv", "ddiv", "irem", "lrem", "frem", "drem", "ineg", "lneg", "fneg", "dneg", "ishl", "lshl",
    "ishr", "lshr", "iushr", "lushr", "iand", "land", "ior", "lor", "ixor", "lxor", "iinc", "i2l", "i2f",
    "i2d", "l2i", "l2f", "l2d", "f2i", "f2l", "f2d", "d2i", "d2l", "d2f", "i2b", "i2c", "i2s", "lcmp",
    "fcmpl", "fcmpg", "dcmpl", "dcmpg",
];

impl Operator {
    /// Integer addition, which `iinc` also stands for.
    pub const IADD: Self = Self(FIRST);

    /// The operator of an opcode, if it is one.
    pub(crate) fn of_opcode(opcode: u8) -> Option<Self> {
        (matches!(opcode, 0x60..=0x98) && opcode != 0x84).then_some(Self(opcode))
    }

    /// The JVM's name of it.
    pub fn name(self) -> &'static str {
        NAMES.get(usize::from(self.0 - FIRST)).copied().unwrap_or("")
    }

    /// The operator of this name.
    pub fn named(name: &str) -> Option<Self> {
        let at = NAMES.iter().position(|n| *n == name)?;
        Self::of_opcode(FIRST + at as u8)
    }

    /// The kinds of its one or two operands.
    pub fn operands(self) -> &'static [ValueKind] {
        match self.0 {
            0x60..=0x73 | 0x7e..=0x83 => pair(self.kind()),
            0x78..=0x7d if self.kind() == Long => &[Long, Int],
            0x78..=0x7d => &[Int, Int],
            0x74..=0x77 => single(self.kind()),
            0x94 => pair(Long),
            0x95 | 0x96 => pair(Float),
            0x97 | 0x98 => pair(Double),
            _ => single(self.source()),
        }
    }

    /// The kind of its result.
    pub fn result(self) -> ValueKind {
        match self.0 {
            0x60..=0x83 => self.kind(),
            0x85 | 0x8c | 0x8f => Long,
            0x86 | 0x89 | 0x90 => Float,
            0x87 | 0x8a | 0x8d => Double,
            _ => Int,
        }
    }

    /// The kind that arithmetic works on: groups of four (`iadd` …), then of two (`ishl` …).
    fn kind(self) -> ValueKind {
        let groups = if self.0 < 0x78 { 4 } else { 2 };
        ValueKind::of_opcode(self.0 % groups)
    }

    /// The kind that a conversion starts from.
    fn source(self) -> ValueKind {
        match self.0 {
            0x88..=0x8a => Long,
            0x8b..=0x8d => Float,
            0x8e..=0x90 => Double,
            _ => Int,
        }
    }
}

fn single(kind: ValueKind) -> &'static [ValueKind] {
    pair(kind).get(..1).unwrap_or(&[])
}

fn pair(kind: ValueKind) -> &'static [ValueKind] {
    match kind {
        Int => &[Int, Int],
        Long => &[Long, Long],
        Float => &[Float, Float],
        Double => &[Double, Double],
        ValueKind::Ref => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operator's own name says its kinds: `lshl` takes a long and an int, `d2f` makes a float.
    #[test]
    fn kinds_follow_names() {
        let kind = |c| match c {
            'i' | 'b' | 'c' | 's' => Int,
            'l' => Long,
            'f' => Float,
            'd' => Double,
            _ => ValueKind::Ref,
        };
        for opcode in 0..=255 {
            let Some(op) = Operator::of_opcode(opcode) else { continue };
            let name = op.name();
            assert_eq!(Operator::named(name), Some(op));
            let letters: Vec<char> = name.chars().collect();
            let first = kind(letters[0]);
            let (operands, result) = if letters[1] == '2' {
                (vec![first], kind(letters[2]))
            } else if name.contains("cmp") {
                (vec![first, first], Int)
            } else if name.ends_with("neg") {
                (vec![first], first)
            } else if name.contains("sh") {
                (vec![first, Int], first)
            } else {
                (vec![first, first], first)
            };
            assert_eq!((op.operands(), op.result()), (&operands[..], result), "{name}");
        }
    }
}
