//! Bytecode instructions (JVMS chapter 6), decoded one at a time at any offset.

use crate::cursor::Cursor;
use crate::{Malformed, Operator, ValueKind, What};

/// The comparisons of conditional jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the suffixes of the if instructions")]
pub enum Condition {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

/// The element types that array instructions tell apart; `Byte` is also `boolean`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the prefixes of the array instructions")]
pub enum ElementKind {
    Int,
    Long,
    Float,
    Double,
    Ref,
    Byte,
    Char,
    Short,
}

impl ElementKind {
    fn of_opcode(offset: u8) -> Self {
        match offset {
            0 => Self::Int,
            1 => Self::Long,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Ref,
            5 => Self::Byte,
            6 => Self::Char,
            _ => Self::Short,
        }
    }

    /// The kind of value on the stack.
    pub fn value(self) -> ValueKind {
        match self {
            Self::Int | Self::Byte | Self::Char | Self::Short => ValueKind::Int,
            Self::Long => ValueKind::Long,
            Self::Float => ValueKind::Float,
            Self::Double => ValueKind::Double,
            Self::Ref => ValueKind::Ref,
        }
    }
}

/// One instruction. Jump targets are absolute; pool indices are not looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the instructions of JVMS chapter 6, grouped")]
pub enum Insn<'a> {
    Nop,
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// `ldc`, `ldc_w`, `ldc2_w`
    LoadConstant(u16),
    Load(ValueKind, u16),
    Store(ValueKind, u16),
    ArrayLoad(ElementKind),
    ArrayStore(ElementKind),
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    Compute(Operator),
    Increment(u16, i32),
    /// Compares an int with 0.
    IfZero(Condition, u32),
    /// Compares two ints.
    IfInt(Condition, u32),
    /// Compares two references; only `Eq` and `Ne`.
    IfRef(Condition, u32),
    /// Compares a reference with null; `Eq` and `Ne`.
    IfNull(Condition, u32),
    Goto(u32),
    Jsr(u32),
    Ret(u16),
    Switch(Switch<'a>),
    /// None for `void`.
    Return(Option<ValueKind>),
    GetStatic(u16),
    PutStatic(u16),
    GetField(u16),
    PutField(u16),
    InvokeVirtual(u16),
    InvokeSpecial(u16),
    InvokeStatic(u16),
    InvokeInterface(u16),
    InvokeDynamic(u16),
    New(u16),
    /// The descriptor of the primitive element type.
    NewPrimitiveArray(u8),
    NewArray(u16),
    ArrayLength,
    Throw,
    CheckCast(u16),
    InstanceOf(u16),
    MonitorEnter,
    MonitorExit,
    /// Pool index of the array type, number of dimensions given.
    MultiNewArray(u16, u8),
}

/// The operands of `tableswitch` and `lookupswitch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch<'a> {
    /// Where to go when no case fits.
    pub default: u32,
    pc: u32,
    /// The least key of a `tableswitch`; none for a `lookupswitch`.
    low: Option<i32>,
    table: &'a [u8],
}

impl<'a> Switch<'a> {
    /// Keys and targets, in order. A target outside of all code is `u32::MAX`.
    pub fn cases(self) -> impl Iterator<Item = (i32, u32)> + 'a {
        let mut cursor = Cursor::new(self.table, 0);
        let mut next = self.low;
        std::iter::from_fn(move || {
            let key = match &mut next {
                Some(key) => {
                    let this = *key;
                    *key = key.wrapping_add(1);
                    this
                }
                None => cursor.i4().ok()?,
            };
            let target = i64::from(self.pc) + i64::from(cursor.i4().ok()?);
            Some((key, u32::try_from(target).unwrap_or(u32::MAX)))
        })
    }
}

/// The bytecode of a method.
#[derive(Debug, Clone, Copy)]
pub struct Instructions<'a> {
    code: &'a [u8],
    base: u32,
}

impl<'a> Instructions<'a> {
    pub(crate) fn new(code: &'a [u8], base: u32) -> Result<Self, Malformed> {
        if code.is_empty() || code.len() > 65535 {
            return Err(Malformed { offset: base, what: What::Invalid("code length is not 1 to 65535") });
        }
        Ok(Self { code, base })
    }

    /// The number of bytes.
    pub fn len(&self) -> u32 {
        self.code.len() as u32
    }

