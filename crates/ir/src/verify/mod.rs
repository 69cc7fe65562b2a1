//! The verifier, whose doc comment is the specification of the IR.

mod insts;

use heliostat_index::{Id, IdMap, IdVec, Ids};
use heliostat_program::{Program, TypeId};

use crate::types::{caught_types, computational};
use crate::{Block, Body, Definition, Dominators, Inst, Op, Pred};

/// A rule of the IR that a body breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The instruction, where one is to blame.
    pub inst: Option<Inst>,
    /// The block.
    pub block: Block,
    /// The rule.
    pub rule: &'static str,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.inst {
            Some(inst) => write!(f, "{} {inst}: {}", self.block, self.rule),
            None => write!(f, "{}: {}", self.block, self.rule),
        }
    }
}

/// Checks that a body is well formed.
///
/// # Blocks
/// - There is at least one block. The first, `b0`, is the entry; nothing leads into it.
/// - The blocks' instruction ranges follow one another and cover all instructions; none is empty.
/// - The last instruction of a block is a terminator ([`Op::is_terminator`]), no other one is.
/// - Blocks are numbered in a reverse postorder: each but the entry has a way in from a lower one.
///
/// # Edges
/// - [`Body::preds`] lists exactly the edges that terminators (ordinary) and catchers (exceptional)
///   imply, each once, by block number, ordinary before exceptional.
/// - A *landing block* is one that a catcher names. It is entered by exceptional edges only, has no
///   catchers itself, and its first instruction after phis is `catch`. No other block has a `catch`.
///
/// # Values
/// - Values are numbered in order of definition: first the parameters, then instruction results.
///   A value and its definition name each other. Exactly the operations that have a result give a value.
/// - A value is used only where its definition dominates the use. A phi's operand must be defined at the
///   end of the block that its edge comes from; on an exceptional edge already at that block's start,
///   by a phi or in a block above.
/// - The parameters are those of the method, the receiver first, with the types that it declares.
///
/// # Instructions
/// - Phis come first in a block, and have one operand for each way in, at least two.
///   Operands are of the phi's kind, and a reference phi's type is the join ([`Program::join`]) of its operands' types.
/// - Every other operation has the operands that [`Op`] says, each of the right kind: `int`, `long`,
///   `float`, `double` or reference; boolean, byte, char and short are `int`.
/// - Results have the type that the operation says: the field's, the method's result, the class, array
///   type or constant named, the element type of the array loaded from (`Object` if that is not known
///   to be an array of references, null if it is null).
/// - `catch` gives the join of the classes for which catchers lead to its block; `Throwable` if one of them catches
///   everything, or if that join is `Object`.
/// - `new` names a class; `newarray` and `multinewarray` name an array type, of at least as many dimensions as there
///   are lengths, and there is at least one.
/// - Field stores, calls and returns pass values of the kinds that the descriptor says.
pub fn verify(program: &Program, body: &Body) -> Result<(), Violation> {
    let caught = caught_types(program, &body.catchers);
    let checker = Checker { program, body, caught, block: Body::ENTRY, inst: None };
    checker.run()
}

struct Checker<'a> {
    program: &'a Program,
    body: &'a Body,
    /// What each landing block catches.
    caught: IdMap<Block, TypeId>,
    block: Block,
    inst: Option<Inst>,
}

type Checked = Result<(), Violation>;

