//! Values of slots across blocks, and phis where they meet.
//!
//! A block that reads a slot it has not written asks for the slot's value at its entry. With one way
//! in, that is the value at the end of the block before; with several it is a new phi, whose operands
//! are filled in when all blocks are translated. Phis that turn out to merge a single value are dropped
//! (Braun et al., "Simple and Efficient Construction of Static Single Assignment Form", CC'13, with
//! work lists instead of recursion).

use heliostat_classfile::{Malformed, ValueKind};
use heliostat_index::{Id, IdVec, PackedOption};
use heliostat_program::TypeId;

use super::graph::Graph;
use super::scan::Scan;
use super::{Slot, Source, bounds};
use crate::frames::FrameTypes;
use crate::types::{computational, kind_of, least_type};
use crate::{Block, Value};

/// What gives a value, before everything is numbered anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Param(u16),
    Inst,
    Phi(u32),
}

#[derive(Debug)]
pub(super) struct Phi {
    pub(super) value: Value,
    pub(super) node: Block,
    slot: Slot,
    pub(super) args: (u32, u32),
}

/// Stands for the value of a local variable that no one sets.
const UNSET: Value = Value::from_u32(u32::MAX - 3);

#[derive(Debug, Default)]
pub(super) struct Ssa {
    locals: usize,
    /// Values of local variables at the entry of each node, as far as anyone asked; or [`UNSET`].
    entry: Vec<PackedOption<Value>>,
    /// Values that each node leaves in the local variables that it writes.
    exit: Vec<PackedOption<Value>>,
    pub(super) types: IdVec<Value, TypeId>,
    origins: IdVec<Value, Origin>,
    pub(super) phis: Vec<Phi>,
    pub(super) phi_args: Vec<Value>,
    /// Depth of the operand stack at each node's entry.
    entry_depth: IdVec<Block, u32>,
    exit_stacks: IdVec<Block, (u32, u32)>,
    stack_pool: Vec<Value>,
    /// What a dropped phi stands for; other values stand for themselves.
    pub(super) replaced: IdVec<Value, Value>,
}

impl Ssa {
    pub(super) fn begin(
        &mut self,
        source: &Source<'_>,
        scan: &Scan,
        graph: &Graph,
        frame_locals: usize,
    ) -> Result<(), Malformed> {
        let params: Vec<TypeId> = source.program.parameters(source.method).collect();
        let param_slots = params.iter().map(|&ty| width(ty)).sum();
        self.locals = scan.locals.max(param_slots).max(frame_locals);
        let cells = self.locals * graph.nodes.len();
        if cells > bounds::CELLS {
            return Err(source.invalid(0, "too many local variables and blocks"));
        }
        for matrix in [&mut self.entry, &mut self.exit] {
            matrix.clear();
            matrix.resize(cells, PackedOption::none());
        }
        self.types.clear();
        self.origins.clear();
        self.phis.clear();
        self.phi_args.clear();
        self.entry_depth.clear();
        self.exit_stacks.clear();
        self.stack_pool.clear();
        self.replaced.clear();
        let mut slot = 0;
        for (i, &ty) in params.iter().enumerate() {
            let value = self.new_value(computational(ty), Origin::Param(i as u16));
            self.entry[slot] = value.into();
            slot += width(ty);
        }
        Ok(())
    }

    pub(super) fn new_value(&mut self, ty: TypeId, origin: Origin) -> Value {
        self.origins.push(origin);
        self.types.push(ty)
    }

    pub(super) fn kind(&self, value: Value) -> ValueKind {
        kind_of(self.types[value])
    }

    pub(super) fn origin(&self, value: Value) -> Origin {
        self.origins[value]
    }

    pub(super) fn locals(&self) -> usize {
        self.locals
    }

    fn cell(&self, node: Block, local: u16) -> usize {
        node.index() * self.locals + usize::from(local)
    }

    pub(super) fn set_exit(&mut self, node: Block, local: u16, value: Value) {
        let cell = self.cell(node, local);
        self.exit[cell] = value.into();
    }

    /// The value of a local variable at the entry of a node; none if no one sets it.
    pub(super) fn entry_value(
        &mut self,
        graph: &Graph,
        node: Block,
        local: u16,
        kind: ValueKind,
    ) -> Option<Value> {
        let mut at = node;
        let value = loop {
            if let Some(known) = self.entry[self.cell(at, local)].expand() {
                break known;
            }
            match graph.preds(at) {
                [] => break UNSET,
                [only] => {
                    let written = self.exit[self.cell(only.block, local)].expand();
                    // An exception sees the variables as they were at the entry.
                    if let Some(value) = written.filter(|_| !only.exceptional) {
                        break value;
                    }
                    at = only.block;
                }
                _ => break self.new_phi(at, Slot::Local(local), kind),
            }
        };
        // Remember it on the way, so that the next one to ask does not walk as far.
        let mut back = node;
        while back != at {
            let cell = self.cell(back, local);
            self.entry[cell] = value.into();
            let [only] = graph.preds(back) else { break };
            back = only.block;
        }
        (value != UNSET).then_some(value)
    }

