//! Symbolic execution of one block after the other: stack operations vanish, everything else becomes
//! an instruction on values.

mod emit;

use heliostat_classfile::{Insn, Malformed, Operator, ValueKind};
use heliostat_index::{IdMap, IdVec, PackedOption};
use heliostat_program::{Constant, TypeId};

use super::Source;
use super::graph::{Graph, NodeKind};
use super::scan::{Flow, Scan};
use super::ssa::Ssa;
use super::stack::OperandStack;
use crate::frames::FrameTypes;
use crate::types::{caught_types, kind_of};
use crate::{Block, CallKind, Op, SwitchId, SwitchTable, Test, Value};

/// An instruction before values are numbered anew.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawInst {
    pub(super) op: Op,
    pub(super) result: PackedOption<Value>,
    pub(super) offset: u32,
    pub(super) args: (u32, u32),
}

/// The instructions of all blocks, in order.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) insts: Vec<RawInst>,
    pub(super) args: Vec<Value>,
    /// The end of each block's instructions.
    pub(super) ends: IdVec<Block, u32>,
    pub(super) switches: IdVec<SwitchId, SwitchTable>,
    /// Values loaded from arrays of references, with the array.
    pub(super) loads: Vec<(Value, Value)>,
}

pub(super) struct Translator<'a> {
    source: &'a Source<'a>,
    scan: &'a Scan,
    graph: &'a Graph,
    ssa: &'a mut Ssa,
    out: Output,
    node: Block,
    pc: u32,
    stack: OperandStack,
    /// Local variables that the block has read or written.
    locals: Vec<PackedOption<Value>>,
    /// The ones of `locals` that are set.
    touched: Vec<u16>,
    /// What each landing block catches: the join over the ways into it.
    caught: IdMap<Block, TypeId>,
}

type Done = Result<(), Malformed>;

impl<'a> Translator<'a> {
    pub(super) fn new(source: &'a Source<'a>, scan: &'a Scan, graph: &'a Graph, ssa: &'a mut Ssa) -> Self {
        let locals = vec![PackedOption::none(); ssa.locals()];
        let (node, stack, touched) = (Block::from_u32(0), OperandStack::default(), Vec::new());
        let caught = caught_types(source.program, &graph.catchers);
        Self { source, scan, graph, ssa, out: Output::default(), node, pc: 0, stack, locals, touched, caught }
    }

    pub(super) fn into_output(self) -> Output {
        self.out
    }

    pub(super) fn run(&mut self, frames: &mut FrameTypes) -> Done {
        for node in self.graph.nodes.ids() {
            self.node = node;
            self.stack.enter(self.ssa, self.graph, node);
            match self.graph.nodes[node].kind {
                NodeKind::Entry => self.goto_first(),
                NodeKind::Landing(stretch) => self.landing(stretch)?,
                NodeKind::Code(stretch) => {
                    frames.enter(self.scan.stretches[stretch as usize].start, node, self.stack.values());
                    self.stretch(stretch)?;
                }
            }
            self.leave()?;
        }
        Ok(())
    }

    fn leave(&mut self) -> Done {
        self.ssa.leave(self.stack.values());
        for local in self.touched.drain(..) {
            if let Some(value) = self.locals[usize::from(local)].expand() {
                self.ssa.set_exit(self.node, local, value);
            }
            self.locals[usize::from(local)] = PackedOption::none();
        }
        self.out.ends.push(self.out.insts.len() as u32);
        if self.ssa.is_too_large() {
            Err(self.invalid("too many values on the operand stack"))
        } else {
            Ok(())
        }
    }

    fn landing(&mut self, stretch: u32) -> Done {
        self.pc = self.scan.stretches[stretch as usize].start;
        self.stack.clear();
        self.push_new(Op::Catch, &[], self.caught[self.node]);
        self.goto_first();
        self.check_depth()
    }

    fn stretch(&mut self, index: u32) -> Done {
        let stretch = self.scan.stretches[index as usize];
        let mut pc = stretch.start;
        while pc < stretch.end {
            self.pc = pc;
            let (insn, next) = self.source.code.instructions.at(pc)?;
            self.insn(insn)?;
            self.check_depth()?;
            pc = next;
        }
        if matches!(stretch.flow, Flow::Fall) {
            self.goto_first();
        }
        Ok(())
    }

