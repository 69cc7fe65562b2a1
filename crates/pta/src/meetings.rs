//! Where types decide, and which of them meet there: what the facts need besides to be evaluated by somebody else.

use std::collections::BTreeSet;

use heliostat_index::{FastMap, FastSet, SetId};
use heliostat_program::{MethodId, Program};
use heliostat_solve::FilterId;

use crate::engine::InstanceId;
use crate::facts::{AllocId, AllocKind, Callee, CodeId, Derivation, FieldKey, Stmt, Var};
use crate::solution::Solution;
use crate::types::{Types, What};

/// What types decide wherever they meet in a solution: as much as this and more precise solutions need.
#[derive(Debug, Default)]
pub struct Meetings {
    /// What passes a filter that it meets; the filter that lets everything through passes every object there is.
    pub admits: BTreeSet<(FilterId, What)>,
    /// What a call of a method runs on a receiver that it meets.
    pub selects: BTreeSet<(What, MethodId, CodeId)>,
    /// What may be stored into arrays that a store meets.
    pub elements: BTreeSet<(What, FilterId)>,
    /// The fields that code outside Java may mean of objects that it meets, and what may be stored there.
    pub open_fields: BTreeSet<(What, FieldKey, FilterId)>,
    /// What is made of objects.
    pub made: BTreeSet<(Making, AllocId, AllocId)>,
}

/// How something is made of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Making {
    /// How.
    pub how: Derivation,
    /// The code and the offset there, if what is made depends on it.
    pub place: Option<(CodeId, u32)>,
}

impl Making {
    /// How the statement of this kind at this place makes something.
    pub fn new(how: Derivation, code: CodeId, offset: u32) -> Self {
        Self { how, place: (how == Derivation::Resize).then_some((code, offset)) }
    }
}

impl Solution {
    /// What types decide wherever they meet.
    pub fn meetings(&self, program: &Program) -> Meetings {
        let types = Types { program, facts: &self.facts };
        let mut finder = Finder {
            solution: self,
            types,
            found: Meetings::default(),
            whats: FastMap::default(),
            done: FastSet::default(),
        };
        let all = self.facts.allocs().iter().map(|(_, alloc)| (FilterId::ALL, alloc.what()));
        finder.found.admits.extend(all);
        for (code, instances) in self.instances_by_code() {
            for &stmt in self.facts.template(code).map_or(&[][..], |t| &t.stmts) {
                for &instance in &instances {
                    finder.look(code, instance, stmt);
                }
            }
        }
        finder.found
    }
}

/// A question that was answered: most variables have the set of others.
#[derive(PartialEq, Eq, Hash)]
enum Question {
    Filter(FilterId, SetId),
    Receiver(MethodId, SetId),
    Elements(SetId, SetId),
    Open(SetId, Option<SetId>),
    Made(Making, SetId),
}

struct Finder<'a> {
    solution: &'a Solution,
    types: Types<'a>,
    found: Meetings,
    /// What the objects of a set are.
    whats: FastMap<SetId, Vec<What>>,
    done: FastSet<Question>,
}

