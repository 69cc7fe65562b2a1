//! The operations of the IR.

use heliostat_classfile::{Condition, ElementKind, Operator};
use heliostat_program::{Constant, DynamicId, FieldRefId, MethodRefId, TypeId};

use crate::{Block, SwitchId};

/// How a method is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the four invoke instructions")]
pub enum CallKind {
    Static,
    Special,
    Virtual,
    Interface,
}

impl CallKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Static, Self::Special, Self::Virtual, Self::Interface];

    /// The name used in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Special => "special",
            Self::Virtual => "virtual",
            Self::Interface => "interface",
        }
    }
}

/// What a conditional jump tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Test {
    /// One int against 0.
    Zero(Condition),
    /// Two ints.
    Int(Condition),
    /// Two references, for being the same or not.
    Ref(Condition),
    /// One reference, for being null or not.
    Null(Condition),
}

impl Test {
    /// The number of values it looks at.
    pub fn arity(self) -> usize {
        match self {
            Self::Zero(_) | Self::Null(_) => 1,
            Self::Int(_) | Self::Ref(_) => 2,
        }
    }
}

/// What an instruction does. Its value operands are [`crate::Body::args`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// One of the operands, by the edge through which control came: one per entry of
    /// [`crate::Body::preds`].
    Phi,
    /// The exception that brought control to this landing block.
    Catch,
    /// A constant.
    Const(Constant),
    /// A new object of this class, not yet initialised.
    New(TypeId),
    /// A new array of this array type; operand: length.
    NewArray(TypeId),
    /// Nested new arrays, outermost of this array type; operands: lengths of the outer dimensions.
    NewMultiArray(TypeId),
    /// Operand: object.
    GetField(FieldRefId),
    /// Operands: object, value.
    PutField(FieldRefId),
    /// No operand.
    GetStatic(FieldRefId),
    /// Operand: value.
    PutStatic(FieldRefId),
    /// Operands: array, index.
    ArrayLoad(ElementKind),
    /// Operands: array, index, value.
    ArrayStore(ElementKind),
    /// Operand: array.
    ArrayLength,
    /// The operand, seen as this type.
    CheckCast(TypeId),
    /// 1 if the operand is not null and of this type, else 0.
    InstanceOf(TypeId),
    /// Operands: receiver unless static, arguments.
    Call(CallKind, MethodRefId),
    /// `invokedynamic`; operands: arguments.
    CallDynamic(DynamicId),
    /// A primitive computation.
    Compute(Operator),
    /// Operand: object.
    MonitorEnter,
    /// Operand: object.
    MonitorExit,
    /// Ends a block.
    Goto(Block),
    /// Ends a block: to the first if the test holds, else to the second.
    If(Test, Block, Block),
    /// Ends a block; operand: key.
    Switch(SwitchId),
    /// Ends a block; operand: the result, if there is one.
    Return,
    /// Ends a block; operand: the exception.
    Throw,
}

impl Op {
    /// Whether it ends a block.
    pub fn is_terminator(self) -> bool {
        matches!(self, Self::Goto(_) | Self::If(..) | Self::Switch(_) | Self::Return | Self::Throw)
    }
}
