//! The representations of a set of numbers that are compared.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;
use heliostat_core::pta::ObjectId;
use heliostat_index::{BLOCK_IDS, BlockBits, SetId, Sets, minus, union};
use roaring::RoaringBitmap;
use rustc_hash::FxBuildHasher;

/// A way to keep sets. What sets share, it has itself.
pub(super) trait Representation: Default {
    type Set: Default;

    /// The set of these numbers, which are sorted.
    fn set(&mut self, ids: &[u32]) -> Self::Set;
    /// What the first has and the second has not.
    fn minus(&mut self, a: &Self::Set, b: &Self::Set) -> Self::Set;
    /// Adds what the second has to the first.
    fn unite(&mut self, a: &mut Self::Set, b: &Self::Set);
    fn is_empty(&self, set: &Self::Set) -> bool;
    /// What one set takes, on the heap and off it, without what the allocator adds and without room to grow.
    fn bytes(&self, set: &Self::Set) -> usize;
}

/// The blocks of sorted numbers.
pub(super) fn blocks(ids: &[u32]) -> Vec<BlockBits> {
    let block = |chunk: &[u32]| {
        let bits = chunk.iter().fold(0, |bits, id| bits | 1 << (id % BLOCK_IDS));
        BlockBits::new(chunk[0] / BLOCK_IDS, bits)
    };
    ids.chunk_by(|a, b| a / BLOCK_IDS == b / BLOCK_IDS).map(block).collect()
}

/// What a vector of these takes.
fn vector_bytes<T>(content: &[T]) -> usize {
    size_of::<Vec<T>>() + size_of_val(content)
}

/// Sorted `Vec<u32>`.
#[derive(Default)]
pub(super) struct Sorted;

/// How many times longer a vector must be for its numbers to be searched and not walked through.
const MUCH_LONGER: usize = 16;

impl Representation for Sorted {
    type Set = Vec<u32>;

    fn set(&mut self, ids: &[u32]) -> Vec<u32> {
        ids.to_vec()
    }

    fn minus(&mut self, a: &Vec<u32>, b: &Vec<u32>) -> Vec<u32> {
        let is_long = b.len() / MUCH_LONGER > a.len();
        let mut rest = b.as_slice();
        let lacks = |id: &&u32| {
            let below = if is_long {
                rest.partition_point(|other| other < *id)
            } else {
                rest.iter().take_while(|other| other < id).count()
            };
            rest = &rest[below..];
            rest.first() != Some(*id)
        };
        a.iter().filter(lacks).copied().collect()
    }

    fn unite(&mut self, a: &mut Vec<u32>, b: &Vec<u32>) {
        let mut united = Vec::with_capacity(a.len() + b.len());
        let mut rest = a.as_slice();
        for &id in b {
            let below = rest.iter().take_while(|&&other| other < id).count();
            united.extend_from_slice(&rest[..below]);
            united.push(id);
            rest = &rest[below + usize::from(rest.get(below) == Some(&id))..];
        }
        united.extend_from_slice(rest);
        *a = united;
    }

    fn is_empty(&self, set: &Vec<u32>) -> bool {
        set.is_empty()
    }

    fn bytes(&self, set: &Vec<u32>) -> usize {
        vector_bytes(set)
    }
}

/// Sorted blocks of 32, each set by itself.
#[derive(Default)]
pub(super) struct Blocks;

impl Representation for Blocks {
    type Set = Vec<BlockBits>;

    fn set(&mut self, ids: &[u32]) -> Vec<BlockBits> {
        blocks(ids)
    }

    fn minus(&mut self, a: &Vec<BlockBits>, b: &Vec<BlockBits>) -> Vec<BlockBits> {
        let mut left = Vec::new();
        minus(a, b, &mut left);
        left
    }

    fn unite(&mut self, a: &mut Vec<BlockBits>, b: &Vec<BlockBits>) {
        let mut united = Vec::with_capacity(a.len() + b.len());
        union(a, b, &mut united);
        *a = united;
    }

    fn is_empty(&self, set: &Vec<BlockBits>) -> bool {
        set.is_empty()
    }

    fn bytes(&self, set: &Vec<BlockBits>) -> usize {
        vector_bytes(set)
    }
}

