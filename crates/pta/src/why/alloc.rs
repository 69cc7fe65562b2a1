//! Which statements make an object, and of what.

use heliostat_index::FastSet;
use heliostat_solve::ObjectId;

use super::{StmtAt, Why};
use crate::contexts::ContextId;
use crate::engine::InstanceId;
use crate::facts::{AllocId, AllocKind, CodeId, Var};
use crate::meetings::Making;

/// What a variable points to: an allocation site, with one of its objects and an instance whose variable has that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AllocAt {
    /// The allocation site.
    pub alloc: AllocId,
    /// The object.
    pub object: ObjectId,
    /// The instance.
    pub instance: InstanceId,
}

impl Why<'_> {
    /// Whether an instance makes an object where it has this allocation site.
    pub(super) fn makes(&self, instance: InstanceId, site: AllocId, object: ObjectId) -> bool {
        let Some(made) = self.solution.object(object) else { return false };
        let own = self.solution.instances[instance].context;
        made.alloc == site
            && (made.context == ContextId::EMPTY
                || self.solution.contexts.known_of_object(own) == Some(made.context))
    }

    /// The objects in a variable of which a statement makes this one.
    pub(super) fn derived_from(
        &self,
        at: StmtAt,
        making: Making,
        from: Var,
        object: ObjectId,
    ) -> Vec<ObjectId> {
        let Some(made) = self.solution.object(object) else { return Vec::new() };
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

    /// What a variable of code points to in any context, each allocation site once, in order. The instance is one that is reached
    /// from the program's entry points if there is any.
    pub fn allocs_at(&self, code: CodeId, var: Var) -> Vec<AllocAt> {
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
                    found.push(AllocAt { alloc, object, instance });
                }
            }
        }
        found.sort_unstable();
        found
    }
}
