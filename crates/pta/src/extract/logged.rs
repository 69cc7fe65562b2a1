//! Reflective calls of which a log says what they did: the same statements that a call without reflection would give.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, Inst};
use heliostat_program::MethodId;

use super::Extractor;
use super::writer::NewCall;
use crate::facts::{Callee, EdgeKind, MadeUp, Var};
use crate::logged::{Acting, Done, Logged};

impl Extractor<'_> {
    /// What the log says that a call did.
    pub(super) fn logged(&mut self, block: Block, inst: Inst, called: MethodId) {
        self.bound(inst, called);
        let Some(acting) = self.acting(called) else { return };
        for done in self.taken(inst, acting) {
            match acting {
                // The first argument is the handle.
                Acting::CallHandle => self.by_handle(block, inst, 1, done),
                _ => self.done(block, inst, done),
            }
        }
    }

    /// What the log says that an instruction did, which acts so: it is noted as used.
    pub(super) fn taken(&mut self, inst: Inst, acting: Acting) -> Vec<Done> {
        let (log, offset) = (self.log, self.body.insts[inst].offset);
        let calls = log.calls_at(self.body.method, offset, self.body.line(offset));
        let calls: Vec<_> = calls.filter(|call| acting.does(call.done)).collect();
        let noted = calls.iter().map(|&call| Logged { call, offset, acting });
        self.writer.facts.logged.extend(noted);
        calls.into_iter().map(|call| call.done).collect()
    }

    fn done(&mut self, block: Block, inst: Inst, done: Done) {
        // A primitive value that nobody wants in a box: `Field.getInt`.
        if let (Done::Got(field), None) = (done, self.result(inst)) {
            let data = self.program.fields()[field];
            if data.flags.is_static() {
                self.writer.init(self.class, data.class, self.body.insts[inst].offset);
            }
            return;
        }
        let callee = Callee::Fixed(self.writer.facts.make_up(MadeUp::Doing(done)));
        let (offset, kind) = (self.body.insts[inst].offset, EdgeKind::Reflective);
        // What acts is the class, constructor, method or field that comes first.
        let args: Vec<PackedOption<Var>> =
            self.body.args(inst).iter().skip(1).map(|&v| self.var(v)).collect();
        let (result, thrown) = (self.result(inst), Some(self.thrown_in(block)));
        self.writer.call(&NewCall { offset, kind, callee, receiver: None, args: &args, result, thrown });
    }

    fn acting(&self, called: MethodId) -> Option<Acting> {
        let (class, name) = self.names(called);
        Acting::of(class, name)
    }

    /// The names of a method's class and its own.
    pub(super) fn names(&self, method: MethodId) -> (&[u8], &[u8]) {
        let selector = self.program.selector(self.program.methods()[method].selector);
        let class = self.program.types.name(self.program.owner(method));
        (self.program.symbols.bytes(class), self.program.symbols.bytes(selector.name))
    }
}
