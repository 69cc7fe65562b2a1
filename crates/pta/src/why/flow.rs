//! Why a place has an object: the shortest way back to where the object was made.

use std::collections::VecDeque;

use heliostat_index::FastMap;
use heliostat_solve::ObjectId;

use super::index::Why;
use super::{How, Place, Step};
use crate::engine::InstanceId;
use crate::facts::{CodeId, FieldKey, Stmt, Var};

impl Why<'_> {
    /// The way of an object to a place, from where it was made; none if it is not there.
    pub fn points_to(&self, place: Place, object: ObjectId) -> Option<Vec<Step>> {
        if !self.is_at(place, object) {
            return None;
        }
        // For each place, how the object goes on from there.
        let mut after: FastMap<Place, (How, Option<Place>)> = FastMap::default();
        let mut seen = heliostat_index::FastSet::default();
        seen.insert(place);
        let mut work = VecDeque::from([place]);
        while let Some(at) = work.pop_front() {
            for (how, from) in self.ways_to(at, object) {
                let Some(from) = from else { return Some(way(at, how, &after)) };
                if self.is_at(from, object) && seen.insert(from) {
                    after.insert(from, (how, Some(at)));
                    work.push_back(from);
                }
            }
        }
        None
    }

    /// All ways that bring an object to a place: how, and from where; from nowhere if it is made there.
    fn ways_to(&self, place: Place, object: ObjectId) -> Vec<(How, Option<Place>)> {
        match place {
            Place::Var { instance, var } => self.ways_to_var(instance, var, object),
            Place::Field { object: base, field } => self.ways_to_field(base, field),
            Place::Static(field) => self.stored(self.statics.get(&field)),
            Place::Global(global) => self.stored(self.globals.get(&global)),
        }
    }

    fn ways_to_var(&self, instance: InstanceId, var: Var, object: ObjectId) -> Vec<(How, Option<Place>)> {
        let mut ways = Vec::new();
        let code = self.solution.code_of(instance);
        let Some(template) = self.solution.facts.template(code) else { return ways };
        for &stmt in &template.stmts {
            self.ways_by_stmt(instance, stmt, var, object, &mut ways);
        }
        for &edge in &self.callers[instance] {
            let site = &self.solution.facts.sites()[edge.site];
            let caller = |var: Var| Some(Place::Var { instance: edge.caller, var });
            if let Some(receiver) = site.receiver.expand().filter(|_| template.this.expand() == Some(var)) {
                ways.push((How::Receiver(edge), caller(receiver)));
            }
            for (arg, param) in site.args.iter().zip(&template.params) {
                if let Some(arg) = arg.expand().filter(|_| param.expand() == Some(var)) {
                    ways.push((How::Argument(edge), caller(arg)));
                }
            }
        }
        self.ways_from_callees(instance, var, &mut ways);
        ways
    }

    /// What calls of the instance give back into a variable.
    fn ways_from_callees(&self, instance: InstanceId, var: Var, ways: &mut Vec<(How, Option<Place>)>) {
        for &edge in &self.callees[instance] {
            let site = &self.solution.facts.sites()[edge.site];
            let Some(callee) = self.solution.facts.template(self.solution.code_of(edge.callee)) else {
                continue;
            };
            let from = |var: Var| Some(Place::Var { instance: edge.callee, var });
            if let Some(result) = callee.result.expand().filter(|_| site.result.expand() == Some(var)) {
                ways.push((How::Returned(edge), from(result)));
            }
            if let Some(thrown) = callee.thrown.expand().filter(|_| site.thrown.expand() == Some(var)) {
                ways.push((How::Thrown(edge), from(thrown)));
            }
        }
    }

    fn ways_by_stmt(
        &self,
        instance: InstanceId,
        stmt: Stmt,
        var: Var,
        object: ObjectId,
        ways: &mut Vec<(How, Option<Place>)>,
    ) {
        let moved = How::Moved(instance, stmt);
        match stmt {
            Stmt::Alloc { to, site }
                if to == var && self.solution.object(object).is_some_and(|o| o.alloc == site) =>
            {
                ways.push((How::Made(instance, stmt), None));
            }
            Stmt::Derive { to, .. } if to == var => ways.push((How::Made(instance, stmt), None)),
            Stmt::Assign { from, to, .. } if to == var => {
                ways.push((moved, Some(Place::Var { instance, var: from })));
            }
            Stmt::LoadStatic { field, to } if to == var => ways.push((moved, Some(Place::Static(field)))),
            Stmt::LoadGlobal { global, to } if to == var => ways.push((moved, Some(Place::Global(global)))),
            Stmt::Load { base, field, to } if to == var => {
                for object in self.solution.points_to(instance, base) {
                    ways.push((moved, Some(Place::Field { object, field })));
                }
            }
            Stmt::LoadAny { base, to } if to == var => {
                for object in self.solution.points_to(instance, base) {
                    for field in self.solution.fields_of(object) {
                        ways.push((moved, Some(Place::Field { object, field })));
                    }
                }
            }
            _ => {}
        }
    }

    fn ways_to_field(&self, base: ObjectId, field: FieldKey) -> Vec<(How, Option<Place>)> {
        let mut ways = Vec::new();
        let stores = self.stores.get(&field).map_or(&[][..], |list| list);
        for &(code, stmt) in stores.iter().chain(&self.open_stores) {
            let (Stmt::Store { base: var, from, .. } | Stmt::StoreAny { base: var, from }) = stmt else {
                continue;
            };
            for &instance in self.instances_of(code) {
                if self.is_at(Place::Var { instance, var }, base) {
                    ways.push((How::Moved(instance, stmt), Some(Place::Var { instance, var: from })));
                }
            }
        }
        ways
    }

    /// The ways by statements that store into one place, whatever the object.
    fn stored(&self, stores: Option<&Vec<(CodeId, Stmt)>>) -> Vec<(How, Option<Place>)> {
        let mut ways = Vec::new();
        for &(code, stmt) in stores.map_or(&[][..], |list| list) {
            let (Stmt::StoreStatic { from, .. } | Stmt::StoreGlobal { from, .. }) = stmt else { continue };
            for &instance in self.instances_of(code) {
                ways.push((How::Moved(instance, stmt), Some(Place::Var { instance, var: from })));
            }
        }
        ways
    }
}

/// The way from where the object was made.
fn way(made_at: Place, made: How, after: &FastMap<Place, (How, Option<Place>)>) -> Vec<Step> {
    let mut steps = vec![Step { place: made_at, how: made }];
    let mut at = made_at;
    while let Some(&(how, Some(next))) = after.get(&at) {
        steps.push(Step { place: next, how });
        at = next;
    }
    steps
}
