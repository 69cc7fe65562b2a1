//! Which statements make an object, and of what.

use heliostat_index::FastSet;
use heliostat_solve::ObjectId;

use super::{StmtAt, Why};
use crate::contexts::{ContextElement, ContextId, Kind};
use crate::engine::InstanceId;
use crate::facts::{AllocId, AllocKind, CodeId, Derivation, Var};
use crate::meetings::Making;

impl Why<'_> {
    /// Whether an instance makes an object where it has this allocation site.
    pub(super) fn makes(&self, instance: InstanceId, site: AllocId, object: ObjectId) -> bool {
        let Some(made) = self.solution.object(object) else { return false };
        made.alloc == site
            && (made.context == ContextId::EMPTY
                || self.heap_context(instance) == self.elements(made.context))
    }

    /// The context of what an instance allocates, if it is told apart by context.
    fn heap_context(&self, instance: InstanceId) -> Vec<ContextElement> {
        let flavour = self.solution.contexts.flavour();
        let mut elements = self.elements(self.solution.instances[instance].context);
        if flavour.kind == Kind::Hybrid {
            elements.retain(|element| !matches!(element, ContextElement::Site(_)));
        }
        elements.split_off(elements.len().saturating_sub(flavour.heap))
    }

    fn elements(&self, context: ContextId) -> Vec<ContextElement> {
        self.solution.context(context).to_vec()
    }

    /// The objects in a variable of which a statement makes this one.
    pub(super) fn derived_from(
        &self,
        at: StmtAt,
        (how, from, offset): (Derivation, Var, u32),
        object: ObjectId,
    ) -> Vec<ObjectId> {
        let Some(made) = self.solution.object(object) else { return Vec::new() };
        let making = Making::new(how, self.solution.code_of(at.instance), offset);
        let is_source = |&source: &ObjectId| {
            let Some(alloc) = self.solution.object(source).map(|o| o.alloc) else { return false };
            match self.types.made_of(making, alloc) {
                // What stays as it is stays the same object.
                Some(same) if same == alloc => source == object,
                Some(other) if other == made.alloc => self.makes(at.instance, other, object),
                _ => false,
            }
        };
        self.solution.points_to(at.instance, from).filter(is_source).collect()
    }

    /// Whether an object is a class object, all of which the JVM keeps.
    pub(super) fn is_class_object(&self, object: ObjectId) -> bool {
        let alloc = self.solution.object(object).map(|o| self.solution.facts.allocs()[o.alloc]);
        alloc.is_some_and(|alloc| matches!(alloc.kind, AllocKind::Class(_)))
    }

    /// What a variable points to, objects first that are made by code which the program's entry points reach: where several would do,
    /// a reader knows those best.
    pub(super) fn own_first(&self, instance: InstanceId, var: Var) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> = self.solution.points_to(instance, var).collect();
        objects.sort_by_key(|&object| !self.is_own_object(object));
        objects
    }

    fn is_own_object(&self, object: ObjectId) -> bool {
        let (facts, object) = (&self.solution.facts, self.solution.object(object));
        let place = object.and_then(|object| facts.place_of(facts.allocs()[object.alloc].kind));
        place.is_some_and(|(code, _)| self.reached().is_own_code(code))
    }

    /// What a variable of code points to in any context, by allocation site: each with an object and an instance that has it, one
    /// that is reached from the program's entry points if there is any.
    pub fn allocs_at(&self, code: CodeId, var: Var) -> Vec<(AllocId, ObjectId, InstanceId)> {
        let reached = self.reached();
        let mut instances = self.instances_of(code).to_vec();
        instances.sort_by_key(|&instance| !reached.is_own(instance));
        let mut seen_sets = FastSet::default();
        let mut seen = FastSet::default();
        let mut found = Vec::new();
        for instance in instances.into_iter().filter(|&i| seen_sets.insert(self.set(i, var))) {
            for object in self.solution.points_to(instance, var) {
                let Some(alloc) = self.solution.object(object).map(|o| o.alloc) else { continue };
                if seen.insert(alloc) {
                    found.push((alloc, object, instance));
                }
            }
        }
        found.sort_unstable();
        found
    }
}
