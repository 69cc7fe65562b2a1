//! Which values the analysis has to know the objects of.

use heliostat_classfile::ElementKind;
use heliostat_index::IdSet;
use heliostat_ir::{Body, Inst, Op, Value};
use heliostat_program::Program;

/// The references that something reads which moves or dereferences them.
pub(super) fn values(program: &Program, body: &Body) -> IdSet<Value> {
    let mut marking =
        Marking { program, body, needed: IdSet::with_capacity(body.values.len()), work: Vec::new() };
    for inst in body.insts.ids() {
        marking.inst(inst);
    }
    while let Some(value) = marking.work.pop() {
        if let Some((inst, Op::Phi | Op::CheckCast(_))) = body.def(value) {
            marking.all(inst);
        }
    }
    marking.needed
}

struct Marking<'a> {
    program: &'a Program,
    body: &'a Body,
    needed: IdSet<Value>,
    work: Vec<Value>,
}

impl Marking<'_> {
    fn mark(&mut self, value: Value) {
        if self.program.types.is_reference(self.body.values[value].ty) && self.needed.insert(value) {
            self.work.push(value);
        }
    }

    fn all(&mut self, inst: Inst) {
        for &value in self.body.args(inst) {
            self.mark(value);
        }
    }

    fn inst(&mut self, inst: Inst) {
        match self.body.insts[inst].op {
            Op::Call(..)
            | Op::CallDynamic(_)
            | Op::Return
            | Op::Throw
            | Op::PutStatic(_)
            | Op::CheckCast(_)
            | Op::ArrayLoad(ElementKind::Ref)
            | Op::ArrayStore(ElementKind::Ref) => self.all(inst),
            Op::GetField(field) | Op::PutField(field)
                if self.program.types.is_reference(self.program.field_ref(field).ty) =>
            {
                self.all(inst);
            }
            Op::Phi
            | Op::Catch
            | Op::Const(_)
            | Op::New(_)
            | Op::NewArray(_)
            | Op::NewMultiArray(_)
            | Op::GetField(_)
            | Op::PutField(_)
            | Op::GetStatic(_)
            | Op::ArrayLoad(_)
            | Op::ArrayStore(_)
            | Op::ArrayLength
            | Op::InstanceOf(_)
            | Op::Compute(_)
            | Op::MonitorEnter
            | Op::MonitorExit
            | Op::Goto(_)
            | Op::If(..)
            | Op::Switch(_) => {}
        }
    }
}
