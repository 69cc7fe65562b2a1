//! The verifier, whose doc comment is the specification of the IR.

use heliostat_classfile::{Condition, ElementKind, ValueKind};
use heliostat_index::{Id, IdVec, Ids};
use heliostat_program::{DescriptorId, DynamicType, Program, TypeId};

use crate::types::{computational, element_type, kind_of, least_type};
use crate::{Block, Body, CallKind, Definition, Dominators, Inst, Op, Pred, Test, Value};

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
///
/// # Instructions
/// - Phis come first in a block, and have one operand for each way in, at least two.
///   Operands are of the phi's kind, and a reference phi's type is the join ([`Program::join`]) of its operands' types.
/// - Every other operation has the operands that [`Op`] says, each of the right kind: `int`, `long`,
///   `float`, `double` or reference; boolean, byte, char and short are `int`.
/// - Results have the type that the operation says: the field's, the method's result, the class, array
///   type or constant named, the element type of the array loaded from (`Object` if that is not known
///   to be an array of references, null if it is null).
/// - Field stores, calls and returns pass values of the kinds that the descriptor says.
pub fn verify(program: &Program, body: &Body) -> Result<(), Violation> {
    let checker = Checker { program, body, block: Body::ENTRY, inst: None };
    checker.run()
}

struct Checker<'a> {
    program: &'a Program,
    body: &'a Body,
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
        let mut implied: Vec<(Block, Pred)> = Vec::with_capacity(self.body.preds.len());
        for block in self.body.block_ids() {
            self.block = block;
            for to in self.body.successors(block) {
                implied.push((to, Pred { block, exceptional: false }));
            }
            for catcher in self.body.catchers(block) {
                implied.push((catcher.block, Pred { block, exceptional: true }));
            }
        }
        implied.sort_by_key(|&(to, pred)| (to, pred.block, pred.exceptional));
        implied.dedup();
        let listed = self.body.block_ids().flat_map(|b| self.body.preds(b).iter().map(move |&p| (b, p)));
        self.ensure(listed.eq(implied.iter().copied()), "ways in are what terminators and catchers imply")?;
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
        let mut next = 0;
        for (value, data) in self.body.values.iter().take(self.body.params.into()) {
            let expected = Definition::Param(value.index() as u16);
            self.ensure(data.definition == expected, "the first values are the parameters")?;
            next += 1;
        }
        self.ensure(next == usize::from(self.body.params), "every parameter has a value")?;
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

    fn operands(&self, inst: Inst) -> Checked {
        use ValueKind::{Int, Ref};
        let args = self.body.args(inst);
        self.ensure(args.iter().all(|a| a.index() < self.body.values.len()), "operands are values")?;
        match self.body.insts[inst].op {
            Op::Phi => self.phi(inst, args),
            Op::Catch | Op::Const(_) | Op::New(_) | Op::GetStatic(_) | Op::Goto(_) => self.kinds(args, &[]),
            Op::NewArray(_) | Op::Switch(_) => self.kinds(args, &[Int]),
            Op::NewMultiArray(_) => {
                self.ensure(args.iter().all(|&a| self.kind(a) == Int), "lengths are ints")?;
                self.ensure(!args.is_empty(), "there is at least one length")
            }
            Op::GetField(_)
            | Op::ArrayLength
            | Op::CheckCast(_)
            | Op::InstanceOf(_)
            | Op::MonitorEnter
            | Op::MonitorExit
            | Op::Throw => self.kinds(args, &[Ref]),
            Op::PutField(field) => self.kinds(args, &[Ref, kind_of(self.program.field_ref(field).ty)]),
            Op::PutStatic(field) => self.kinds(args, &[kind_of(self.program.field_ref(field).ty)]),
            Op::ArrayLoad(_) => self.kinds(args, &[Ref, Int]),
            Op::ArrayStore(element) => self.kinds(args, &[Ref, Int, element.value()]),
            Op::Call(kind, method) => {
                let descriptor = self.program.selector(self.program.method_ref(method).selector).descriptor;
                self.call(args, kind != CallKind::Static, descriptor)
            }
            Op::CallDynamic(id) => match self.program.dynamic(id).ty {
                DynamicType::Call(descriptor) => self.call(args, false, descriptor),
                DynamicType::Constant(_) => self.ensure(false, "a call site is specified by a method type"),
            },
            Op::Compute(operator) => self.kinds(args, operator.operands()),
            Op::If(test, ..) => self.test(args, test),
            Op::Return => self.returned(args),
        }
    }

    fn kind(&self, value: Value) -> ValueKind {
        kind_of(self.body.values[value].ty)
    }

    fn kinds(&self, args: &[Value], expected: &[ValueKind]) -> Checked {
        let same = args.iter().map(|&a| self.kind(a)).eq(expected.iter().copied());
        self.ensure(same, "operands are as many and of the kinds that the operation says")
    }

    fn phi(&self, inst: Inst, args: &[Value]) -> Checked {
        let preds = self.body.preds(self.block).len();
        self.ensure(args.len() == preds && preds >= 2, "a phi has an operand for each of several ways in")?;
        let Some(result) = self.body.insts[inst].result.expand() else { return Ok(()) };
        let kind = self.kind(result);
        self.ensure(args.iter().all(|&a| self.kind(a) == kind), "operands of a phi are of its kind")?;
        if kind != ValueKind::Ref {
            return Ok(());
        }
        let types = args.iter().map(|&a| self.body.values[a].ty);
        let joined = types.fold(TypeId::NULL, |a, b| self.program.join(a, b));
        self.ensure(joined == self.body.values[result].ty, "a phi's type is the join of its operands' types")
    }

    fn call(&self, args: &[Value], has_receiver: bool, descriptor: DescriptorId) -> Checked {
        let parameters = self.program.method_type(descriptor).parameters.iter().map(|&ty| kind_of(ty));
        let expected = has_receiver.then_some(ValueKind::Ref).into_iter().chain(parameters);
        let same = args.iter().map(|&a| self.kind(a)).eq(expected);
        self.ensure(same, "arguments are as many and of the kinds that the descriptor says")
    }

    fn test(&self, args: &[Value], test: Test) -> Checked {
        match test {
            Test::Zero(_) => self.kinds(args, &[ValueKind::Int]),
            Test::Int(_) => self.kinds(args, &[ValueKind::Int; 2]),
            Test::Ref(condition) => {
                self.kinds(args, &[ValueKind::Ref; 2])?;
                self.equality(condition)
            }
            Test::Null(condition) => {
                self.kinds(args, &[ValueKind::Ref])?;
                self.equality(condition)
            }
        }
    }

    fn equality(&self, condition: Condition) -> Checked {
        let is_equality = matches!(condition, Condition::Eq | Condition::Ne);
        self.ensure(is_equality, "references are only tested for equality")
    }

    fn returned(&self, args: &[Value]) -> Checked {
        let method = &self.program.methods()[self.body.method];
        match self.program.method_type(self.program.selector(method.selector).descriptor).result {
            TypeId::VOID => self.kinds(args, &[]),
            ty => self.kinds(args, &[kind_of(ty)]),
        }
    }

    fn result(&self, inst: Inst) -> Checked {
        let data = &self.body.insts[inst];
        let actual = data.result.expand().map(|v| self.body.values[v].ty);
        if matches!(data.op, Op::Phi | Op::Catch) {
            return self.ensure(actual.is_some(), "phis and catches give a value");
        }
        let expected = self.result_type(inst, data.op).map(computational);
        self.ensure(actual == expected, "the result has the type that the operation says")
    }

    fn result_type(&self, inst: Inst, op: Op) -> Option<TypeId> {
        match op {
            Op::Const(constant) => Some(constant.ty(self.program)),
            Op::New(ty) | Op::NewArray(ty) | Op::NewMultiArray(ty) | Op::CheckCast(ty) => Some(ty),
            Op::GetField(field) | Op::GetStatic(field) => Some(self.program.field_ref(field).ty),
            Op::ArrayLoad(element) => Some(self.loaded_type(inst, element)),
            Op::ArrayLength | Op::InstanceOf(_) => Some(TypeId::INT),
            Op::Call(_, method) => {
                let selector = self.program.method_ref(method).selector;
                self.call_result(self.program.selector(selector).descriptor)
            }
            Op::CallDynamic(id) => match self.program.dynamic(id).ty {
                DynamicType::Call(descriptor) => self.call_result(descriptor),
                DynamicType::Constant(ty) => Some(ty),
            },
            Op::Compute(operator) => Some(least_type(operator.result())),
            _ => None,
        }
    }

    fn call_result(&self, descriptor: DescriptorId) -> Option<TypeId> {
        Some(self.program.method_type(descriptor).result).filter(|&ty| ty != TypeId::VOID)
    }

    fn loaded_type(&self, inst: Inst, element: ElementKind) -> TypeId {
        if element != ElementKind::Ref {
            return least_type(element.value());
        }
        let array = self.body.args(inst).first().map_or(TypeId::NULL, |&a| self.body.values[a].ty);
        element_type(self.program, array)
    }
}
