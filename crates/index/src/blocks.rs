//! Sorted arrays of blocks of 32 ids: what sets of ids are made of.

use std::cmp::Ordering;
use std::fmt;

use crate::Id;

/// The ids per block.
pub const BLOCK_IDS: u32 = 32;

/// A block of 32 consecutive ids, and which of them are meant: block number above, bits below, so that
/// comparing the numbers of two sorted arrays is comparing integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockBits(u64);

impl BlockBits {
    /// These bits of a block.
    pub fn new(block: u32, bits: u32) -> Self {
        Self(u64::from(block) << 32 | u64::from(bits))
    }

    /// The block of one id.
    pub fn of<K: Id>(key: K) -> Self {
        let raw = key.index() as u32;
        Self::new(raw / BLOCK_IDS, 1 << (raw % BLOCK_IDS))
    }

    /// The block's number.
    pub fn block(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Which of its ids are meant.
    pub fn bits(self) -> u32 {
        self.0 as u32
    }

    /// Both in one number.
    pub(crate) fn raw(self) -> u64 {
        self.0
    }

    /// How many.
    pub fn len(self) -> u32 {
        self.bits().count_ones()
    }

    /// Whether none is.
    pub fn is_empty(self) -> bool {
        self.bits() == 0
    }

    /// The ids.
    pub fn ids<K: Id>(self) -> impl Iterator<Item = K> {
        let (first, mut rest) = (self.block() * BLOCK_IDS, self.bits());
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(K::new((first + bit) as usize))
        })
    }
}

impl fmt::Debug for BlockBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:08x}", self.block(), self.bits())
    }
}

/// Writes what either has.
pub fn union(a: &[BlockBits], b: &[BlockBits], out: &mut Vec<BlockBits>) {
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        match x.block().cmp(&y.block()) {
            Ordering::Less => {
                let end = advance(a, i, y.block());
                out.extend_from_slice(&a[i..end]);
                i = end;
            }
            Ordering::Greater => {
                let end = advance(b, j, x.block());
                out.extend_from_slice(&b[j..end]);
                j = end;
            }
            Ordering::Equal => {
                out.push(BlockBits(x.0 | y.0));
                i += 1;
                j += 1;
            }
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
}

/// Writes what the first has and the second has not.
pub fn minus(a: &[BlockBits], b: &[BlockBits], out: &mut Vec<BlockBits>) {
    combine(a, b, out, |x, y| x & !y);
}

/// Writes what both have.
pub fn intersection(a: &[BlockBits], b: &[BlockBits], out: &mut Vec<BlockBits>) {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    combine(few, many, out, |x, y| x & y);
}

/// Writes each block of the first, combined with that of the second, if anything is left of it.
fn combine(a: &[BlockBits], b: &[BlockBits], out: &mut Vec<BlockBits>, bits: impl Fn(u32, u32) -> u32) {
    let mut at = 0;
    for &x in a {
        at = advance(b, at, x.block());
        let other = b.get(at).filter(|y| y.block() == x.block()).map_or(0, |y| y.bits());
        let left = bits(x.bits(), other);
        if left != 0 {
            out.push(BlockBits::new(x.block(), left));
        }
    }
}

/// The first position from `start` on whose block is not below `block`: doubling steps, then halving ones, so that a
/// few blocks are found in many, and many among many, both in a short time.
fn advance(blocks: &[BlockBits], start: usize, block: u32) -> usize {
    let mut step = 1;
    let mut low = start;
    while low + step <= blocks.len() && blocks[low + step - 1].block() < block {
        low += step;
        step *= 2;
    }
    let high = (low + step).min(blocks.len());
    low + blocks[low..high].partition_point(|b| b.block() < block)
}