impl Checker<'_> {
    fn run(mut self) -> Checked {
        self.ensure(!self.body.blocks.is_empty(), "there is at least one block")?;
        self.layout()?;
        self.edges()?;
        self.numbering()?;
        let dominators = Dominators::of(self.body);
        let block_of = self.block_of();
        for block in self.body.block_ids() {
            self.block = block;
            self.landing()?;
            for inst in self.body.block_insts(block) {
                self.inst = Some(inst);
                self.operands(inst)?;
                self.result(inst)?;
                self.dominance(inst, &dominators, &block_of)?;
            }
            self.inst = None;
        }
        Ok(())
    }

    fn ensure(&self, holds: bool, rule: &'static str) -> Checked {
        if holds { Ok(()) } else { Err(Violation { inst: self.inst, block: self.block, rule }) }
    }

    fn layout(&mut self) -> Checked {
        let mut next = 0;
        for (block, data) in self.body.blocks.iter() {
            self.block = block;
            self.ensure(data.insts.start.index() == next, "instruction ranges follow one another")?;
            self.ensure(data.insts.start < data.insts.end, "no block is empty")?;
            next = data.insts.end.index();
            self.ensure(next <= self.body.insts.len(), "instruction ranges are within bounds")?;
            let mut phis_over = false;
            for inst in Ids::between(data.insts.clone()) {
                let op = self.body.insts[inst].op;
                let is_last = inst.index() + 1 == next;
                self.inst = Some(inst);
                self.ensure(op.is_terminator() == is_last, "exactly the last instruction is a terminator")?;
                self.ensure(op != Op::Phi || !phis_over, "phis come first")?;
                phis_over = op != Op::Phi;
            }
            self.inst = None;
        }
        self.ensure(next == self.body.insts.len(), "blocks cover all instructions")
    }

    fn edges(&mut self) -> Checked {
        let listed = self.body.block_ids().flat_map(|b| self.body.preds(b).iter().map(move |&p| (b, p)));
        let is_implied = listed.eq(self.body.implied_edges());
        self.ensure(is_implied, "ways in are what terminators and catchers imply")?;
        for block in self.body.block_ids() {
            self.block = block;
            let preds = self.body.preds(block);
            if block == Body::ENTRY {
                self.ensure(preds.is_empty(), "nothing leads into the entry")?;
            } else {
                self.ensure(preds.iter().any(|p| p.block < block), "blocks are in reverse postorder")?;
            }
        }
        Ok(())
    }

    fn landing(&self) -> Checked {
        let preds = self.body.preds(self.block);
        let is_landing = preds.iter().any(|p| p.exceptional);
        let ops = || self.body.block_insts(self.block).map(|i| self.body.insts[i].op);
        let catches = ops().filter(|op| *op == Op::Catch).count();
        if !is_landing {
            return self.ensure(catches == 0, "only landing blocks catch");
        }
        self.ensure(preds.iter().all(|p| p.exceptional), "landing blocks are entered by exceptions only")?;
        self.ensure(self.body.catchers(self.block).is_empty(), "landing blocks have no catchers")?;
        let first = ops().find(|op| *op != Op::Phi);
        self.ensure(catches == 1 && first == Some(Op::Catch), "landing blocks begin with one catch")
    }

    fn numbering(&mut self) -> Checked {
        self.parameters()?;
        let mut next = usize::from(self.body.params);
        for block in self.body.block_ids() {
            self.block = block;
            for inst in self.body.block_insts(block) {
                self.inst = Some(inst);
                let Some(value) = self.body.insts[inst].result.expand() else { continue };
                self.ensure(value.index() == next, "values are numbered in order of definition")?;
                let known = self.body.values.get(value).map(|v| v.definition);
                self.ensure(known == Some(Definition::Inst(inst)), "value and definition name each other")?;
                next += 1;
            }
            self.inst = None;
        }
        self.ensure(next == self.body.values.len(), "every value has a definition")
    }

    fn parameters(&self) -> Checked {
        let mut types = self.program.parameters(self.body.method).map(computational);
        let mut next = 0;
        for (value, data) in self.body.values.iter().take(self.body.params.into()) {
            let expected = Definition::Param(value.index() as u16);
            self.ensure(data.definition == expected, "the first values are the parameters")?;
            self.ensure(types.next() == Some(data.ty), "parameters are what the method declares")?;
            next += 1;
        }
        self.ensure(types.next().is_none(), "parameters are what the method declares")?;
        self.ensure(next == self.body.params, "every parameter has a value")
    }

    fn block_of(&self) -> IdVec<Inst, Block> {
        let mut map = IdVec::with_capacity(self.body.insts.len());
        for block in self.body.block_ids() {
            for _ in self.body.block_insts(block) {
                map.push(block);
            }
        }
        map
    }

    fn dominance(&self, inst: Inst, dominators: &Dominators, block_of: &IdVec<Inst, Block>) -> Checked {
        let is_phi = self.body.insts[inst].op == Op::Phi;
        for (i, &arg) in self.body.args(inst).iter().enumerate() {
            let Definition::Inst(def) = self.body.values[arg].definition else { continue };
            let holds = if is_phi {
                self.reaches_edge(def, block_of[def], self.body.preds(self.block)[i], dominators)
            } else if block_of[def] == self.block {
                def < inst
            } else {
                dominators.dominates(block_of[def], self.block)
            };
            self.ensure(holds, "definitions dominate uses")?;
        }
        Ok(())
    }

    fn reaches_edge(&self, def: Inst, def_block: Block, edge: Pred, dominators: &Dominators) -> bool {
        let early_enough = !edge.exceptional || def_block != edge.block || self.body.insts[def].op == Op::Phi;
        early_enough && dominators.dominates(def_block, edge.block)
    }
}
