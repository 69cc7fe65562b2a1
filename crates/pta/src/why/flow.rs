//! Why a place has an object: the shortest way back to where the object was made.

use std::collections::VecDeque;

use heliostat_index::{FastMap, FastSet, SetId};
use heliostat_solve::ObjectId;

use super::stores::Carriers;
use super::{How, Place, Step, Why};
use crate::engine::{CrowdId, InstanceId};
use crate::facts::FieldKey;
use crate::models::CLASSES;

/// An object at a place.
pub(super) type At = (Place, ObjectId);

/// Where many ways meet: once one of them was taken back to all of its sources, the others lead nowhere new.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Hub {
    /// A parameter of a crowd; none for the receiver.
    Into(CrowdId, Option<u32>),
    /// The result of a crowd, or its exceptions.
    Result(CrowdId),
    Thrown(CrowdId),
    /// A field of objects.
    Field(SetId, FieldKey),
    /// Any field of objects that code outside Java may mean.
    Open(SetId),
}

impl Why<'_> {
    /// Whether an object is at a place.
    pub fn is_at(&self, place: Place, object: ObjectId) -> bool {
        self.solution.is_at(place, object)
    }

    /// The way of an object to a place, from where it was made; none if it is not there. It leads through code that is reached from
    /// the program's entry points if it can, and is the shortest of those.
    pub fn points_to(&self, place: Place, object: ObjectId) -> Option<Vec<Step>> {
        if !self.is_at(place, object) {
            return None;
        }
        let goal = (self.canonical(place), object);
        let way = |own_only| Search::new(self, own_only).back_from(goal);
        way(true).or_else(|| way(false))
    }
}

/// A search backwards.
pub(super) struct Search<'s, 'a> {
    pub(super) why: &'s Why<'a>,
    /// Whether to look only at code that is reached from the program's entry points.
    own_only: bool,
    /// How each object that was met goes on towards the goal; it is the goal if it does not.
    next: FastMap<At, Option<(How, At)>>,
    work: VecDeque<At>,
    hubs: FastSet<(Hub, ObjectId)>,
    /// What may still be found to store an object into a field.
    carriers: FastMap<(ObjectId, FieldKey), Vec<Carriers>>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(why: &'s Why<'a>, own_only: bool) -> Self {
        Self {
            why,
            own_only,
            next: FastMap::default(),
            work: VecDeque::new(),
            hubs: FastSet::default(),
            carriers: FastMap::default(),
        }
    }

    fn back_from(mut self, goal: At) -> Option<Vec<Step>> {
        self.next.insert(goal, None);
        self.work.push_back(goal);
        while let Some(at) = self.work.pop_front() {
            if let Some(made) = self.look_behind(at) {
                return Some(self.way(at, made));
            }
        }
        None
    }

    /// Notes everything that brings an object to a place; says how it was made if it was made there.
    fn look_behind(&mut self, at: At) -> Option<How> {
        let (place, object) = at;
        match place {
            Place::Var { instance, var } => self.behind_var(at, instance, var),
            Place::Field { object: base, field } => {
                self.behind_field(at, base, field);
                None
            }
            Place::Static(field) => {
                self.behind_stores(at, &self.why.storing_into_static(field, object));
                None
            }
            Place::Global(global) => {
                let classes = self.why.solution.facts.global(CLASSES);
                if classes == Some(global) && self.why.is_class_object(object) {
                    return Some(How::Kept);
                }
                self.behind_stores(at, &self.why.storing_into_global(global, object));
                None
            }
        }
    }

    /// An object goes from one place to another, if it is there.
    pub(super) fn meet(&mut self, from: At, how: How, to: At) {
        let (place, object) = from;
        if !self.why.is_at(place, object) {
            return;
        }
        let from = (self.why.canonical(place), object);
        if let std::collections::hash_map::Entry::Vacant(entry) = self.next.entry(from) {
            entry.insert(Some((how, to)));
            self.work.push_back(from);
        }
    }

    /// Whether a hub was not met yet.
    pub(super) fn is_new(&mut self, hub: Hub, object: ObjectId) -> bool {
        self.hubs.insert((hub, object))
    }

    pub(super) fn is_meant(&self, instance: InstanceId) -> bool {
        !self.own_only || self.why.reached().is_own(instance)
    }

    /// What may still store an object into a field; to be given back.
    pub(super) fn take_carriers(&mut self, field: FieldKey, object: ObjectId) -> Vec<Carriers> {
        let why = self.why;
        std::mem::take(
            self.carriers.entry((object, field)).or_insert_with(|| why.storing_into_field(field, object)),
        )
    }

    pub(super) fn keep_carriers(&mut self, field: FieldKey, object: ObjectId, left: Vec<Carriers>) {
        self.carriers.insert((object, field), left);
    }

    /// The way from where the object was made.
    fn way(&self, (place, object): At, made: How) -> Vec<Step> {
        let mut steps = vec![Step { place, object, how: made }];
        let mut at = (place, object);
        while let Some(&Some((how, next))) = self.next.get(&at) {
            steps.push(Step { place: next.0, object: next.1, how });
            at = next;
        }
        steps
    }
}
