//! Filters as masks over the blocks of objects.

use heliostat_index::{Id, IdVec};

use crate::objects::{GroupId, Objects};
use crate::solver::FilterId;

/// What a filter lets through, as far as it was asked: one bit per block of objects.
#[derive(Default)]
struct Mask {
    bits: Vec<u64>,
    /// How many blocks have been decided.
    decided: usize,
}

/// The masks of all filters. They grow with the objects: a filter decides on a block when it first meets
/// blocks as new as that one.
#[derive(Default)]
pub(crate) struct Filters {
    masks: IdVec<FilterId, Mask>,
}

impl Filters {
    /// Decides on the blocks that are new since the last time.
    pub(crate) fn prepare(&mut self, filter: FilterId, objects: &Objects, admits: impl Fn(GroupId) -> bool) {
        while self.masks.len() <= filter.index() {
            self.masks.push(Mask::default());
        }
        let mask = &mut self.masks[filter];
        if mask.decided == objects.blocks() {
            return;
        }
        mask.bits.resize(objects.blocks().div_ceil(64), 0);
        for block in mask.decided..objects.blocks() {
            if admits(objects.group_of_block(block as u32)) {
                mask.bits[block / 64] |= 1 << (block % 64);
            }
        }
        mask.decided = objects.blocks();
    }

    /// What decides whether a block passes; the filter must have been prepared.
    pub(crate) fn mask(&self, filter: FilterId) -> impl Fn(u32) -> bool + '_ {
        let bits = &self.masks[filter].bits;
        move |block| bits[block as usize / 64] >> (block % 64) & 1 != 0
    }
}
