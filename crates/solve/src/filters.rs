//! Filters as masks over the blocks of objects.

use heliostat_index::{BlockBits, Id, IdVec};

use crate::solver::FilterId;

/// What was found out about 64 blocks: a bit each.
#[derive(Clone, Copy, Default)]
struct Word {
    decided: u64,
    admitted: u64,
}

/// What a filter lets through. A block is decided on when it is first met.
#[derive(Default)]
pub(crate) struct Mask {
    words: Vec<Word>,
    /// The first blocks that pass, whole, and how many blocks were looked at for that.
    list: Vec<BlockBits>,
    listed: u32,
}

impl Mask {
    /// Whether a block passes; `decide` is asked once for each block.
    pub(crate) fn admits(&mut self, block: u32, decide: impl FnOnce(u32) -> bool) -> bool {
        let (at, bit) = (block as usize / 64, 1 << (block % 64));
        if at >= self.words.len() {
            self.words.resize(at + 1, Word::default());
        }
        let word = &mut self.words[at];
        if word.decided & bit == 0 {
            word.decided |= bit;
            if decide(block) {
                word.admitted |= bit;
            }
        }
        word.admitted & bit != 0
    }

    /// All blocks that pass, of so many.
    pub(crate) fn list(&mut self, blocks: u32, decide: impl Fn(u32) -> bool) -> &[BlockBits] {
        for block in self.listed..blocks {
            if self.admits(block, &decide) {
                self.list.push(BlockBits::new(block, u32::MAX));
            }
        }
        self.listed = blocks;
        &self.list
    }
}

/// The masks of all filters.
#[derive(Default)]
pub(crate) struct Filters(IdVec<FilterId, Mask>);

impl Filters {
    pub(crate) fn mask(&mut self, filter: FilterId) -> &mut Mask {
        while self.0.len() <= filter.index() {
            self.0.push(Mask::default());
        }
        &mut self.0[filter]
    }
}
