//! Calls.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, CallKind, Inst};
use heliostat_program::{MethodId, MethodRefId, Resolution, TypeId};

use super::Extractor;
use super::writer::NewCall;
use crate::facts::{Callee, Facts, Gap, Var};

impl Extractor<'_> {
    pub(super) fn call(&mut self, block: Block, inst: Inst, kind: CallKind, reference: MethodRefId) {
        let offset = self.body.insts[inst].offset;
        let resolution = self.program.resolve_method(self.program.method_ref(reference), self.class);
        let Some(resolved) = resolution.member() else { return self.unresolved(offset) };
        if self.program.methods()[resolved].flags.is_static() != (kind == CallKind::Static) {
            return self.unresolved(offset);
        }
        let callee = match (resolution, kind) {
            (Resolution::SignaturePolymorphic(_), _) => self.polymorphic(resolved),
            (_, CallKind::Static) => {
                self.writer.init(self.class, self.program.methods()[resolved].class, offset);
                Callee::Fixed(Facts::code(resolved))
            }
            (_, CallKind::Special) => match self.special(reference, resolved) {
                Some(target) => Callee::Fixed(Facts::code(target)),
                None => return self.unresolved(offset),
            },
            (_, CallKind::Virtual | CallKind::Interface) => self.writer.selected(resolved),
        };
        let args: Vec<PackedOption<Var>> = self.body.args(inst).iter().map(|&v| self.var(v)).collect();
        let (receiver, args) = match (kind, &args[..]) {
            (CallKind::Static, args) => (None, args),
            (_, [receiver, args @ ..]) => (receiver.expand(), args),
            (_, []) => return,
        };
        // Nothing is called on a value that is always null.
        if kind != CallKind::Static && receiver.is_none() {
            return;
        }
        let (result, thrown) = (self.result(inst), Some(self.thrown_in(block)));
        let kind = kind.into();
        let call = NewCall { offset, kind, callee, receiver, args, result, thrown };
        let without_result = NewCall { result: None, ..call };
        let is_told = self.writer.tells_result(resolved, &call);
        self.models.write_call(&mut self.writer, if is_told { &without_result } else { &call });
        self.models.write_besides(&mut self.writer, resolved, &call);
        self.listen(inst, resolved, &call);
        self.logged(block, inst, resolved);
    }

    fn unresolved(&mut self, offset: u32) {
        self.writer.facts.gaps.push(Gap::Unresolved(self.writer.code, offset));
    }

    /// What a method handle does depends on the handle; what a variable handle does, on its arguments.
    fn polymorphic(&self, method: MethodId) -> Callee {
        match self.program.classes()[self.program.methods()[method].class].ty {
            TypeId::METHOD_HANDLE => Callee::Virtual(method),
            _ => Callee::Fixed(Facts::code(method)),
        }
    }

    fn special(&self, reference: MethodRefId, resolved: MethodId) -> Option<MethodId> {
        self.program.select_special(self.program.method_ref(reference), resolved, self.class).method()
    }
}