    fn insn(&mut self, insn: Insn<'a>) -> Done {
        match insn {
            Insn::Nop => {}
            Insn::Null => self.constant(Constant::Null),
            Insn::Int(n) => self.constant(Constant::Int(n)),
            Insn::Long(n) => self.constant(Constant::Long(n)),
            Insn::Float(x) => self.constant(Constant::Float(x.to_bits())),
            Insn::Double(x) => self.constant(Constant::Double(x.to_bits())),
            Insn::LoadConstant(index) => self.load_constant(index)?,
            Insn::Load(kind, local) => {
                let value = self.read_local(local, kind)?;
                self.push(value);
            }
            Insn::Store(kind, local) => {
                let value = self.pop(kind)?;
                self.write_local(local, value);
            }
            Insn::ArrayLoad(element) => self.array_load(element)?,
            Insn::ArrayStore(element) => {
                let value = self.pop(element.value())?;
                let index = self.pop(ValueKind::Int)?;
                let array = self.pop(ValueKind::Ref)?;
                self.emit(Op::ArrayStore(element), &[array, index, value]);
            }
            Insn::Pop => self.drop_slots(1)?,
            Insn::Pop2 => self.drop_slots(2)?,
            Insn::Dup => self.dup(1, 0)?,
            Insn::DupX1 => self.dup(1, 1)?,
            Insn::DupX2 => self.dup(1, 2)?,
            Insn::Dup2 => self.dup(2, 0)?,
            Insn::Dup2X1 => self.dup(2, 1)?,
            Insn::Dup2X2 => self.dup(2, 2)?,
            Insn::Swap => {
                self.dup(1, 1)?;
                self.drop_slots(1)?;
            }
            Insn::Compute(operator) => self.compute(operator)?,
            Insn::Increment(local, by) => {
                let old = self.read_local(local, ValueKind::Int)?;
                let by = self.emit_new(Op::Const(Constant::Int(by)), &[], TypeId::INT);
                let new = self.emit_new(Op::Compute(Operator::IADD), &[old, by], TypeId::INT);
                self.write_local(local, new);
            }
            Insn::IfZero(condition, _) => self.branch(Test::Zero(condition), ValueKind::Int)?,
            Insn::IfInt(condition, _) => self.branch(Test::Int(condition), ValueKind::Int)?,
            Insn::IfRef(condition, _) => self.branch(Test::Ref(condition), ValueKind::Ref)?,
            Insn::IfNull(condition, _) => self.branch(Test::Null(condition), ValueKind::Ref)?,
            Insn::Goto(_) | Insn::Ret(_) => self.goto_first(),
            Insn::Jsr(_) => {
                // The return address is known, for each call has its own copy of the subroutine: a value
                // that is only stored and never looked at.
                self.constant(Constant::Null);
                self.goto_first();
            }
            Insn::Switch(switch) => self.switch(switch)?,
            Insn::Return(kind) => {
                if kind != self.returned_kind() {
                    return Err(self.invalid("return of another kind than the method's"));
                }
                self.exit(Op::Return, kind)?;
            }
            Insn::Throw => self.exit(Op::Throw, Some(ValueKind::Ref))?,
            Insn::GetStatic(index) => {
                let (field, ty) = self.field(index)?;
                self.push_new(Op::GetStatic(field), &[], ty);
            }
            Insn::PutStatic(index) => {
                let (field, ty) = self.field(index)?;
                let value = self.pop(kind_of(ty))?;
                self.emit(Op::PutStatic(field), &[value]);
            }
            Insn::GetField(index) => {
                let (field, ty) = self.field(index)?;
                let object = self.pop(ValueKind::Ref)?;
                self.push_new(Op::GetField(field), &[object], ty);
            }
            Insn::PutField(index) => {
                let (field, ty) = self.field(index)?;
                let value = self.pop(kind_of(ty))?;
                let object = self.pop(ValueKind::Ref)?;
                self.emit(Op::PutField(field), &[object, value]);
            }
            Insn::InvokeVirtual(index) => self.invoke(CallKind::Virtual, index)?,
            Insn::InvokeSpecial(index) => self.invoke(CallKind::Special, index)?,
            Insn::InvokeStatic(index) => self.invoke(CallKind::Static, index)?,
            Insn::InvokeInterface(index) => self.invoke(CallKind::Interface, index)?,
            Insn::InvokeDynamic(index) => self.invoke_dynamic(index)?,
            Insn::New(index) => {
                let ty = self.class(index)?;
                if self.source.program.types.element(ty).is_some() {
                    return Err(self.invalid("new of an array type"));
                }
                self.push_new(Op::New(ty), &[], ty);
            }
            Insn::NewPrimitiveArray(letter) => {
                let ty = self.source.program.types.primitive_array(letter);
                let length = self.pop(ValueKind::Int)?;
                self.push_new(Op::NewArray(ty), &[length], ty);
            }
            Insn::NewArray(index) => {
                let element = self.class(index)?;
                let array = self.source.program.types.array(element);
                let ty = array.ok_or_else(|| self.invalid("array of too many dimensions"))?;
                let length = self.pop(ValueKind::Int)?;
                self.push_new(Op::NewArray(ty), &[length], ty);
            }
            Insn::MultiNewArray(index, dimensions) => self.multi_new_array(index, dimensions)?,
            Insn::ArrayLength => {
                let array = self.pop(ValueKind::Ref)?;
                self.push_new(Op::ArrayLength, &[array], TypeId::INT);
            }
            Insn::CheckCast(index) => {
                let ty = self.class(index)?;
                let value = self.pop(ValueKind::Ref)?;
                self.push_new(Op::CheckCast(ty), &[value], ty);
            }
            Insn::InstanceOf(index) => {
                let ty = self.class(index)?;
                let value = self.pop(ValueKind::Ref)?;
                self.push_new(Op::InstanceOf(ty), &[value], TypeId::INT);
            }
            Insn::MonitorEnter => {
                let object = self.pop(ValueKind::Ref)?;
                self.emit(Op::MonitorEnter, &[object]);
            }
            Insn::MonitorExit => {
                let object = self.pop(ValueKind::Ref)?;
                self.emit(Op::MonitorExit, &[object]);
            }
        }
        Ok(())
    }
}
