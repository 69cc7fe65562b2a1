//! A method body in SSA form.

use std::ops::Range;

use heliostat_classfile::LineNumber;
use heliostat_index::{IdVec, Ids, PackedOption, id};
use heliostat_program::{Constant, MethodId, TypeId};

use crate::Op;

id! {
    /// An SSA value.
    pub struct Value = "v";
}
id! {
    /// An instruction.
    pub struct Inst = "i";
}
id! {
    /// A basic block.
    pub struct Block = "b";
}
id! {
    /// A switch table.
    pub struct SwitchId = "switch";
}

/// What gives a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// The method's parameter of this number, the receiver being the first.
    Param(u16),
    /// The result of this instruction.
    Inst(Inst),
}

/// An SSA value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueData {
    /// Its type. Small integers and booleans are `int`.
    pub ty: TypeId,
    /// Where it comes from.
    pub definition: Definition,
}

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstData {
    /// What it does.
    pub op: Op,
    /// The value it gives, if any.
    pub result: PackedOption<Value>,
    /// Bytecode offset of the instruction it comes from.
    pub offset: u32,
    pub(crate) args: (u32, u32),
}

/// A way into a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pred {
    /// The block it comes from.
    pub block: Block,
    /// Whether it is taken when an instruction of that block throws.
    pub exceptional: bool,
}

/// Where exceptions of a block go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Catcher {
    /// The landing block.
    pub block: Block,
    /// The class that is caught; none for everything.
    pub ty: PackedOption<TypeId>,
}

/// A basic block: instructions of which only the last is a terminator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockData {
    /// Its instructions; phis come first.
    pub insts: Range<Inst>,
    pub(crate) preds: Range<u32>,
    pub(crate) catchers: Range<u32>,
}

/// Keys and targets of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchTable {
    /// Where to go when no case fits.
    pub default: Block,
    /// The cases, in class file order.
    pub cases: Vec<(i32, Block)>,
}

/// A method body in SSA form. Blocks are numbered in reverse postorder from the entry, `b0`;
/// instructions and values in the order of the blocks, parameters first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The method.
    pub method: MethodId,
    /// The values.
    pub values: IdVec<Value, ValueData>,
    /// The instructions.
    pub insts: IdVec<Inst, InstData>,
    /// The blocks.
    pub blocks: IdVec<Block, BlockData>,
    /// The switch tables.
    pub switches: IdVec<SwitchId, SwitchTable>,
    /// The number of parameters, with the receiver; their values are the first ones.
    pub params: u16,
    pub(crate) args: Vec<Value>,
    pub(crate) preds: Vec<Pred>,
    pub(crate) catchers: Vec<Catcher>,
    pub(crate) lines: Vec<LineNumber>,
}

/// The edges out of a block.
pub(crate) fn edges_from(
    block: Block,
    successors: impl IntoIterator<Item = Block>,
    catchers: &[Catcher],
) -> impl Iterator<Item = (Block, Pred)> {
    let ordinary = successors.into_iter().map(move |to| (to, Pred { block, exceptional: false }));
    ordinary.chain(catchers.iter().map(move |c| (c.block, Pred { block, exceptional: true })))
}

/// Turns edges into the list of ways into each block: each once, by block number, ordinary before
/// exceptional ones.
pub(crate) fn list_preds(mut edges: Vec<(Block, Pred)>, blocks: usize) -> (Vec<Pred>, Vec<Range<u32>>) {
    sort_edges(&mut edges);
    let mut ranges = Vec::with_capacity(blocks);
    let mut start = 0;
    for block in Ids::<Block>::new(0..blocks) {
        let end = start + edges[start..].iter().take_while(|(to, _)| *to == block).count();
        ranges.push(start as u32..end as u32);
        start = end;
    }
    (edges.into_iter().map(|(_, pred)| pred).collect(), ranges)
}

/// The order of [`Body::preds`]; each edge once.
fn sort_edges(edges: &mut Vec<(Block, Pred)>) {
    edges.sort_unstable_by_key(|&(to, pred)| (to, pred.block, pred.exceptional));
    edges.dedup();
}

impl Body {
    /// The entry block.
    pub const ENTRY: Block = Block::from_u32(0);

    /// The operands of an instruction.
    pub fn args(&self, inst: Inst) -> &[Value] {
        let (start, len) = self.insts[inst].args;
        &self.args[start as usize..(start + len) as usize]
    }

    /// The instructions of a block.
    pub fn block_insts(&self, block: Block) -> Ids<Inst> {
        Ids::between(self.blocks[block].insts.clone())
    }

    /// The instruction that ends a block.
    pub fn terminator(&self, block: Block) -> Option<Inst> {
        self.block_insts(block).next_back()
    }

    /// The ways into a block, by block number, ordinary ones before exceptional ones.
    pub fn preds(&self, block: Block) -> &[Pred] {
        let range = self.blocks[block].preds.clone();
        &self.preds[range.start as usize..range.end as usize]
    }

    /// Where exceptions of a block go, first match first.
    pub fn catchers(&self, block: Block) -> &[Catcher] {
        let range = self.blocks[block].catchers.clone();
        &self.catchers[range.start as usize..range.end as usize]
    }

    /// Where control goes from a block without an exception; targets may repeat.
    pub fn successors(&self, block: Block) -> Vec<Block> {
        match self.terminator(block).map(|i| self.insts[i].op) {
            Some(Op::Goto(to)) => vec![to],
            Some(Op::If(_, then, otherwise)) => vec![then, otherwise],
            Some(Op::Switch(id)) => {
                let table = &self.switches[id];
                table.cases.iter().map(|&(_, to)| to).chain([table.default]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The edges that terminators and catchers imply, each once, in the order of [`Self::preds`].
    pub(crate) fn implied_edges(&self) -> Vec<(Block, Pred)> {
        let blocks = self.block_ids();
        let mut edges = blocks.flat_map(|b| edges_from(b, self.successors(b), self.catchers(b))).collect();
        sort_edges(&mut edges);
        edges
    }

    /// The source line of a bytecode offset, if the class file tells.
    pub fn line(&self, offset: u32) -> Option<u16> {
        let after = self.lines.partition_point(|l| l.start <= offset);
        self.lines.get(after.checked_sub(1)?).map(|l| l.line)
    }

    /// The operation that gives a value; none for a parameter.
    pub fn def(&self, value: Value) -> Option<(Inst, Op)> {
        match self.values[value].definition {
            Definition::Inst(inst) => Some((inst, self.insts[inst].op)),
            Definition::Param(_) => None,
        }
    }

    /// The constant that a value is, if it is one.
    pub fn constant(&self, value: Value) -> Option<Constant> {
        match self.def(value) {
            Some((_, Op::Const(constant))) => Some(constant),
            _ => None,
        }
    }

    /// The int constant that a value is: an array index, or a length, for example.
    pub fn int_constant(&self, value: Value) -> Option<i32> {
        match self.constant(value) {
            Some(Constant::Int(n)) => Some(n),
            _ => None,
        }
    }

    /// All blocks in their order, which is a reverse postorder.
    pub fn block_ids(&self) -> Ids<Block> {
        self.blocks.ids()
    }
}
