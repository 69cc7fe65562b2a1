//! What the instructions become: operands off the stack, an operation, its result back on.

use heliostat_classfile::{ElementKind, Malformed, Operator, Switch, ValueKind, What};
use heliostat_index::PackedOption;
use heliostat_program::{Constant, DescriptorId, DynamicType, FieldRefId, MethodRefId, PoolEntry, TypeId};
use smallvec::SmallVec;

use super::{Done, RawInst, Translator};
use crate::lower::ssa::Origin;
use crate::types::{computational, kind_of, least_type};
use crate::{Block, CallKind, Op, SwitchTable, Test, Value};

impl Translator<'_> {
    pub(super) fn invalid(&self, what: &'static str) -> Malformed {
        self.source.invalid(self.pc, what)
    }

    pub(super) fn bad_index(&self, index: u16, expected: &'static str) -> Malformed {
        self.source.code.instructions.malformed(self.pc, What::PoolIndex { index, expected })
    }

    pub(super) fn emit_raw(&mut self, op: Op, args: &[Value], result: PackedOption<Value>) {
        let start = self.out.args.len() as u32;
        self.out.args.extend_from_slice(args);
        let args = (start, self.out.args.len() as u32);
        self.out.insts.push(RawInst { op, result, offset: self.pc, args });
    }

    pub(super) fn emit(&mut self, op: Op, args: &[Value]) {
        self.emit_raw(op, args, PackedOption::none());
    }

    pub(super) fn emit_new(&mut self, op: Op, args: &[Value], ty: TypeId) -> Value {
        let value = self.ssa.new_value(computational(ty), Origin::Inst);
        self.emit_raw(op, args, value.into());
        value
    }

    pub(super) fn push_new(&mut self, op: Op, args: &[Value], ty: TypeId) {
        let value = self.emit_new(op, args, ty);
        self.push(value);
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value, self.ssa);
    }

    pub(super) fn pop(&mut self, kind: ValueKind) -> Result<Value, Malformed> {
        self.stack.pop(kind, self.ssa).map_err(|what| self.invalid(what))
    }

    pub(super) fn read_local(&mut self, local: u16, kind: ValueKind) -> Result<Value, Malformed> {
        let written = self.locals[usize::from(local)].expand();
        let found = written.or_else(|| self.ssa.entry_value(self.graph, self.node, local, kind));
        let value = found.ok_or_else(|| self.invalid("a local variable is read before it is set"))?;
        if self.ssa.kind(value) == kind {
            Ok(value)
        } else {
            Err(self.invalid("local variable of another kind"))
        }
    }

    pub(super) fn write_local(&mut self, local: u16, value: Value) {
        self.locals[usize::from(local)] = value.into();
        self.touched.push(local);
    }

    pub(super) fn drop_slots(&mut self, slots: usize) -> Done {
        self.stack.drop_slots(slots, self.ssa).map_err(|what| self.invalid(what))
    }

    pub(super) fn dup(&mut self, copied: usize, under: usize) -> Done {
        self.stack.dup(copied, under, self.ssa).map_err(|what| self.invalid(what))
    }

    pub(super) fn check_depth(&self) -> Done {
        if self.stack.slots() > usize::from(self.source.code.max_stack) {
            return Err(self.invalid("the operand stack is deeper than declared"));
        }
        Ok(())
    }

    pub(super) fn constant(&mut self, constant: Constant) {
        let ty = constant.ty(self.source.program);
        self.push_new(Op::Const(constant), &[], ty);
    }

    pub(super) fn load_constant(&mut self, index: u16) -> Done {
        match self.source.linked.entry(index) {
            PoolEntry::Constant(constant) => self.constant(constant),
            _ => return Err(self.bad_index(index, "a loadable constant")),
        }
        Ok(())
    }

    pub(super) fn class(&self, index: u16) -> Result<TypeId, Malformed> {
        self.source.linked.class(index).ok_or_else(|| self.bad_index(index, "a class"))
    }

    pub(super) fn field(&self, index: u16) -> Result<(FieldRefId, TypeId), Malformed> {
        match self.source.linked.entry(index) {
            PoolEntry::Field(id) => Ok((id, self.source.program.field_ref(id).ty)),
            _ => Err(self.bad_index(index, "a field")),
        }
    }

    pub(super) fn array_load(&mut self, element: ElementKind) -> Done {
        let index = self.pop(ValueKind::Int)?;
        let array = self.pop(ValueKind::Ref)?;
        self.push_new(Op::ArrayLoad(element), &[array, index], least_type(element.value()));
        if let (ElementKind::Ref, Some(&value)) = (element, self.stack.values().last()) {
            self.out.loads.push((value, array));
        }
        Ok(())
    }

    pub(super) fn compute(&mut self, operator: Operator) -> Done {
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

    pub(super) fn multi_new_array(&mut self, index: u16, dimensions: u8) -> Done {
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
    pub(super) fn pop_kinds(
        &mut self,
        kinds: impl DoubleEndedIterator<Item = ValueKind>,
    ) -> Result<SmallVec<[Value; 8]>, Malformed> {
        let mut values = kinds.rev().map(|kind| self.pop(kind)).collect::<Result<SmallVec<_>, _>>()?;
        values.reverse();
        Ok(values)
    }

    pub(super) fn invoke(&mut self, kind: CallKind, index: u16) -> Done {
        let PoolEntry::Method(id) = self.source.linked.entry(index) else {
            return Err(self.bad_index(index, "a method"));
        };
        let descriptor = self.method_descriptor(id);
        self.call(Op::Call(kind, id), kind != CallKind::Static, descriptor)
    }

    pub(super) fn method_descriptor(&self, id: MethodRefId) -> DescriptorId {
        self.source.program.selector(self.source.program.method_ref(id).selector).descriptor
    }

    pub(super) fn invoke_dynamic(&mut self, index: u16) -> Done {
        let PoolEntry::Call(id) = self.source.linked.entry(index) else {
            return Err(self.bad_index(index, "an invokedynamic call site"));
        };
        match self.source.program.dynamic(id).ty {
            DynamicType::Call(descriptor) => self.call(Op::CallDynamic(id), false, descriptor),
            DynamicType::Constant(_) => Err(self.bad_index(index, "an invokedynamic call site")),
        }
    }

    pub(super) fn call(&mut self, op: Op, has_receiver: bool, descriptor: DescriptorId) -> Done {
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

    pub(super) fn successor(&self, at: usize) -> Block {
        self.graph.nodes[self.node].successors[at]
    }

    pub(super) fn goto_first(&mut self) {
        let to = self.successor(0);
        self.emit(Op::Goto(to), &[]);
    }

    pub(super) fn branch(&mut self, test: Test, kind: ValueKind) -> Done {
        let args = self.pop_kinds(std::iter::repeat_n(kind, test.arity()))?;
        self.emit(Op::If(test, self.successor(0), self.successor(1)), &args);
        Ok(())
    }

    pub(super) fn switch(&mut self, switch: Switch<'_>) -> Done {
        let key = self.pop(ValueKind::Int)?;
        let targets = &self.graph.nodes[self.node].successors;
        let cases: Vec<_> = switch.cases().zip(targets).map(|((key, _), &to)| (key, to)).collect();
        let default = self.successor(cases.len());
        let table = self.out.switches.push(SwitchTable { default, cases });
        self.emit(Op::Switch(table), &[key]);
        Ok(())
    }

    pub(super) fn returned_kind(&self) -> Option<ValueKind> {
        let selector = self.source.program.methods()[self.source.method].selector;
        let descriptor = self.source.program.selector(selector).descriptor;
        let result = self.source.program.method_type(descriptor).result;
        (result != TypeId::VOID).then(|| kind_of(result))
    }

    pub(super) fn exit(&mut self, op: Op, kind: Option<ValueKind>) -> Done {
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