    /// The bytes themselves.
    pub fn bytes(&self) -> &'a [u8] {
        self.code
    }

    /// Never true: a method body has at least one instruction.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// A problem at a bytecode offset, with its offset in the class file.
    pub fn malformed(&self, pc: u32, what: What) -> Malformed {
        Malformed { offset: self.base.saturating_add(pc), what }
    }

    /// The instruction at bytecode offset `pc`, and the offset of the next one.
    pub fn at(&self, pc: u32) -> Result<(Insn<'a>, u32), Malformed> {
        let rest = self.code.get(pc as usize..).unwrap_or(&[]);
        let start = self.base.saturating_add(pc);
        let mut decoder = Decoder { cursor: Cursor::new(rest, start), start, pc, len: self.len() };
        // Wherever in the instruction it is found: the instruction is what is told.
        let insn = decoder.insn().map_err(|problem| self.malformed(pc, problem.what))?;
        Ok((insn, decoder.cursor.offset() - self.base))
    }
}

struct Decoder<'a> {
    cursor: Cursor<'a>,
    /// Offset of the instruction in the class file.
    start: u32,
    pc: u32,
    len: u32,
}

impl<'a> Decoder<'a> {
    fn insn(&mut self) -> Result<Insn<'a>, Malformed> {
        let opcode = self.cursor.u1()?;
        Ok(match opcode {
            0x00 => Insn::Nop,
            0x01 => Insn::Null,
            0x02..=0x08 => Insn::Int(i32::from(opcode) - 3),
            0x09 | 0x0a => Insn::Long(i64::from(opcode) - 9),
            0x0b..=0x0d => Insn::Float(f32::from(opcode - 0x0b)),
            0x0e | 0x0f => Insn::Double(f64::from(opcode - 0x0e)),
            0x10 => Insn::Int(self.cursor.i1()?.into()),
            0x11 => Insn::Int(self.cursor.i2()?.into()),
            0x12 => Insn::LoadConstant(self.cursor.u1()?.into()),
            0x13 | 0x14 => Insn::LoadConstant(self.cursor.u2()?),
            0x15..=0x19 => Insn::Load(ValueKind::of_opcode(opcode - 0x15), self.cursor.u1()?.into()),
            0x1a..=0x2d => {
                let short = opcode - 0x1a;
                Insn::Load(ValueKind::of_opcode(short / 4), u16::from(short % 4))
            }
            0x2e..=0x35 => Insn::ArrayLoad(ElementKind::of_opcode(opcode - 0x2e)),
            0x36..=0x3a => Insn::Store(ValueKind::of_opcode(opcode - 0x36), self.cursor.u1()?.into()),
            0x3b..=0x4e => {
                let short = opcode - 0x3b;
                Insn::Store(ValueKind::of_opcode(short / 4), u16::from(short % 4))
            }
            0x4f..=0x56 => Insn::ArrayStore(ElementKind::of_opcode(opcode - 0x4f)),
            0x57 => Insn::Pop,
            0x58 => Insn::Pop2,
            0x59 => Insn::Dup,
            0x5a => Insn::DupX1,
            0x5b => Insn::DupX2,
            0x5c => Insn::Dup2,
            0x5d => Insn::Dup2X1,
            0x5e => Insn::Dup2X2,
            0x5f => Insn::Swap,
            0x84 => Insn::Increment(self.cursor.u1()?.into(), self.cursor.i1()?.into()),
            0x99..=0x9e => Insn::IfZero(condition(opcode - 0x99), self.jump()?),
            0x9f..=0xa4 => Insn::IfInt(condition(opcode - 0x9f), self.jump()?),
            0xa5 | 0xa6 => Insn::IfRef(condition(opcode - 0xa5), self.jump()?),
            0xa7 => Insn::Goto(self.jump()?),
            0xa8 => Insn::Jsr(self.jump()?),
            0xa9 => Insn::Ret(self.cursor.u1()?.into()),
            0xaa => Insn::Switch(self.table_switch()?),
            0xab => Insn::Switch(self.lookup_switch()?),
            0xac..=0xb0 => Insn::Return(Some(ValueKind::of_opcode(opcode - 0xac))),
            0xb1 => Insn::Return(None),
            0xb2 => Insn::GetStatic(self.cursor.u2()?),
            0xb3 => Insn::PutStatic(self.cursor.u2()?),
            0xb4 => Insn::GetField(self.cursor.u2()?),
            0xb5 => Insn::PutField(self.cursor.u2()?),
            0xb6 => Insn::InvokeVirtual(self.cursor.u2()?),
            0xb7 => Insn::InvokeSpecial(self.cursor.u2()?),
            0xb8 => Insn::InvokeStatic(self.cursor.u2()?),
            0xb9 => self.with_padding(Insn::InvokeInterface)?,
            0xba => self.with_padding(Insn::InvokeDynamic)?,
            0xbb => Insn::New(self.cursor.u2()?),
            0xbc => self.new_primitive_array()?,
            0xbd => Insn::NewArray(self.cursor.u2()?),
            0xbe => Insn::ArrayLength,
            0xbf => Insn::Throw,
            0xc0 => Insn::CheckCast(self.cursor.u2()?),
            0xc1 => Insn::InstanceOf(self.cursor.u2()?),
            0xc2 => Insn::MonitorEnter,
            0xc3 => Insn::MonitorExit,
            0xc4 => self.wide()?,
            0xc5 => Insn::MultiNewArray(self.cursor.u2()?, self.cursor.u1()?),
            0xc6 | 0xc7 => Insn::IfNull(condition(opcode - 0xc6), self.jump()?),
            0xc8 => Insn::Goto(self.wide_jump()?),
            0xc9 => Insn::Jsr(self.wide_jump()?),
            _ => match Operator::of_opcode(opcode) {
                Some(operator) => Insn::Compute(operator),
                None => return Err(self.bad_opcode(opcode)),
            },
        })
    }

    fn wide(&mut self) -> Result<Insn<'a>, Malformed> {
        let opcode = self.cursor.u1()?;
        let local = self.cursor.u2()?;
        Ok(match opcode {
            0x15..=0x19 => Insn::Load(ValueKind::of_opcode(opcode - 0x15), local),
            0x36..=0x3a => Insn::Store(ValueKind::of_opcode(opcode - 0x36), local),
            0x84 => Insn::Increment(local, self.cursor.i2()?.into()),
            0xa9 => Insn::Ret(local),
            _ => return Err(self.bad_opcode(opcode)),
        })
    }

    fn bad_opcode(&self, opcode: u8) -> Malformed {
        Malformed { offset: self.start, what: What::Opcode(opcode) }
    }

    fn jump(&mut self) -> Result<u32, Malformed> {
        let delta = self.cursor.i2()?;
        self.target(delta.into())
    }

    fn wide_jump(&mut self) -> Result<u32, Malformed> {
        let delta = self.cursor.i4()?;
        self.target(delta)
    }

    fn target(&self, delta: i32) -> Result<u32, Malformed> {
        let target = i64::from(self.pc) + i64::from(delta);
        match u32::try_from(target) {
            Ok(pc) if pc < self.len => Ok(pc),
            _ => Err(self.cursor.error(What::JumpTarget(target))),
        }
    }

    /// An instruction with a pool index and two bytes of no further interest.
    fn with_padding(&mut self, insn: impl FnOnce(u16) -> Insn<'a>) -> Result<Insn<'a>, Malformed> {
        let index = self.cursor.u2()?;
        self.cursor.u2()?;
        Ok(insn(index))
    }

    fn new_primitive_array(&mut self) -> Result<Insn<'a>, Malformed> {
        let code = self.cursor.u1()?;
        let descriptor = usize::from(code).checked_sub(4).and_then(|i| b"ZCFDBSIJ".get(i));
        let bad = What::Invalid("unknown primitive array type");
        descriptor.map(|&d| Insn::NewPrimitiveArray(d)).ok_or(self.cursor.error(bad))
    }

    fn table_switch(&mut self) -> Result<Switch<'a>, Malformed> {
        let default = self.switch_default()?;
        let (low, high) = (self.cursor.i4()?, self.cursor.i4()?);
        let count = i64::from(high) - i64::from(low) + 1;
        let bytes = usize::try_from(count).ok().and_then(|n| n.checked_mul(4));
        let table = self.cursor.take(bytes.ok_or(self.cursor.error(What::Invalid("empty tableswitch")))?)?;
        Ok(Switch { default, pc: self.pc, low: Some(low), table })
    }

    fn lookup_switch(&mut self) -> Result<Switch<'a>, Malformed> {
        let default = self.switch_default()?;
        let count = self.cursor.i4()?;
        let bytes = usize::try_from(count).ok().and_then(|n| n.checked_mul(8));
        let bad = self.cursor.error(What::Invalid("negative lookupswitch"));
        Ok(Switch { default, pc: self.pc, low: None, table: self.cursor.take(bytes.ok_or(bad)?)? })
    }

    /// Skips the padding to a multiple of four, and reads the default target.
    fn switch_default(&mut self) -> Result<u32, Malformed> {
        self.cursor.take((3 - self.pc % 4) as usize)?;
        self.wide_jump()
    }
}

fn condition(offset: u8) -> Condition {
    match offset {
        0 => Condition::Eq,
        1 => Condition::Ne,
        2 => Condition::Lt,
        3 => Condition::Ge,
        4 => Condition::Gt,
        _ => Condition::Le,
    }
}
