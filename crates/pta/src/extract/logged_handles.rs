//! Calls of method handles, and call sites of bootstrap methods, of which a log says what they ran.
//!
//! Where the arguments of such a call end up is up to the handle: adapters leave out, permute, collect and spread them, and bind
//! others. So what is run gets, for the receiver and for each parameter, whatever of all these is of its type.

use heliostat_ir::{Block, Inst};
use heliostat_program::MethodId;

use super::Extractor;
use crate::facts::{Stmt, Var};
use crate::logged::{Acting, Done};

/// What is bound to any method handle.
const BOUND: &str = "boundToHandles";

impl Extractor<'_> {
    /// What a call binds to a method handle; asked for only where a log may have calls of handles. What the JDK's own code for handles
    /// binds is of its own making.
    pub(super) fn bound(&mut self, inst: Inst, called: MethodId) {
        if self.log.is_empty() || self.names(self.body.method).0.starts_with(b"java/lang/invoke/") {
            return;
        }
        let bound = match self.names(called) {
            (b"java/lang/invoke/MethodHandle", b"bindTo") => self.arg(inst, 1),
            (b"java/lang/invoke/MethodHandles", b"insertArguments") => {
                let values = self.arg(inst, 2);
                values.map(|values| self.writer.element_of(values))
            }
            _ => None,
        };
        if let Some(from) = bound {
            let global = self.writer.facts.globals.intern(BOUND.into());
            self.writer.push(Stmt::StoreGlobal { global, from });
        }
    }

    /// What the call site of a bootstrap method ran: a method handle, too.
    pub(super) fn logged_dynamic(&mut self, block: Block, inst: Inst) {
        for done in self.taken(inst, Acting::CallHandle) {
            self.by_handle(block, inst, 0, done);
        }
    }

    /// What a method handle ran, that is given the arguments from a number on.
    pub(super) fn by_handle(&mut self, block: Block, inst: Inst, first: usize, done: Done) {
        let (Done::Invoked(method) | Done::Constructed(method)) = done else { return };
        let given = self.given(inst, first);
        let data = &self.program.methods()[method];
        let descriptor = self.program.selector(data.selector).descriptor;
        let args = self.writer.any_that_fits(given, &self.program.method_type(descriptor).parameters);
        let thrown = self.thrown_in(block);
        let result = if matches!(done, Done::Constructed(_)) {
            Some(self.writer.construct(data.class, Some(method), &args, thrown))
        } else {
            self.writer.run(method, given, &args, thrown)
        };
        if let (Some(from), Some(to)) = (result, self.result(inst)) {
            self.writer.assign(from, to);
        }
    }

    /// All that a handle may pass on: arguments, elements of arrays among them, and what is bound.
    fn given(&mut self, inst: Inst, first: usize) -> Var {
        let given = self.writer.new_var();
        for index in first..self.body.args(inst).len() {
            let Some(arg) = self.arg(inst, index) else { continue };
            self.writer.assign(arg, given);
            let element = self.writer.element_of(arg);
            self.writer.assign(element, given);
        }
        let global = self.writer.facts.globals.intern(BOUND.into());
        self.writer.push(Stmt::LoadGlobal { global, to: given });
        given
    }
}
