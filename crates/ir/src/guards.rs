//! Branches that an `instanceof` decides.

use heliostat_classfile::Condition;
use heliostat_program::TypeId;

use crate::{Block, Body, Op, Test, Value};

/// A block that ends with a branch on `value instanceof ty`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeGuard {
    /// The value that is tested.
    pub value: Value,
    /// The type it is tested for.
    pub ty: TypeId,
    /// Where control goes if it is of the type.
    pub holds: Block,
    /// Where control goes if it is not, or is null.
    pub fails: Block,
}

impl Body {
    /// The type test that decides where a block goes, if one does.
    pub fn type_guard(&self, block: Block) -> Option<TypeGuard> {
        let branch = self.terminator(block)?;
        let Op::If(Test::Zero(condition), then, otherwise) = self.insts[branch].op else { return None };
        let (test, Op::InstanceOf(ty)) = self.def(*self.args(branch).first()?)? else { return None };
        let value = *self.args(test).first()?;
        let (holds, fails) = match condition {
            Condition::Ne => (then, otherwise),
            Condition::Eq => (otherwise, then),
            _ => return None,
        };
        Some(TypeGuard { value, ty, holds, fails })
    }
}
