//! Typed SSA form of method bodies, its verifier and its text form.
//!
//! [`Lowerer`] turns the bytecode of one method into a [`Body`]; the class must have been linked.
//! It trusts no `StackMapTable`: types are inferred, and [`Lowerer::lower_checked`] compares them with the
//! frames. [`verify`](fn@verify) holds the specification of the form in its doc comment.

mod body;
mod dominators;
mod frames;
mod guards;
mod lower;
mod op;
mod text;
mod types;
mod verify;

pub use body::{
    Block, BlockData, Body, Catcher, Definition, Inst, InstData, Pred, SwitchId, SwitchTable, Value,
    ValueData,
};
pub use dominators::{Dominators, PostDominators};
pub use frames::{Disagreement, FrameCheck};
pub use guards::TypeGuard;
pub use lower::Lowerer;
pub use op::{CallKind, Op, Test};
pub use text::{ParseError, parse, print};
pub use verify::{Violation, verify};