    fn exit_value(&mut self, graph: &Graph, node: Block, local: u16, kind: ValueKind) -> Option<Value> {
        match self.exit[self.cell(node, local)].expand() {
            Some(value) => Some(value),
            None => self.entry_value(graph, node, local, kind),
        }
    }

    fn new_phi(&mut self, node: Block, slot: Slot, kind: ValueKind) -> Value {
        let value = self.new_value(least_type(kind), Origin::Phi(self.phis.len() as u32));
        self.phis.push(Phi { value, node, slot, args: (0, 0) });
        if let Slot::Local(local) = slot {
            let cell = self.cell(node, local);
            self.entry[cell] = value.into();
        }
        value
    }

    /// The operand stack at the entry of the next node in order, taken from a node before it that is done.
    pub(super) fn enter(&mut self, graph: &Graph, node: Block, stack: &mut Vec<Value>) {
        stack.clear();
        let preds = graph.preds(node);
        if let Some(done) = preds.iter().find(|p| !p.exceptional && p.block < node) {
            let (start, end) = self.exit_stacks[done.block];
            stack.extend_from_slice(&self.stack_pool[start as usize..end as usize]);
        }
        if preds.len() > 1 {
            for (i, value) in stack.iter_mut().enumerate() {
                let kind = kind_of(self.types[*value]);
                *value = self.new_phi(node, Slot::Stack(i as u16), kind);
            }
        }
        self.entry_depth.push(stack.len() as u32);
    }

    /// Keeps the operand stack at the end of the node that [`Self::enter`] began.
    pub(super) fn leave(&mut self, stack: &[Value]) {
        let start = self.stack_pool.len() as u32;
        self.stack_pool.extend_from_slice(stack);
        self.exit_stacks.push((start, self.stack_pool.len() as u32));
    }

    /// Whether a hostile method has made this too large to go on.
    pub(super) fn is_too_large(&self) -> bool {
        self.stack_pool.len() > bounds::STACKS
            || self.phis.len() > bounds::PHIS
            || self.phi_args.len() > bounds::PHI_ARGS
    }

    /// Reads the local variables that frames speak of, and fills in the operands of all phis.
    pub(super) fn fill_phis(
        &mut self,
        source: &Source<'_>,
        graph: &Graph,
        frames: &mut FrameTypes,
    ) -> Result<(), Malformed> {
        self.check_depths(source, graph)?;
        frames.read_locals(|node, local, kind| self.entry_value(graph, node, local, kind));
        let mut next = 0;
        while next < self.phis.len() {
            let Phi { value, node, slot, .. } = self.phis[next];
            let pc = graph.nodes[node].start;
            let kind = self.kind(value);
            let start = self.phi_args.len() as u32;
            for pred in graph.preds(node) {
                let arg = match slot {
                    Slot::Stack(depth) => self.stack_value(pred.block, depth),
                    Slot::Local(local) if pred.exceptional => {
                        self.entry_value(graph, pred.block, local, kind)
                    }
                    Slot::Local(local) => self.exit_value(graph, pred.block, local, kind),
                };
                match arg {
                    Some(arg) if self.kind(arg) == kind => self.phi_args.push(arg),
                    Some(_) => return Err(source.invalid(pc, "a slot holds values of different kinds")),
                    None => return Err(source.invalid(pc, "a local variable is read before it is set")),
                }
            }
            self.phis[next].args = (start, self.phi_args.len() as u32);
            if self.is_too_large() {
                return Err(source.invalid(pc, "too many merging values"));
            }
            next += 1;
        }
        Ok(())
    }

    fn stack_value(&self, node: Block, depth: u16) -> Option<Value> {
        let (start, end) = self.exit_stacks[node];
        self.stack_pool[start as usize..end as usize].get(usize::from(depth)).copied()
    }

    /// All ordinary ways into a node must bring the same depth of stack.
    fn check_depths(&self, source: &Source<'_>, graph: &Graph) -> Result<(), Malformed> {
        for (node, data) in graph.nodes.iter() {
            for &to in &data.successors {
                let (start, end) = self.exit_stacks[node];
                if end - start != self.entry_depth[to] {
                    let pc = graph.nodes[to].start;
                    return Err(source.invalid(pc, "operand stacks of different depth meet"));
                }
            }
        }
        Ok(())
    }

    pub(super) fn phi_args(&self, phi: &Phi) -> &[Value] {
        &self.phi_args[phi.args.0 as usize..phi.args.1 as usize]
    }

    /// What a value stands for after the dropping of phis.
    pub(super) fn find(&mut self, value: Value) -> Value {
        let mut root = value;
        while self.replaced[root] != root {
            root = self.replaced[root];
        }
        let mut at = value;
        while self.replaced[at] != root {
            at = std::mem::replace(&mut self.replaced[at], root);
        }
        root
    }

    /// The same, once all dropping is done.
    pub(super) fn found(&self, value: Value) -> Value {
        self.replaced[value]
    }

    pub(super) fn is_dropped(&self, phi: &Phi) -> bool {
        self.replaced[phi.value] != phi.value
    }
}

fn width(ty: TypeId) -> usize {
    1 + usize::from(kind_of(ty).is_wide())
}
