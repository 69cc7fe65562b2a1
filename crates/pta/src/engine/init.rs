//! Class initialisation (JVMS 5.5): superclasses and superinterfaces with default methods first.

use std::rc::Rc;

use heliostat_program::{ClassId, MethodId};
use heliostat_solve::Solver;

use super::{ClinitEdge, Engine, Waiting};
use crate::contexts::ContextId;
use crate::facts::{CodeId, Facts, MadeUp};

impl Engine<'_> {
    /// Begins: what the JVM does and the entry points are the root's statements.
    pub(super) fn enter(&mut self, solver: &mut Solver<Waiting>) {
        let root = self.facts.make_up(MadeUp::Root);
        self.instance(solver, root, ContextId::EMPTY);
        self.run_fresh(solver);
    }

    /// Initialises a class and what must be initialised before it.
    pub(super) fn initialise(&mut self, solver: &mut Solver<Waiting>, class: ClassId) {
        if !self.initialised.insert(class) {
            return;
        }
        self.initialised.extend(self.types().initialised_with(class));
        for &method in &*self.initialisers_of(class) {
            self.instance(solver, Facts::code(method), ContextId::EMPTY);
        }
    }

    /// Notes the call edges to the initialisers that an instruction may run: not those that must have begun before its own code runs.
    pub(super) fn note_initialisers(&mut self, code: CodeId, offset: u32, class: ClassId) {
        let own = self.class_of_code(code);
        for &callee in &*self.initialisers_of(class) {
            let of = self.program.methods()[callee].class;
            if !own.is_some_and(|own| self.program.is_subclass(own, of)) {
                self.clinit_edges.insert(ClinitEdge { code, offset, callee });
            }
        }
    }

    /// The class whose code it is: of a lambda, the one that has it.
    fn class_of_code(&self, code: CodeId) -> Option<ClassId> {
        match (self.facts.method(code), self.facts.made_up(code)) {
            (Some(method), _) => Some(self.program.methods()[method].class),
            (None, Some(MadeUp::Lambda(lambda))) => Some(self.facts.lambda(lambda).class),
            (None, _) => None,
        }
    }

    /// The class initialisers that run when a class is initialised and nothing was before.
    fn initialisers_of(&mut self, class: ClassId) -> Rc<[MethodId]> {
        if let Some(known) = self.initialisers.get(&class) {
            return Rc::clone(known);
        }
        let types = self.types();
        let with = types.initialised_with(class).into_iter();
        let found: Rc<[MethodId]> = with.filter_map(|class| types.initialiser(class)).collect();
        self.initialisers.insert(class, Rc::clone(&found));
        found
    }
}
