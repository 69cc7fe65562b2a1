//! Objects and what they have of their own.

use heliostat_index::{Id, PackedOption};
use heliostat_program::FieldId;
use heliostat_solve::{GroupId, NodeId, ObjectId, Solver};

use super::{Engine, InstanceId, Object, Waiting};
use crate::contexts::ContextId;
use crate::facts::{AllocId, AllocKind, FieldKey, GlobalId};
use crate::models::CLASSES;

impl Engine<'_> {
    /// The object that an instance allocates at a site.
    pub(super) fn allocate(
        &mut self,
        solver: &mut Solver<Waiting>,
        instance: InstanceId,
        alloc: AllocId,
    ) -> ObjectId {
        let context = if self.is_sensitive_alloc(alloc) {
            self.contexts.of_object(self.instances[instance].context)
        } else {
            ContextId::EMPTY
        };
        self.object(solver, alloc, context)
    }

    /// Whether the objects of a site are told apart by context: constants, and what is merged, never are.
    fn is_sensitive_alloc(&self, alloc: AllocId) -> bool {
        let kind = self.facts.allocs()[alloc].kind;
        if !kind.may_have_context() {
            return false;
        }
        let Some(selector) = &self.options.selector else { return true };
        let place = self.facts.place_of(kind);
        let method = place.and_then(|(code, offset)| Some((self.facts.method(code)?, offset)));
        method.is_none_or(|(method, offset)| selector.allocation(method, offset))
    }

    pub(super) fn object(
        &mut self,
        solver: &mut Solver<Waiting>,
        alloc: AllocId,
        context: ContextId,
    ) -> ObjectId {
        if let Some(&known) = self.known_objects.get(&(alloc, context)) {
            return known;
        }
        let group = self.group_of(solver, alloc);
        let object = solver.new_object(group);
        self.known_objects.insert((alloc, context), object);
        self.objects[object] = Some(Object { alloc, context });
        if matches!(self.facts.allocs()[alloc].kind, AllocKind::Class(_)) {
            let classes = self.facts.globals.intern(CLASSES.into());
            let classes = self.global_node(solver, classes);
            solver.add_object(classes, object);
        }
        object
    }

    fn group_of(&mut self, solver: &mut Solver<Waiting>, alloc: AllocId) -> GroupId {
        let group = self.facts.allocs()[alloc].what();
        if let Some(&known) = self.known_groups.get(&group) {
            return known;
        }
        let id = solver.new_group();
        debug_assert_eq!(id.index(), self.groups.len());
        self.groups.push(group);
        self.known_groups.insert(group, id);
        id
    }

    /// The node of what an object has of its own.
    pub(super) fn field_node(
        &mut self,
        solver: &mut Solver<Waiting>,
        object: ObjectId,
        field: FieldKey,
    ) -> NodeId {
        *self.fields.entry((object, field)).or_insert_with(|| solver.new_nodes(1))
    }

    pub(super) fn static_node(&mut self, solver: &mut Solver<Waiting>, field: FieldId) -> NodeId {
        known_or_new(&mut self.statics[field], solver)
    }

    pub(super) fn global_node(&mut self, solver: &mut Solver<Waiting>, global: GlobalId) -> NodeId {
        known_or_new(&mut self.globals[global], solver)
    }
}

fn known_or_new(place: &mut PackedOption<NodeId>, solver: &mut Solver<Waiting>) -> NodeId {
    place.expand().unwrap_or_else(|| {
        let node = solver.new_nodes(1);
        *place = node.into();
        node
    })
}