impl Finder<'_> {
    fn look(&mut self, code: CodeId, instance: InstanceId, stmt: Stmt) {
        let set = |var: Var| self.solution.solver.set(self.solution.node(instance, var));
        match stmt {
            Stmt::Assign { from, filter, .. } if filter != FilterId::ALL => self.filter(filter, set(from)),
            Stmt::Store { base, field: FieldKey::ELEMENTS, from } => self.elements(set(base), set(from)),
            Stmt::LoadAny { base, .. } => self.open(set(base), None),
            Stmt::StoreAny { base, from } => self.open(set(base), Some(set(from))),
            Stmt::Derive { how, from, offset, .. } => self.made(Making::new(how, code, offset), set(from)),
            Stmt::Call(site) => {
                let call = &self.solution.facts.sites()[site];
                if let (Callee::Virtual(resolved), Some(receiver)) = (call.callee, call.receiver.expand()) {
                    self.receiver(resolved, set(receiver));
                }
            }
            // Nothing depends on types.
            Stmt::Assign { .. }
            | Stmt::Alloc { .. }
            | Stmt::Load { .. }
            | Stmt::Store { .. }
            | Stmt::LoadStatic { .. }
            | Stmt::StoreStatic { .. }
            | Stmt::LoadGlobal { .. }
            | Stmt::StoreGlobal { .. }
            | Stmt::Init { .. }
            | Stmt::InitOf { .. }
            | Stmt::Listen { .. } => {}
        }
    }

    fn whats(&mut self, set: SetId) -> Vec<What> {
        let solution = self.solution;
        let find = || {
            let objects = solution.solver.objects_of(set).filter_map(|object| solution.object(object));
            let whats: BTreeSet<What> = objects.map(|o| solution.facts.allocs()[o.alloc].what()).collect();
            whats.into_iter().collect()
        };
        self.whats.entry(set).or_insert_with(find).clone()
    }

    fn filter(&mut self, filter: FilterId, from: SetId) {
        if self.done.insert(Question::Filter(filter, from)) {
            let passing = self.whats(from).into_iter().filter(|&what| self.types.admits(filter, what));
            let passing: Vec<_> = passing.map(|what| (filter, what)).collect();
            self.found.admits.extend(passing);
        }
    }

    fn receiver(&mut self, resolved: MethodId, receivers: SetId) {
        if self.done.insert(Question::Receiver(resolved, receivers)) {
            for what in self.whats(receivers) {
                let selected = self.types.selected(resolved, what);
                self.found.selects.extend(selected.map(|code| (what, resolved, code)));
            }
        }
    }

    fn elements(&mut self, arrays: SetId, from: SetId) {
        if self.done.insert(Question::Elements(arrays, from)) {
            for what in self.whats(arrays) {
                let Some(filter) = self.types.element_filter(what) else { continue };
                self.found.elements.insert((what, filter));
                self.filter(filter, from);
            }
        }
    }

    fn open(&mut self, base: SetId, from: Option<SetId>) {
        if self.done.insert(Question::Open(base, from)) {
            for what in self.whats(base) {
                for (field, filter) in self.types.open_fields(what) {
                    self.found.open_fields.insert((what, field, filter));
                    if let Some(from) = from {
                        self.filter(filter, from);
                    }
                }
            }
        }
    }

    fn made(&mut self, making: Making, from: SetId) {
        if self.done.insert(Question::Made(making, from)) {
            for object in self.solution.solver.objects_of(from) {
                let Some(alloc) = self.solution.object(object).map(|o| o.alloc) else { continue };
                let made = self.types.made_of(making, alloc);
                self.found.made.extend(made.map(|made| (making, alloc, made)));
            }
        }
    }
}

impl Types<'_> {
    /// What is made of an object. Whether there is such a thing depends on its type only, so that it is there if it was ever made.
    pub(crate) fn made_of(self, making: Making, alloc: AllocId) -> Option<AllocId> {
        let Types { program, facts } = self;
        let data = facts.allocs()[alloc];
        let kind = match (making.how, making.place, data.kind) {
            (Derivation::Resize, Some((code, offset)), AllocKind::Empty(ty)) => {
                AllocKind::Resized { code, offset, ty }
            }
            (Derivation::Resize, ..) => return Some(alloc),
            (Derivation::ClassOf, ..) => AllocKind::Class(data.ty),
            (Derivation::ComponentOf, _, AllocKind::Class(ty)) => {
                AllocKind::Class(program.types.element(ty)?)
            }
            (Derivation::ArrayOf, _, AllocKind::Class(ty)) => AllocKind::Reflective(program.types.array(ty)?),
            (Derivation::Instance, _, AllocKind::Class(ty)) if program.class_of(ty).is_some() => {
                AllocKind::Reflective(ty)
            }
            (Derivation::ComponentOf | Derivation::ArrayOf | Derivation::Instance, ..) => return None,
        };
        facts.find_alloc(kind)
    }
}
