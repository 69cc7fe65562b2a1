//! Symbolic execution of one block after the other: stack operations vanish, everything else becomes
//! an instruction on values.

use heliostat_classfile::{ElementKind, Insn, Malformed, Operator, Switch, ValueKind, What};
use heliostat_index::{IdMap, IdVec, PackedOption};
use heliostat_program::{Constant, DescriptorId, DynamicType, FieldRefId, MethodRefId, PoolEntry, TypeId};

use super::graph::{Graph, NodeKind};
use super::scan::{Flow, Scan};
use super::ssa::{Origin, Ssa};

use super::Source;
use crate::frames::FrameTypes;
use crate::types::{computational, kind_of, least_type};
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
    stack: Vec<Value>,
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
        let (node, stack, touched) = (Block::from_u32(0), Vec::new(), Vec::new());
        let caught = caught_types(source, graph);
        Self { source, scan, graph, ssa, out: Output::default(), node, pc: 0, stack, locals, touched, caught }
    }

    pub(super) fn into_output(self) -> Output {
        self.out
    }

    pub(super) fn run(&mut self, frames: &mut FrameTypes) -> Done {
        for node in self.graph.nodes.ids() {
            self.node = node;
            self.ssa.enter(self.graph, node, &mut self.stack);
            match self.graph.nodes[node].kind {
                NodeKind::Entry => self.goto_first(),
                NodeKind::Landing(stretch) => self.landing(stretch),
                NodeKind::Code(stretch) => {
                    frames.enter(self.scan.stretches[stretch as usize].start, node, &self.stack);
                    self.stretch(stretch)?;
                }
            }
            self.leave()?;
        }
        Ok(())
    }

    fn leave(&mut self) -> Done {
        self.ssa.leave(&self.stack);
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

    fn landing(&mut self, stretch: u32) {
        self.pc = self.scan.stretches[stretch as usize].start;
        let ty = self.caught[self.node];
        self.stack.clear();
        self.push_new(Op::Catch, &[], if ty == TypeId::OBJECT { TypeId::THROWABLE } else { ty });
        self.goto_first();
    }

    fn stretch(&mut self, index: u32) -> Done {
        let stretch = self.scan.stretches[index as usize];
        let mut pc = stretch.start;
        while pc < stretch.end {
            self.pc = pc;
            let (insn, next) = self.source.code.instructions.at(pc)?;
            self.insn(insn)?;
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
                self.stack.push(value);
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

    fn invalid(&self, what: &'static str) -> Malformed {
        self.source.invalid(self.pc, what)
    }

    fn bad_index(&self, index: u16, expected: &'static str) -> Malformed {
        self.source.code.instructions.malformed(self.pc, What::PoolIndex { index, expected })
    }

    fn emit_raw(&mut self, op: Op, args: &[Value], result: PackedOption<Value>) {
        let start = self.out.args.len() as u32;
        self.out.args.extend_from_slice(args);
        let args = (start, self.out.args.len() as u32);
        self.out.insts.push(RawInst { op, result, offset: self.pc, args });
    }

    fn emit(&mut self, op: Op, args: &[Value]) {
        self.emit_raw(op, args, PackedOption::none());
    }

    fn emit_new(&mut self, op: Op, args: &[Value], ty: TypeId) -> Value {
        let value = self.ssa.new_value(computational(ty), Origin::Inst);
        self.emit_raw(op, args, value.into());
        value
    }

    fn push_new(&mut self, op: Op, args: &[Value], ty: TypeId) {
        let value = self.emit_new(op, args, ty);
        self.stack.push(value);
    }

    fn pop(&mut self, kind: ValueKind) -> Result<Value, Malformed> {
        let value = self.stack.pop().ok_or_else(|| self.invalid("the operand stack is empty"))?;
        if self.ssa.kind(value) == kind { Ok(value) } else { Err(self.invalid("operand of another kind")) }
    }

    fn read_local(&mut self, local: u16, kind: ValueKind) -> Result<Value, Malformed> {
        let written = self.locals[usize::from(local)].expand();
        let found = written.or_else(|| self.ssa.entry_value(self.graph, self.node, local, kind));
        let value = found.ok_or_else(|| self.invalid("a local variable is read before it is set"))?;
        if self.ssa.kind(value) == kind {
            Ok(value)
        } else {
            Err(self.invalid("local variable of another kind"))
        }
    }

    fn write_local(&mut self, local: u16, value: Value) {
        self.locals[usize::from(local)] = value.into();
        self.touched.push(local);
    }

    /// How many stack entries from `top` down make up this many slots.
    fn entries(&self, top: usize, slots: usize) -> Result<usize, Malformed> {
        let (mut entries, mut seen) = (0, 0);
        while seen < slots {
            let at =
                top.checked_sub(entries + 1).ok_or_else(|| self.invalid("the operand stack is empty"))?;
            seen += 1 + usize::from(self.ssa.kind(self.stack[at]).is_wide());
            entries += 1;
        }
        if seen == slots { Ok(entries) } else { Err(self.invalid("half of a long or double")) }
    }

    fn drop_slots(&mut self, slots: usize) -> Done {
        let depth = self.stack.len() - self.entries(self.stack.len(), slots)?;
        self.stack.truncate(depth);
        Ok(())
    }

    /// Puts a copy of the top slots below the slots under them.
    fn dup(&mut self, copied: usize, under: usize) -> Done {
        let top = self.stack.len();
        let copied = top - self.entries(top, copied)?;
        let insert_at = copied - self.entries(copied, under)?;
        let values: smallvec::SmallVec<[Value; 2]> = self.stack[copied..].into();
        self.stack.splice(insert_at..insert_at, values);
        Ok(())
    }

    fn constant(&mut self, constant: Constant) {
        let ty = constant.ty(self.source.program);
        self.push_new(Op::Const(constant), &[], ty);
    }

    fn load_constant(&mut self, index: u16) -> Done {
        match self.source.linked.entry(index) {
            PoolEntry::Constant(constant) => self.constant(constant),
            _ => return Err(self.bad_index(index, "a loadable constant")),
        }
        Ok(())
    }

    fn class(&self, index: u16) -> Result<TypeId, Malformed> {
        self.source.linked.class(index).ok_or_else(|| self.bad_index(index, "a class"))
    }

    fn field(&self, index: u16) -> Result<(FieldRefId, TypeId), Malformed> {
        match self.source.linked.entry(index) {
            PoolEntry::Field(id) => Ok((id, self.source.program.field_ref(id).ty)),
            _ => Err(self.bad_index(index, "a field")),
        }
    }

    fn array_load(&mut self, element: ElementKind) -> Done {
        let index = self.pop(ValueKind::Int)?;
        let array = self.pop(ValueKind::Ref)?;
        self.push_new(Op::ArrayLoad(element), &[array, index], least_type(element.value()));
        if let (ElementKind::Ref, Some(&value)) = (element, self.stack.last()) {
            self.out.loads.push((value, array));
        }
        Ok(())
    }

    fn compute(&mut self, operator: Operator) -> Done {
        let result = least_type(operator.result());
        match *operator.operands() {
            [a, b] => {
                let b = self.pop(b)?;
                let a = self.pop(a)?;
                self.push_new(Op::Compute(operator), &[a, b], result);
            }
            [a] => {
                let a = self.pop(a)?;
                self.push_new(Op::Compute(operator), &[a], result);
            }
            _ => {}
        }
        Ok(())
    }

    fn multi_new_array(&mut self, index: u16, dimensions: u8) -> Done {
        let ty = self.class(index)?;
        if dimensions == 0 {
            return Err(self.invalid("array of no dimensions"));
        }
        let mut element = ty;
        for _ in 0..dimensions {
            let next = self.source.program.types.element(element);
            element = next.ok_or_else(|| self.invalid("array of fewer dimensions"))?;
        }
        let lengths = self.pop_kinds(std::iter::repeat_n(ValueKind::Int, dimensions.into()))?;
        self.push_new(Op::NewMultiArray(ty), &lengths, ty);
        Ok(())
    }

    /// Pops operands of these kinds, the last one from the top.
    fn pop_kinds(
        &mut self,
        kinds: impl DoubleEndedIterator<Item = ValueKind>,
    ) -> Result<Vec<Value>, Malformed> {
        let mut values = kinds.rev().map(|kind| self.pop(kind)).collect::<Result<Vec<_>, _>>()?;
        values.reverse();
        Ok(values)
    }

    fn invoke(&mut self, kind: CallKind, index: u16) -> Done {
        let PoolEntry::Method(id) = self.source.linked.entry(index) else {
            return Err(self.bad_index(index, "a method"));
        };
        let descriptor = self.method_descriptor(id);
        self.call(Op::Call(kind, id), kind != CallKind::Static, descriptor)
    }

    fn method_descriptor(&self, id: MethodRefId) -> DescriptorId {
        self.source.program.selector(self.source.program.method_ref(id).selector).descriptor
    }

    fn invoke_dynamic(&mut self, index: u16) -> Done {
        let PoolEntry::Call(id) = self.source.linked.entry(index) else {
            return Err(self.bad_index(index, "an invokedynamic call site"));
        };
        match self.source.program.dynamic(id).ty {
            DynamicType::Call(descriptor) => self.call(Op::CallDynamic(id), false, descriptor),
            DynamicType::Constant(_) => Err(self.bad_index(index, "an invokedynamic call site")),
        }
    }

    fn call(&mut self, op: Op, has_receiver: bool, descriptor: DescriptorId) -> Done {
        let method_type = self.source.program.method_type(descriptor);
        let receiver = has_receiver.then_some(ValueKind::Ref);
        let kinds = receiver.into_iter().chain(method_type.parameters.iter().map(|&ty| kind_of(ty)));
        let args = self.pop_kinds(kinds)?;
        if method_type.result == TypeId::VOID {
            self.emit(op, &args);
        } else {
            self.push_new(op, &args, method_type.result);
        }
        Ok(())
    }

    fn successor(&self, at: usize) -> Block {
        self.graph.nodes[self.node].successors[at]
    }

    fn goto_first(&mut self) {
        let to = self.successor(0);
        self.emit(Op::Goto(to), &[]);
    }

    fn branch(&mut self, test: Test, kind: ValueKind) -> Done {
        let args = self.pop_kinds(std::iter::repeat_n(kind, test.arity()))?;
        self.emit(Op::If(test, self.successor(0), self.successor(1)), &args);
        Ok(())
    }

    fn switch(&mut self, switch: Switch<'_>) -> Done {
        let key = self.pop(ValueKind::Int)?;
        let targets = &self.graph.nodes[self.node].successors;
        let cases: Vec<_> = switch.cases().zip(targets).map(|((key, _), &to)| (key, to)).collect();
        let default = self.successor(cases.len());
        let table = self.out.switches.push(SwitchTable { default, cases });
        self.emit(Op::Switch(table), &[key]);
        Ok(())
    }

    fn returned_kind(&self) -> Option<ValueKind> {
        let selector = self.source.program.methods()[self.source.method].selector;
        let descriptor = self.source.program.selector(selector).descriptor;
        let result = self.source.program.method_type(descriptor).result;
        (result != TypeId::VOID).then(|| kind_of(result))
    }

    fn exit(&mut self, op: Op, kind: Option<ValueKind>) -> Done {
        match kind {
            Some(kind) => {
                let value = self.pop(kind)?;
                self.emit(op, &[value]);
            }
            None => self.emit(op, &[]),
        }
        Ok(())
    }
}

fn caught_types(source: &Source<'_>, graph: &Graph) -> IdMap<Block, TypeId> {
    let mut caught = IdMap::with_default(TypeId::NULL);
    for catcher in &graph.catchers {
        let ty = catcher.ty.expand().unwrap_or(TypeId::THROWABLE);
        caught[catcher.block] = source.program.join(caught[catcher.block], ty);
    }
    caught
}
