//! Where exceptions go: to the handlers of the block, first match first, else to the caller.

use heliostat_index::PackedOption;
use heliostat_ir::{Block, Catcher, Op};
use heliostat_program::TypeId;

use super::Extractor;
use crate::facts::{Filter, Stmt, Var};
use crate::models::THROWABLES;

impl Extractor<'_> {
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
