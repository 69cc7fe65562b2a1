//! What each statement does: at once, or when objects arrive at the variable that it waits for.

use heliostat_index::BlockBits;
use heliostat_program::TypeId;
use heliostat_solve::{FilterId, NodeId, ObjectId, Solver};

use super::derive::Place;
use super::{Engine, InstanceId, Waiting};
use crate::facts::{AllocKind, FieldKey, Stmt, Var};
use crate::types::What;

impl Engine<'_> {
    /// Runs the statements of an instance.
    pub(super) fn run(&mut self, solver: &mut Solver<Waiting>, instance: InstanceId) {
        let mut is_listening = false;
        let mut numbers = 0..;
        while let Some((number, stmt)) = numbers.next().and_then(|n| Some((n, self.stmt(instance, n)?))) {
            is_listening |= matches!(stmt, Stmt::Listen { .. });
            self.start(solver, Waiting { instance, stmt: number as u32 }, stmt);
        }
        if is_listening {
            self.listeners.entry(self.instances[instance].code).or_default().push(instance);
        }
    }

    fn stmt(&self, instance: InstanceId, number: usize) -> Option<Stmt> {
        self.facts.template(self.instances[instance].code)?.stmts.get(number).copied()
    }

    pub(super) fn start(&mut self, solver: &mut Solver<Waiting>, waiting: Waiting, stmt: Stmt) {
        let instance = waiting.instance;
        let wait_for = |this: &Self, solver: &mut Solver<Waiting>, var: Var| {
            solver.watch(this.node(instance, var), waiting);
        };
        match stmt {
            Stmt::Assign { from, to, filter } => {
                solver.add_filtered_edge(self.node(instance, from), self.node(instance, to), filter);
            }
            Stmt::Alloc { to, site } => {
                let object = self.allocate(solver, instance, site);
                solver.add_object(self.node(instance, to), object);
            }
            Stmt::LoadStatic { field, to } => {
                let from = self.static_node(solver, field);
                solver.add_edge(from, self.node(instance, to));
            }
            Stmt::StoreStatic { field, from } => {
                let to = self.static_node(solver, field);
                solver.add_edge(self.node(instance, from), to);
            }
            Stmt::LoadGlobal { global, to } => {
                let from = self.global_node(solver, global);
                solver.add_edge(from, self.node(instance, to));
            }
            Stmt::StoreGlobal { global, from } => {
                let to = self.global_node(solver, global);
                solver.add_edge(self.node(instance, from), to);
            }
            Stmt::Load { base: var, .. }
            | Stmt::Store { base: var, .. }
            | Stmt::LoadAny { base: var, .. }
            | Stmt::StoreAny { base: var, .. }
            | Stmt::Derive { from: var, .. }
            | Stmt::InitOf { class: var, .. }
            | Stmt::Listen { var, .. } => wait_for(self, solver, var),
            Stmt::Call(site) => match self.facts.sites[site].receiver.expand() {
                Some(receiver) => wait_for(self, solver, receiver),
                None => self.call(solver, instance, site),
            },
            Stmt::Init { class, offset } => {
                self.initialise(solver, class);
                self.note_initialisers(self.instances[instance].code, offset, class);
            }
        }
    }

    /// Goes on with a statement that waited for these objects.
    pub(super) fn resume(&mut self, solver: &mut Solver<Waiting>, waiting: Waiting, objects: &[BlockBits]) {
        let instance = waiting.instance;
        let Some(stmt) = self.stmt(instance, waiting.stmt as usize) else { return };
        match stmt {
            Stmt::Load { field, to, .. } => {
                let to = self.node(instance, to);
                self.load_fields(solver, objects, field, to);
            }
            Stmt::Store { field, from, .. } => {
                let from = self.node(instance, from);
                self.store(solver, from, objects, field);
            }
            Stmt::LoadAny { to, .. } => {
                let to = self.node(instance, to);
                for &block in objects {
                    self.load_any(solver, block, to);
                }
            }
            Stmt::StoreAny { from, .. } => {
                let from = self.node(instance, from);
                for &block in objects {
                    self.store_any(solver, block, from);
                }
            }
            Stmt::Derive { how, to, offset, .. } => {
                self.derive(solver, Place { instance, offset }, how, objects, to);
            }
            Stmt::InitOf { offset, .. } => {
                let code = self.instances[instance].code;
                for ty in ids(objects).filter_map(|o| self.class_behind(o)).collect::<Vec<_>>() {
                    if let Some(class) = self.program.class_of(ty) {
                        self.initialise(solver, class);
                        self.note_initialisers(code, offset, class);
                    }
                }
            }
            Stmt::Call(site) => self.call_on(solver, instance, site, objects),
            Stmt::Listen { call, position, .. } => self.hear(solver, instance, (call, position), objects),
            // They wait for nothing.
            Stmt::Assign { .. }
            | Stmt::Alloc { .. }
            | Stmt::LoadStatic { .. }
            | Stmt::StoreStatic { .. }
            | Stmt::LoadGlobal { .. }
            | Stmt::StoreGlobal { .. }
            | Stmt::Init { .. } => {}
        }
    }

    /// Stores what a node has into a field of objects.
    fn store(&mut self, solver: &mut Solver<Waiting>, from: NodeId, objects: &[BlockBits], field: FieldKey) {
        if field != FieldKey::ELEMENTS {
            return self.store_fields(solver, from, objects, field, FilterId::ALL);
        }
        let mut by_filter: Vec<(FilterId, BlockBits)> =
            objects.iter().filter_map(|&block| Some((self.element_filter(solver, block)?, block))).collect();
        by_filter.sort_by_key(|&(filter, _)| filter);
        for same in by_filter.chunk_by(|a, b| a.0 == b.0) {
            let arrays: Vec<BlockBits> = same.iter().map(|&(_, block)| block).collect();
            self.store_fields(solver, from, &arrays, field, same[0].0);
        }
    }

    /// What may be stored into arrays of a block: what their element type allows. None if they are no arrays of references.
    fn element_filter(&mut self, solver: &Solver<Waiting>, block: BlockBits) -> Option<FilterId> {
        let What::Of(ty) = self.groups[solver.block_group(block)] else { return None };
        let element = self.program.types.element(ty).filter(|&e| self.program.types.is_reference(e))?;
        Some(self.facts.type_filter(element))
    }

    /// The type that a class object stands for.
    pub(super) fn class_behind(&self, object: ObjectId) -> Option<TypeId> {
        match self.facts.allocs()[self.objects[object]?.alloc].kind {
            AllocKind::Class(ty) => Some(ty),
            _ => None,
        }
    }
}

fn ids(objects: &[BlockBits]) -> impl Iterator<Item = ObjectId> + '_ {
    objects.iter().flat_map(|b| b.ids())
}
