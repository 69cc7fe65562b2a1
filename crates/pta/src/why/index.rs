//! What is needed to go backwards: who calls, and who stores.

use heliostat_index::{FastMap, IdMap};
use heliostat_program::FieldId;
use heliostat_solve::ObjectId;

use super::Place;
use crate::engine::{CallEdge, InstanceId};
use crate::facts::{CodeId, FieldKey, GlobalId, Stmt};
use crate::solution::Solution;

/// Answers questions about a solution.
pub struct Why<'a> {
    pub(super) solution: &'a Solution,
    pub(super) callers: IdMap<InstanceId, Vec<CallEdge>>,
    pub(super) callees: IdMap<InstanceId, Vec<CallEdge>>,
    pub(super) instances: FastMap<CodeId, Vec<InstanceId>>,
    /// Statements that store, by what they store into.
    pub(super) stores: FastMap<FieldKey, Vec<(CodeId, Stmt)>>,
    pub(super) statics: FastMap<FieldId, Vec<(CodeId, Stmt)>>,
    pub(super) globals: FastMap<GlobalId, Vec<(CodeId, Stmt)>>,
    /// Statements that store into whatever fields an object has.
    pub(super) open_stores: Vec<(CodeId, Stmt)>,
}

impl<'a> Why<'a> {
    /// Makes ready for questions.
    pub fn new(solution: &'a Solution) -> Self {
        let mut why = Self {
            solution,
            callers: IdMap::with_default(Vec::new()),
            callees: IdMap::with_default(Vec::new()),
            instances: solution.instances_by_code().into_iter().collect(),
            stores: FastMap::default(),
            statics: FastMap::default(),
            globals: FastMap::default(),
            open_stores: Vec::new(),
        };
        for edge in solution.edges() {
            why.callers[edge.callee].push(edge);
            why.callees[edge.caller].push(edge);
        }
        for (code, _) in solution.instances_by_code() {
            for &stmt in solution.facts.template(code).map_or(&[][..], |t| &t.stmts) {
                why.note(code, stmt);
            }
        }
        why
    }

    fn note(&mut self, code: CodeId, stmt: Stmt) {
        match stmt {
            Stmt::Store { field, .. } => self.stores.entry(field).or_default().push((code, stmt)),
            Stmt::StoreStatic { field, .. } => self.statics.entry(field).or_default().push((code, stmt)),
            Stmt::StoreGlobal { global, .. } => self.globals.entry(global).or_default().push((code, stmt)),
            Stmt::StoreAny { .. } => self.open_stores.push((code, stmt)),
            _ => {}
        }
    }

    pub(super) fn instances_of(&self, code: CodeId) -> &[InstanceId] {
        self.instances.get(&code).map_or(&[], |list| list)
    }

    /// Whether an object is at a place.
    pub fn is_at(&self, place: Place, object: ObjectId) -> bool {
        self.solution.is_at(place, object)
    }
}
