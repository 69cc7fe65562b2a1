//! Where exceptions go: to the handlers of the block, first match first, else to the caller.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, Catcher, Op};
use heliostat_program::TypeId;

use super::Extractor;
use crate::facts::{Filter, Stmt, Var};
use crate::models::{FROM_INITIALISERS, THROWABLES};

impl Extractor<'_> {
    /// Handlers see what the JVM throws by itself, whatever the block does: no call need be in it.
    pub(super) fn cover(&mut self, block: Block) {
        if !self.body.catchers(block).is_empty() {
            self.thrown_in(block);
        }
    }

    /// The variable that holds what instructions of a block throw.
    pub(super) fn thrown_in(&mut self, block: Block) -> Var {
        let catchers = self.body.catchers(block);
        if catchers.is_empty() {
            return self.writer.thrown();
        }
        if let Some(&known) = self.handlers.get(catchers) {
            return known;
        }
        let thrown = self.writer.new_var();
        self.handlers.insert(catchers.to_vec(), thrown);
        // What instructions throw by themselves is not told apart by instruction.
        let global = self.writer.facts.globals.intern(THROWABLES.into());
        self.writer.push(Stmt::LoadGlobal { global, to: thrown });
        self.distribute(thrown, catchers);
        thrown
    }

    /// What a class initialiser throws goes to the JVM, and from there to whoever used the class.
    pub(super) fn initialiser_throws(&mut self) {
        let selector = self.program.methods()[self.body.method].selector;
        let name = self.program.symbols.bytes(self.program.selector(selector).name);
        if let Some(from) = self.writer.template.thrown.expand().filter(|_| name == b"<clinit>") {
            let global = self.writer.facts.globals.intern(FROM_INITIALISERS.into());
            self.writer.push(Stmt::StoreGlobal { global, from });
        }
    }

    /// Gives what is thrown to the handlers by type, in their order.
    fn distribute(&mut self, thrown: Var, catchers: &[Catcher]) {
        let mut before: Vec<TypeId> = Vec::new();
        for catcher in catchers {
            if let Some(to) = self.caught_in(catcher.block).expand() {
                self.caught(thrown, to, catcher.ty.expand(), &before);
            }
            match catcher.ty.expand() {
                Some(ty) => before.push(ty),
                None => return,
            }
        }
        if !before.contains(&TypeId::THROWABLE) {
            let outside = self.writer.thrown();
            self.caught(thrown, outside, None, &before);
        }
    }

    fn caught(&mut self, from: Var, to: Var, ty: Option<TypeId>, before: &[TypeId]) {
        let filter = Filter::Caught { ty, not: before.into() };
        let filter = self.writer.facts.filters.intern(filter);
        self.writer.push(Stmt::Assign { from, to, filter });
    }

    /// The variable of the exception that a landing block receives, if something reads it.
    fn caught_in(&self, landing: Block) -> PackedOption<Var> {
        let mut insts = self.body.block_insts(landing);
        let catch = insts.find(|&i| self.body.insts[i].op == Op::Catch);
        catch.and_then(|i| self.result(i)).into()
    }
}
