//! Sets of ids, each kept once: equal sets have equal numbers, and what was once computed of two sets is remembered.
//!
//! In a points-to analysis most sets are equal to others (for Jython, 343,000 variables have 31,000 different ones), and so are
//! the operations on them.

use std::marker::PhantomData;
use std::rc::Rc;

use hashbrown::HashTable;

use crate::blocks::{self, BlockBits};
use crate::{Id, IdVec, id};

id! {
    /// A set in its table.
    pub struct SetId = "set";
}

impl SetId {
    /// The empty set.
    pub const EMPTY: Self = Self::from_u32(0);
}

/// How many results of an operation are remembered at first, and at most. What is asked again is mostly asked again soon: for
/// Jython, sixteen times as many would save one in a hundred unions, and each look at them would miss the cache.
const REMEMBERED: (usize, usize) = (1 << 14, 1 << 16);

/// An operation on two numbers, with its result. Nothing is remembered for the pair of empty sets.
#[derive(Clone, Copy, Default)]
struct Memory {
    operands: (u32, u32),
    result: u32,
}

/// What an operation gave lately: a place for each pair of operands, taken by the latest that falls on it.
struct Memories(Vec<Memory>);

impl Memories {
    fn new() -> Self {
        Self(vec![Memory::default(); REMEMBERED.0])
    }

    /// The place of a pair of operands; there is a power of two of them.
    fn place(&self, a: u32, b: u32) -> usize {
        let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.0.len() - 1)
    }

    /// Makes room for what is done with so many sets.
    fn grow(&mut self, sets: usize) {
        if sets * 4 > self.0.len() && self.0.len() < REMEMBERED.1 {
            let old = std::mem::take(&mut self.0);
            self.0 = vec![Memory::default(); old.len() * 4];
            for memory in old {
                let place = self.place(memory.operands.0, memory.operands.1);
                self.0[place] = memory;
            }
        }
    }

    fn recall(&self, a: u32, b: u32) -> Option<SetId> {
        let memory = &self.0[self.place(a, b)];
        (memory.operands == (a, b)).then(|| SetId::from_u32(memory.result))
    }

    fn remember(&mut self, a: u32, b: u32, result: SetId) {
        let place = self.place(a, b);
        self.0[place] = Memory { operands: (a, b), result: result.as_u32() };
    }

    /// Forgets what is about sets that are no more. A second operand that is no set counts as one that is still there.
    fn forget(&mut self, is_live: &IdVec<SetId, bool>, are_sets: bool) {
        let is_gone = |set: u32| is_live.get(SetId::from_u32(set)) == Some(&false);
        for memory in &mut self.0 {
            let (a, b) = memory.operands;
            if is_gone(a) || is_gone(memory.result) || are_sets && is_gone(b) {
                *memory = Memory::default();
            }
        }
    }
}

/// A table of sets of ids.
pub struct Sets<K> {
    contents: IdVec<SetId, Rc<[BlockBits]>>,
    by_content: HashTable<SetId>,
    /// Numbers whose sets were dropped.
    free: Vec<SetId>,
    /// The blocks of all sets together.
    blocks: usize,
    unions: Memories,
    differences: Memories,
    filtered: Memories,
    buffer: Vec<BlockBits>,
    key: PhantomData<K>,
}

impl<K: Id> Sets<K> {
    /// The table that has the empty set.
    pub fn new() -> Self {
        let mut sets = Self {
            contents: IdVec::new(),
            by_content: HashTable::new(),
            free: Vec::new(),
            blocks: 0,
            unions: Memories::new(),
            differences: Memories::new(),
            filtered: Memories::new(),
            buffer: Vec::new(),
            key: PhantomData,
        };
        sets.intern(&[]);
        sets
    }

    /// The blocks of a set, in order.
    pub fn blocks(&self, set: SetId) -> &[BlockBits] {
        &self.contents[set]
    }

    /// The same, to be kept while the table changes.
    pub fn shared_blocks(&self, set: SetId) -> Rc<[BlockBits]> {
        Rc::clone(&self.contents[set])
    }

