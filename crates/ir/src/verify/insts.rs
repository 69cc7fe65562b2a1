//! Operands and results of instructions.

use heliostat_classfile::{Condition, ElementKind, ValueKind};
use heliostat_index::Id;
use heliostat_program::{DescriptorId, DynamicType, TypeId, TypeKind};

use super::{Checked, Checker};
use crate::types::{computational, element_type, kind_of, least_type};
use crate::{CallKind, Inst, Op, Test, Value};

impl Checker<'_> {
    pub(super) fn operands(&self, inst: Inst) -> Checked {
        use ValueKind::{Int, Ref};
        let args = self.body.args(inst);
        self.ensure(args.iter().all(|a| a.index() < self.body.values.len()), "operands are values")?;
        match self.body.insts[inst].op {
            Op::Phi => self.phi(inst, args),
            Op::Catch | Op::Const(_) | Op::GetStatic(_) | Op::Goto(_) => self.kinds(args, &[]),
            Op::New(ty) => {
                self.ensure(matches!(self.program.types.kind(ty), TypeKind::Class(_)), "new names a class")?;
                self.kinds(args, &[])
            }
            Op::NewArray(ty) => {
                self.kinds(args, &[Int])?;
                self.lengths(args, ty)
            }
            Op::NewMultiArray(ty) => {
                self.ensure(args.iter().all(|&a| self.kind(a) == Int), "lengths are ints")?;
                self.lengths(args, ty)
            }
            Op::Switch(_) => self.kinds(args, &[Int]),
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

    fn lengths(&self, lengths: &[Value], ty: TypeId) -> Checked {
        self.ensure(!lengths.is_empty(), "there is at least one length")?;
        let elements = std::iter::successors(Some(ty), |&ty| self.program.types.element(ty)).skip(1);
        let fits = elements.take(lengths.len()).count() == lengths.len();
        self.ensure(fits, "a new array has at least as many dimensions as lengths")
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

    pub(super) fn result(&self, inst: Inst) -> Checked {
        let data = &self.body.insts[inst];
        let actual = data.result.expand().map(|v| self.body.values[v].ty);
        if data.op == Op::Phi {
            return self.ensure(actual.is_some(), "phis give a value");
        }
        let expected = self.result_type(inst, data.op).map(computational);
        self.ensure(actual == expected, "the result has the type that the operation says")
    }

    fn result_type(&self, inst: Inst, op: Op) -> Option<TypeId> {
        match op {
            Op::Catch => Some(self.caught[self.block]),
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
