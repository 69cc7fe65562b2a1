//! Class initialisation (JVMS 5.5): superclasses and superinterfaces with default methods first.

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
        for before in self.initialised_before(class) {
            self.initialised.insert(before);
        }
        for &method in &self.initialisers_of(class) {
            self.instance(solver, Facts::code(method), ContextId::EMPTY);
        }
    }

    /// Notes the call edges to the initialisers that an instruction may run.
    pub(super) fn note_initialisers(&mut self, code: CodeId, offset: u32, class: ClassId) {
        for &callee in &self.initialisers_of(class) {
            self.clinit_edges.insert(ClinitEdge { code, offset, callee });
        }
    }

    /// The class initialisers that run when a class is initialised and nothing was before.
    fn initialisers_of(&mut self, class: ClassId) -> Box<[MethodId]> {
        if let Some(known) = self.initialisers.get(&class) {
            return known.clone();
        }
        let mut found = Vec::new();
        if let Some(selector) = self.program.find_selector("<clinit>", "()V") {
            for before in self.initialised_before(class).into_iter().chain([class]) {
                found.extend(self.program.declared_method(before, selector));
            }
        }
        let found: Box<[MethodId]> = found.into();
        self.initialisers.insert(class, found.clone());
        found
    }

    /// What is initialised before a class; nothing before an interface.
    fn initialised_before(&self, class: ClassId) -> Vec<ClassId> {
        if self.program.classes()[class].flags.is_interface() {
            return Vec::new();
        }
        let supers = self.program.super_classes(class).filter(|&c| c != class);
        let interfaces =
            self.program.super_interfaces(class).iter().copied().filter(|&i| self.has_defaults(i));
        supers.chain(interfaces).collect()
    }

    /// Whether an interface declares a method that is neither abstract nor static.
    fn has_defaults(&self, interface: ClassId) -> bool {
        self.declared_methods(interface).any(|m| {
            let flags = self.program.methods()[m].flags;
            !flags.is_abstract() && !flags.is_static()
        })
    }
}
