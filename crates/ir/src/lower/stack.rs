//! The operand stack of the block that is being translated.

use heliostat_classfile::ValueKind;
use smallvec::SmallVec;

use super::graph::Graph;
use super::ssa::Ssa;
use crate::{Block, Value};

/// Why something cannot be done with the stack.
type Wrong = &'static str;

/// Values, of which longs and doubles take two slots.
#[derive(Debug, Default)]
pub(super) struct OperandStack {
    values: Vec<Value>,
    slots: usize,
}

impl OperandStack {
    /// The stack that a node begins with.
    pub(super) fn enter(&mut self, ssa: &mut Ssa, graph: &Graph, node: Block) {
        ssa.enter(graph, node, &mut self.values);
        self.slots = self.values.iter().map(|&value| slots(ssa, value)).sum();
    }

    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    /// Its depth as `max_stack` counts it.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.slots = 0;
    }

    pub(super) fn push(&mut self, value: Value, ssa: &Ssa) {
        self.values.push(value);
        self.slots += slots(ssa, value);
    }

    pub(super) fn pop(&mut self, kind: ValueKind, ssa: &Ssa) -> Result<Value, Wrong> {
        let value = self.values.pop().ok_or("the operand stack is empty")?;
        self.slots -= slots(ssa, value);
        if ssa.kind(value) == kind { Ok(value) } else { Err("operand of another kind") }
    }

    pub(super) fn drop_slots(&mut self, count: usize, ssa: &Ssa) -> Result<(), Wrong> {
        let depth = self.values.len() - self.entries(self.values.len(), count, ssa)?;
        self.values.truncate(depth);
        self.slots -= count;
        Ok(())
    }

    /// Puts a copy of the top slots below the slots under them.
    pub(super) fn dup(&mut self, copied: usize, under: usize, ssa: &Ssa) -> Result<(), Wrong> {
        let top = self.values.len();
        let first = top - self.entries(top, copied, ssa)?;
        let insert_at = first - self.entries(first, under, ssa)?;
        let values: SmallVec<[Value; 2]> = self.values[first..].into();
        self.values.splice(insert_at..insert_at, values);
        self.slots += copied;
        Ok(())
    }

    /// How many entries from `top` down make up this many slots.
    fn entries(&self, top: usize, count: usize, ssa: &Ssa) -> Result<usize, Wrong> {
        let (mut entries, mut seen) = (0, 0);
        while seen < count {
            let at = top.checked_sub(entries + 1).ok_or("the operand stack is empty")?;
            seen += slots(ssa, self.values[at]);
            entries += 1;
        }
        if seen == count { Ok(entries) } else { Err("half of a long or double") }
    }
}

fn slots(ssa: &Ssa, value: Value) -> usize {
    1 + usize::from(ssa.kind(value).is_wide())
}
