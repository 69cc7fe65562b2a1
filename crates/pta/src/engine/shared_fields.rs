//! Fields of objects that arrive together.
//!
//! Where `m` statements read the same field of the same `n` objects, a node between the objects' fields and the statements makes
//! `m + n` ways of `m * n`; the same holds for those that write. Crowds of receivers are the like for calls.

use heliostat_index::BlockBits;
use heliostat_solve::{FilterId, NodeId, ObjectId, Solver};
use smallvec::SmallVec;

use super::{Engine, Waiting, count};
use crate::facts::FieldKey;

/// How many objects are worth a node between.
const MANY: u32 = 16;

/// What is done to fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Access {
    Load,
    Store,
}

/// A field of some objects, and what is done to it.
pub(super) type FieldsKey = (Access, FieldKey, SmallVec<[BlockBits; 8]>);

impl Engine<'_> {
    /// Brings what is in a field of each of these objects to a node.
    pub(super) fn load_fields(
        &mut self,
        solver: &mut Solver<Waiting>,
        objects: &[BlockBits],
        field: FieldKey,
        to: NodeId,
    ) {
        if count(objects) >= MANY {
            let between = self.between_fields(solver, Access::Load, objects, field);
            return solver.add_edge(between, to);
        }
        for object in objects.iter().flat_map(|block| block.ids()) {
            let from = self.field_node(solver, object, field);
            solver.add_edge(from, to);
        }
    }

    /// Brings what a node has, and the filter admits, to a field of each of these objects.
    pub(super) fn store_fields(
        &mut self,
        solver: &mut Solver<Waiting>,
        from: NodeId,
        objects: &[BlockBits],
        field: FieldKey,
        filter: FilterId,
    ) {
        if count(objects) >= MANY {
            let between = self.between_fields(solver, Access::Store, objects, field);
            return solver.add_filtered_edge(from, between, filter);
        }
        for object in objects.iter().flat_map(|block| block.ids()) {
            let to = self.field_node(solver, object, field);
            solver.add_filtered_edge(from, to, filter);
        }
    }

    fn between_fields(
        &mut self,
        solver: &mut Solver<Waiting>,
        access: Access,
        objects: &[BlockBits],
        field: FieldKey,
    ) -> NodeId {
        let key: FieldsKey = (access, field, objects.into());
        if let Some(&known) = self.known_fields.get(&key) {
            return known;
        }
        let between = solver.new_nodes(1);
        for object in objects.iter().flat_map(|block| block.ids::<ObjectId>()) {
            let node = self.field_node(solver, object, field);
            match access {
                Access::Load => solver.add_edge(node, between),
                Access::Store => solver.add_edge(between, node),
            }
        }
        self.known_fields.insert(key, between);
        between
    }
}
