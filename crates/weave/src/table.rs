//! The table of calls: a file that the program's process maps into its memory, and woven code writes.
//!
//! A header, then [`SLOTS`] slots of a key and a count, as 64-bit numbers of the machine's byte order. The key is the caller's site, shifted left by 32,
//! or'ed with the number of the method called; 0 for a free slot. A key is in the first free slot from [`slot_of`] on.
//! When nobody writes any more, the slots in use alone are kept ([`write`]), and the header says how many these are.

/// What the file begins with.
pub const MAGIC: [u8; 8] = *b"HELIOTR1";
/// How many bits the number of a slot has.
pub const BITS: u32 = 22;
/// How many slots there are.
pub const SLOTS: u64 = 1 << BITS;
/// Where the slots begin: after one page.
pub const HEADER: u64 = 4096;
/// Where the number of calls is that found no slot.
pub const LOST: u64 = 8;
/// Where the number of slots of the file is, and one more; 0 for [`SLOTS`].
const KEPT: u64 = 16;
/// How long the file is.
pub const BYTES: u64 = HEADER + SLOTS * SLOT_BYTES;
/// How many slots are tried for a key.
pub const TRIES: u8 = 64;

pub(crate) const SLOT_BYTES: u64 = 16;
/// Spreads the bits of keys: 2^64 divided by the golden ratio.
pub(crate) const SPREAD: i64 = 0x9E37_79B9_7F4A_7C15_u64 as i64;

/// The slot that is tried first for a key.
pub fn slot_of(key: u64) -> u64 {
    key.wrapping_mul(SPREAD as u64) >> (64 - BITS)
}

/// A call as the table has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counted {
    /// The site that was last passed; 0 if there was none, as when the JVM itself calls.
    pub site: u32,
    /// The method called.
    pub method: u32,
    /// How often; somewhat less where threads called at the same time.
    pub count: u64,
}

/// What a table says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The calls, in the order of their slots.
    pub calls: Vec<Counted>,
    /// How many calls found no slot.
    pub lost: u64,
    /// Whether its end is missing.
    pub is_cut_off: bool,
}

/// Reads a table; none if it is something else. A file that was cut off gives what is there.
pub fn read(bytes: &[u8]) -> Option<Table> {
    if !bytes.starts_with(&MAGIC) {
        return None;
    }
    let slots = bytes.get(HEADER as usize..).unwrap_or(&[]);
    let used = slots.chunks_exact(SLOT_BYTES as usize).filter_map(|slot| {
        let key = number_at(slot, 0);
        // Whoever claims a slot counts right after; one that was stopped in between did call.
        let count = number_at(slot, 8).max(1);
        (key != 0).then_some(Counted { site: (key >> 32) as u32, method: key as u32, count })
    });
    let kept = number_at(bytes, KEPT);
    let slots = if kept == 0 { SLOTS } else { kept - 1 };
    let length = slots.saturating_mul(SLOT_BYTES).saturating_add(HEADER);
    let is_cut_off = (bytes.len() as u64) < length;
    Some(Table { calls: used.collect(), lost: number_at(bytes, LOST), is_cut_off })
}

/// The number at an offset; 0 beyond the end.
fn number_at(bytes: &[u8], offset: u64) -> u64 {
    let chunk = bytes.get(offset as usize..).and_then(<[u8]>::first_chunk);
    chunk.map_or(0, |chunk| u64::from_ne_bytes(*chunk))
}

/// A table with these calls and no free slots.
pub fn write(calls: &[Counted], lost: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(lost.to_ne_bytes());
    bytes.extend((calls.len() as u64 + 1).to_ne_bytes());
    bytes.resize(HEADER as usize, 0);
    for call in calls {
        let key = u64::from(call.site) << 32 | u64::from(call.method);
        bytes.extend(key.to_ne_bytes());
        bytes.extend(call.count.to_ne_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_reads_as_it_was_written() {
        let mut bytes = vec![0; HEADER as usize + 48];
        bytes[..8].copy_from_slice(&MAGIC);
        let key = (7_u64 << 32) | 9;
        bytes[HEADER as usize + 16..][..8].copy_from_slice(&key.to_ne_bytes());
        bytes[HEADER as usize + 24..][..8].copy_from_slice(&3_u64.to_ne_bytes());
        bytes[LOST as usize] = 5;
        let calls = vec![Counted { site: 7, method: 9, count: 3 }];
        let lost = u64::from_ne_bytes([5, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(read(&bytes), Some(Table { calls, lost, is_cut_off: true }));
    }

    #[test]
    fn a_table_without_free_slots_reads_as_well() {
        for count in 0..3 {
            let calls: Vec<Counted> =
                (0..count).map(|n| Counted { site: n, method: n + 1, count: u64::from(n) + 1 }).collect();
            let bytes = write(&calls, 9);
            let expected = Table { calls, lost: 9, is_cut_off: false };
            assert_eq!(read(&bytes), Some(expected));
            assert!(read(&bytes[..bytes.len() - 1]).is_some_and(|table| table.is_cut_off));
        }
    }

    #[test]
    fn what_is_no_table_is_told() {
        assert_eq!(read(b"HELIO"), None);
        assert_eq!(read(&MAGIC), Some(Table { is_cut_off: true, ..Table::default() }));
    }

    #[test]
    fn slots_are_in_the_table() {
        assert!([1, u64::MAX, 1 << 32].into_iter().all(|key| slot_of(key) < SLOTS));
    }
}