/// The same blocks as the solver has them: each set once, and operations remembered.
#[derive(Default)]
pub(super) struct KeptOnce(Sets<ObjectId>);

impl Representation for KeptOnce {
    type Set = Kept;

    fn set(&mut self, ids: &[u32]) -> Kept {
        Kept(self.0.intern(&blocks(ids)))
    }

    fn minus(&mut self, a: &Kept, b: &Kept) -> Kept {
        Kept(self.0.minus(a.0, b.0))
    }

    fn unite(&mut self, a: &mut Kept, b: &Kept) {
        a.0 = self.0.union(a.0, b.0);
    }

    fn is_empty(&self, set: &Kept) -> bool {
        set.0 == SetId::EMPTY
    }

    /// In the table: a pointer with a length, two counters before the blocks, and the number in the index.
    fn bytes(&self, set: &Kept) -> usize {
        let blocks = size_of_val(self.0.blocks(set.0));
        size_of::<Rc<[BlockBits]>>() + 2 * size_of::<usize>() + blocks + size_of::<SetId>()
    }
}

/// A set of the table.
pub(super) struct Kept(SetId);

impl Default for Kept {
    fn default() -> Self {
        Self(SetId::EMPTY)
    }
}

/// Roaring bitmaps.
#[derive(Default)]
pub(super) struct Roaring;

impl Representation for Roaring {
    type Set = RoaringBitmap;

    fn set(&mut self, ids: &[u32]) -> RoaringBitmap {
        ids.iter().copied().collect()
    }

    fn minus(&mut self, a: &RoaringBitmap, b: &RoaringBitmap) -> RoaringBitmap {
        a - b
    }

    fn unite(&mut self, a: &mut RoaringBitmap, b: &RoaringBitmap) {
        *a |= b;
    }

    fn is_empty(&self, set: &RoaringBitmap) -> bool {
        set.is_empty()
    }

    /// Counted from what the containers hold: the crate's own counts take the numbers of an array to be twice as wide
    /// as they are, and give bitmaps in bits. A collected set has no runs.
    fn bytes(&self, set: &RoaringBitmap) -> usize {
        const CONTAINER: usize = 32;
        const BITMAP: usize = 8192;
        let statistics = set.statistics();
        let arrays = statistics.n_values_array_containers as usize * size_of::<u16>();
        let bitmaps = statistics.n_bitset_containers as usize * BITMAP;
        size_of_val(set) + statistics.n_containers as usize * CONTAINER + arrays + bitmaps
    }
}

/// Hash sets with the fast hasher of the workspace.
#[derive(Default)]
pub(super) struct Hashed;

impl Representation for Hashed {
    type Set = HashSet<u32, FxBuildHasher>;

    fn set(&mut self, ids: &[u32]) -> Self::Set {
        ids.iter().copied().collect()
    }

    fn minus(&mut self, a: &Self::Set, b: &Self::Set) -> Self::Set {
        a.difference(b).copied().collect()
    }

    fn unite(&mut self, a: &mut Self::Set, b: &Self::Set) {
        a.extend(b);
    }

    fn is_empty(&self, set: &Self::Set) -> bool {
        set.is_empty()
    }

    fn bytes(&self, set: &Self::Set) -> usize {
        size_of_val(set) + set.allocation_size()
    }
}

/// A bit for each number up to the highest of the set.
#[derive(Default)]
pub(super) struct Dense;

impl Representation for Dense {
    type Set = FixedBitSet;

    fn set(&mut self, ids: &[u32]) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(ids.last().map_or(0, |&last| last as usize + 1));
        set.extend(ids.iter().map(|&id| id as usize));
        set
    }

    fn minus(&mut self, a: &FixedBitSet, b: &FixedBitSet) -> FixedBitSet {
        let mut left = a.clone();
        left.difference_with(b);
        left
    }

    fn unite(&mut self, a: &mut FixedBitSet, b: &FixedBitSet) {
        a.union_with(b);
    }

    fn is_empty(&self, set: &FixedBitSet) -> bool {
        set.is_clear()
    }

    fn bytes(&self, set: &FixedBitSet) -> usize {
        size_of_val(set) + size_of_val(set.as_slice())
    }
}