    /// The ids of a set, in order.
    pub fn iter(&self, set: SetId) -> impl Iterator<Item = K> + '_ {
        self.blocks(set).iter().flat_map(|b| b.ids())
    }

    /// How many ids a set has.
    pub fn len(&self, set: SetId) -> usize {
        self.blocks(set).iter().map(|b| b.len() as usize).sum()
    }

    /// Whether a set has no ids.
    pub fn is_empty(&self, set: SetId) -> bool {
        set == SetId::EMPTY
    }

    /// Whether a set has an id.
    pub fn contains(&self, set: SetId, key: K) -> bool {
        self.has_all(set, &[BlockBits::of(key)])
    }

    /// Whether a set has all ids of these blocks.
    pub fn has_all(&self, set: SetId, content: &[BlockBits]) -> bool {
        let blocks = self.blocks(set);
        content.iter().all(|wanted| {
            let found = blocks.binary_search_by_key(&wanted.block(), |b| b.block());
            found.is_ok_and(|i| wanted.bits() & !blocks[i].bits() == 0)
        })
    }

    /// The set of these blocks, which must be sorted, each with at least one id.
    pub fn intern(&mut self, content: &[BlockBits]) -> SetId {
        let hash = hash(content);
        let contents = &self.contents;
        if let Some(&known) = self.by_content.find(hash, |&id| *contents[id] == *content) {
            return known;
        }
        self.blocks += content.len();
        let id = match self.free.pop() {
            Some(id) => {
                self.contents[id] = content.into();
                id
            }
            None => self.contents.push(content.into()),
        };
        for memories in [&mut self.unions, &mut self.differences, &mut self.filtered] {
            memories.grow(self.contents.len());
        }
        let contents = &self.contents;
        self.by_content.insert_unique(hash, id, |&id| self::hash(&contents[id]));
        id
    }

    /// What either set has.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        let (a, b) = (a.min(b), a.max(b));
        if a == SetId::EMPTY || a == b {
            return b;
        }
        if let Some(known) = self.unions.recall(a.as_u32(), b.as_u32()) {
            return known;
        }
        let result = self.combined(a, b, blocks::union);
        self.unions.remember(a.as_u32(), b.as_u32(), result);
        result
    }

    /// What the first set has and the second has not.
    pub fn minus(&mut self, a: SetId, b: SetId) -> SetId {
        if a == SetId::EMPTY || b == SetId::EMPTY {
            return a;
        }
        if a == b {
            return SetId::EMPTY;
        }
        if let Some(known) = self.differences.recall(a.as_u32(), b.as_u32()) {
            return known;
        }
        let result = self.combined(a, b, blocks::minus);
        self.differences.remember(a.as_u32(), b.as_u32(), result);
        result
    }

    /// What both sets have.
    pub fn intersection(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b { a } else { self.combined(a, b, blocks::intersection) }
    }

    /// What a filter leaves of a set: its number is not 0, `pass` writes what passes, and that must not change.
    pub fn filtered(
        &mut self,
        set: SetId,
        filter: u32,
        pass: impl FnOnce(&[BlockBits], &mut Vec<BlockBits>),
    ) -> SetId {
        if set == SetId::EMPTY {
            return set;
        }
        if let Some(known) = self.filtered.recall(set.as_u32(), filter) {
            return known;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        pass(&self.contents[set], &mut buffer);
        let result = if *buffer == *self.contents[set] { set } else { self.intern(&buffer) };
        self.buffer = buffer;
        self.filtered.remember(set.as_u32(), filter, result);
        result
    }

    fn combined(
        &mut self,
        a: SetId,
        b: SetId,
        combine: impl Fn(&[BlockBits], &[BlockBits], &mut Vec<BlockBits>),
    ) -> SetId {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        combine(&self.contents[a], &self.contents[b], &mut buffer);
        let result = self.intern(&buffer);
        self.buffer = buffer;
        result
    }

    /// The blocks of all sets together: what the table costs.
    pub fn cost(&self) -> usize {
        self.blocks
    }

    /// Drops all sets but these and the empty one.
    pub fn retain(&mut self, live: impl Iterator<Item = SetId>) {
        let mut is_live: IdVec<SetId, bool> = vec![false; self.contents.len()].into();
        is_live[SetId::EMPTY] = true;
        for set in live {
            is_live[set] = true;
        }
        let contents = &mut self.contents;
        let (blocks, free) = (&mut self.blocks, &mut self.free);
        self.by_content.retain(|&mut id| {
            if !is_live[id] {
                *blocks -= contents[id].len();
                contents[id] = Rc::new([]);
                free.push(id);
            }
            is_live[id]
        });
        // The table's order is that of hashes; numbers are to be given out in their own.
        free.sort_unstable_by(|a, b| b.cmp(a));
        self.unions.forget(&is_live, true);
        self.differences.forget(&is_live, true);
        self.filtered.forget(&is_live, false);
    }
}

