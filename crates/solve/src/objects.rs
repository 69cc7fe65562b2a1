//! Objects, numbered so that those of one group lie together.

use heliostat_index::{BLOCK_IDS, IdVec, id};

id! {
    /// An object: what nodes have sets of. Numbers have gaps.
    pub struct ObjectId = "o";
}
id! {
    /// What filters tell apart: a type, for example.
    pub struct GroupId = "g";
}

/// All objects. Each block of 32 numbers belongs to one group, so that a filter looks at a block once, and so that a
/// set of many objects of one group is small.
#[derive(Default)]
pub(crate) struct Objects {
    /// The group of each block of numbers.
    blocks: Vec<GroupId>,
    /// The number for the next object of each group; on a block's border if a new block is due.
    next: IdVec<GroupId, u32>,
    count: usize,
}

impl Objects {
    pub(crate) fn new_group(&mut self) -> GroupId {
        self.next.push(0)
    }

    pub(crate) fn new_object(&mut self, group: GroupId) -> ObjectId {
        self.count += 1;
        let next = &mut self.next[group];
        if next.is_multiple_of(BLOCK_IDS) {
            *next = self.blocks.len() as u32 * BLOCK_IDS;
            self.blocks.push(group);
        }
        *next += 1;
        ObjectId::from_u32(*next - 1)
    }

    pub(crate) fn group_of_block(&self, block: u32) -> GroupId {
        self.blocks[block as usize]
    }

    pub(crate) fn group(&self, object: ObjectId) -> GroupId {
        self.group_of_block(object.as_u32() / BLOCK_IDS)
    }

    pub(crate) fn blocks(&self) -> u32 {
        self.blocks.len() as u32
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }
}