/// A hash by four sums side by side: sets are long, and one sum would wait for each multiplication.
fn hash(content: &[BlockBits]) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let add = |sum: u64, block: BlockBits| (sum ^ block.raw()).wrapping_mul(MIX).rotate_left(29);
    let mut sums = [content.len() as u64, 1, 2, 3];
    let (fours, rest) = content.as_chunks::<4>();
    for four in fours {
        for (sum, &block) in sums.iter_mut().zip(four) {
            *sum = add(*sum, block);
        }
    }
    let first = rest.iter().fold(sums[0], |sum, &block| add(sum, block));
    sums[1..].iter().fold(first, |sum, &other| (sum ^ other).wrapping_mul(MIX).rotate_left(29))
}

impl<K: Id> Default for Sets<K> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    id! { struct Thing = "t"; }

    /// A small generator of numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % bound) as u32
        }

        fn set(&mut self) -> BTreeSet<u32> {
            let (n, bound) = (self.below(40), [64, 400, 4000][self.below(3) as usize]);
            (0..n).map(|_| self.below(bound)).collect()
        }
    }

    fn numbers(sets: &Sets<Thing>, set: SetId) -> BTreeSet<u32> {
        assert_eq!(sets.iter(set).count(), sets.len(set));
        sets.iter(set).map(Thing::as_u32).collect()
    }

    fn add(sets: &mut Sets<Thing>, ids: &BTreeSet<u32>) -> SetId {
        let one = |sets: &mut Sets<Thing>, n: u32| sets.intern(&[BlockBits::of(Thing::from_u32(n))]);
        ids.iter().fold(SetId::EMPTY, |all, &n| {
            let one = one(sets, n);
            sets.union(all, one)
        })
    }

    #[test]
    fn agrees_with_ordinary_sets() {
        let mut random = Numbers(1);
        let mut sets = Sets::new();
        for round in 0..5_000 {
            let (x, y) = (random.set(), random.set());
            let (a, b) = (add(&mut sets, &x), add(&mut sets, &y));
            assert_eq!(a == b, x == y);
            for _again in 0..2 {
                let (union, minus, both) = (sets.union(a, b), sets.minus(a, b), sets.intersection(a, b));
                let even =
                    sets.filtered(a, 1, |all, out| out.extend(all.iter().filter(|b| b.block() % 2 == 0)));
                assert_eq!(numbers(&sets, union), &x | &y);
                assert_eq!(numbers(&sets, minus), &x - &y);
                assert_eq!(numbers(&sets, both), &x & &y);
                assert_eq!(numbers(&sets, even), x.iter().copied().filter(|n| n / 32 % 2 == 0).collect());
            }
            assert!(x.iter().all(|&n| sets.contains(a, Thing::from_u32(n))));
            if round % 100 == 0 {
                sets.retain([a].into_iter());
                assert_eq!(numbers(&sets, a), x);
                assert_eq!(sets.cost(), sets.blocks(a).len());
            }
        }
    }
}
