//! Names in the order of their bytes, from the front or from the back, so that those with a common end lie together.

use std::cmp::Ordering;
use std::ops::Range;

use heliostat_index::{Symbol, Symbols};

/// The first bytes of a name, the very first as the highest, filled with zeros.
type Key = u128;

const KEY_BYTES: usize = size_of::<Key>();

/// How far to shift a key so that two bytes are left.
const FIRST_TWO: u32 = Key::BITS - 16;

/// Which end names are sorted by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Front,
    Back,
}

/// How the names of a table are written in Java.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As they are.
    Same,
    /// With dots for slashes.
    Dotted,
}

/// Sorted names. What is asked for is in Java's spelling.
pub(super) struct Table {
    end: End,
    spelling: Spelling,
    names: Vec<Symbol>,
    /// The first bytes of each name, which decide most comparisons.
    keys: Vec<Key>,
    /// For each first two bytes, where the names begin that have those or higher ones.
    starts: Vec<u32>,
}

impl Table {
    /// Sorts names, which are all different.
    pub(super) fn new(symbols: &Symbols, names: &[Symbol], end: End, spelling: Spelling) -> Self {
        let entry = |&name: &Symbol| {
            let text = symbols.bytes(name);
            (key(text, end, spelling), text, name)
        };
        let mut entries: Vec<_> = names.iter().map(entry).collect();
        // No class name has a dot, so that slashes sort as the dots that they stand for.
        entries.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| compare(a.1, b.1, end)));
        let names = entries.iter().map(|&(.., name)| name).collect();
        let keys: Vec<Key> = entries.into_iter().map(|(key, ..)| key).collect();
        let starts = starts(&keys);
        Self { end, spelling, names, keys, starts }
    }

    /// The names, in order.
    pub(super) fn names(&self) -> &[Symbol] {
        &self.names
    }

    /// The places of the names that have a part at the table's end.
    pub(super) fn range(&self, symbols: &Symbols, part: &[u8]) -> Range<usize> {
        let low = key(part, self.end, Spelling::Same);
        let high = low | beyond(part.len());
        let start = self.place(low);
        let end = start + gallop(&self.keys[start..], |key| key <= high);
        // No name has a zero byte, which is what keys of shorter names are filled with.
        if part.contains(&0) {
            return 0..0;
        }
        if part.len() <= KEY_BYTES {
            return start..end;
        }
        let same = &self.names[start..end];
        let from = same.partition_point(|&name| self.compare_part(symbols.bytes(name), part).is_lt());
        let count =
            same[from..].partition_point(|&name| self.compare_part(symbols.bytes(name), part).is_eq());
        start + from..start + from + count
    }

    /// The first place whose key is not lower.
    fn place(&self, low: Key) -> usize {
        let bucket = (low >> FIRST_TWO) as usize;
        let (from, to) = (self.starts[bucket] as usize, self.starts[bucket + 1] as usize);
        from + self.keys[from..to].partition_point(|&key| key < low)
    }

    /// How a name's end of the length of a part compares with it.
    fn compare_part(&self, name: &[u8], part: &[u8]) -> Ordering {
        let spelt = |&byte: &u8| spell(byte, self.spelling);
        match self.end {
            End::Front => name.iter().map(spelt).take(part.len()).cmp(part.iter().copied()),
            End::Back => name.iter().rev().map(spelt).take(part.len()).cmp(part.iter().rev().copied()),
        }
    }
}

/// Says quickly, and sometimes wrongly, that some names have a part: few strings are part of any.
pub(super) struct Filter {
    end: End,
    bits: Vec<u64>,
}

impl Filter {
    /// A filter for the names of tables that are sorted by one end.
    pub(super) fn new(tables: &[&Table], end: End) -> Self {
        let names: usize = tables.iter().map(|table| table.keys.len()).sum();
        let mut this = Self { end, bits: vec![0; (names / 4).next_power_of_two()] };
        for table in tables {
            let mut last = None;
            for &key in &table.keys {
                for length in
                    FILTERED.into_iter().filter(|&n| last.is_none_or(|last| (last ^ key) & !beyond(n) != 0))
                {
                    let (word, bit) = this.place(key & !beyond(length));
                    this.bits[word] |= bit;
                }
                last = Some(key);
            }
        }
        this
    }

    /// Whether some name may have a part at the end of the filter.
    pub(super) fn may_have(&self, part: &[u8]) -> bool {
        let Some(length) = FILTERED.into_iter().find(|&length| part.len() >= length) else { return true };
        let (word, bit) = self.place(key(part, self.end, Spelling::Same) & !beyond(length));
        self.bits[word] & bit != 0
    }

    fn place(&self, key: Key) -> (usize, u64) {
        let (high, low) = ((key >> 64) as u64, key as u64);
        let hash = (high ^ low.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = (hash >> 38) as usize & (self.bits.len() - 1);
        (word, 1 << (hash >> 32 & 63))
    }
}

/// How many bytes of a part are looked at, if it has as many: the first of these.
const FILTERED: [usize; 4] = [16, 8, 5, 3];

/// For each first two bytes, where the keys begin that have those or higher ones.
fn starts(keys: &[Key]) -> Vec<u32> {
    let mut starts = vec![0; (1 << 16) + 1];
    for key in keys {
        starts[(key >> FIRST_TWO) as usize + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

/// How many keys at the beginning a condition holds for, which are few more often than not.
fn gallop(keys: &[Key], holds: impl Fn(Key) -> bool) -> usize {
    let mut step = 1;
    while step <= keys.len() && holds(keys[step - 1]) {
        step *= 2;
    }
    let low = step / 2;
    low + keys[low..keys.len().min(step)].partition_point(|&key| holds(key))
}

/// The bits of a key beyond so many bytes.
fn beyond(bytes: usize) -> Key {
    Key::MAX.checked_shr(8 * bytes as u32).unwrap_or(0)
}

/// The first bytes from an end.
fn key(text: &[u8], end: End, spelling: Spelling) -> Key {
    let mut bytes = [0; KEY_BYTES];
    match end {
        End::Front => {
            let taken = &text[..text.len().min(KEY_BYTES)];
            bytes[..taken.len()].copy_from_slice(taken);
        }
        End::Back => {
            let taken = &text[text.len().saturating_sub(KEY_BYTES)..];
            bytes[KEY_BYTES - taken.len()..].copy_from_slice(taken);
        }
    }
    let bytes = bytes.map(|byte| spell(byte, spelling));
    match end {
        End::Front => Key::from_be_bytes(bytes),
        End::Back => Key::from_le_bytes(bytes),
    }
}

fn spell(byte: u8, spelling: Spelling) -> u8 {
    if spelling == Spelling::Dotted && byte == b'/' { b'.' } else { byte }
}

fn compare(a: &[u8], b: &[u8], end: End) -> Ordering {
    match end {
        End::Front => a.cmp(b),
        End::Back => a.iter().rev().cmp(b.iter().rev()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &[
        "a",
        "ab",
        "abc",
        "b",
        "setAttribute",
        "setAttributeNS",
        "setAttributeNode",
        "getAttribute",
        "attribute",
        "setA",
        "\u{e9}t\u{e9}",
        "zzzzzzzz",
        "zzzzzzzzz",
        "com/acme/Loader",
        "com/acme/Loader$1",
        "com$acme/Loader",
        "com/acme0/Loader",
    ];

    #[test]
    fn ranges_are_the_names_with_the_part() {
        let mut symbols = Symbols::default();
        let names: Vec<Symbol> = NAMES.iter().map(|name| symbols.intern(name.as_bytes())).collect();
        for (end, spelling) in [
            (End::Front, Spelling::Same),
            (End::Back, Spelling::Same),
            (End::Front, Spelling::Dotted),
            (End::Back, Spelling::Dotted),
        ] {
            let table = Table::new(&symbols, &names, end, spelling);
            let others =
                ["", "x", "setAttributes", "a\0", "zzzzzzzzzz", "com.acme.Loader", "com.acme/Loader"];
            for whole in NAMES.iter().copied().chain(others) {
                for at in (0..=whole.len()).filter(|&at| whole.is_char_boundary(at)) {
                    for part in [&whole[..at], &whole[at..]] {
                        check(&symbols, &table, part);
                    }
                }
            }
        }
    }

    fn check(symbols: &Symbols, table: &Table, part: &str) {
        let spelt = |name: &str| match table.spelling {
            Spelling::Same => name.to_owned(),
            Spelling::Dotted => name.replace('/', "."),
        };
        let range = table.range(symbols, part.as_bytes());
        let mut found: Vec<_> = table.names()[range].iter().map(|&n| spelt(&symbols.text(n))).collect();
        found.sort_unstable();
        let has_part = |name: &String| match table.end {
            End::Front => name.starts_with(part),
            End::Back => name.ends_with(part),
        };
        let mut expected: Vec<_> = NAMES.iter().map(|name| spelt(name)).filter(has_part).collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{part}");
    }

    #[test]
    fn an_empty_table_has_nothing() {
        let table = Table::new(&Symbols::default(), &[], End::Front, Spelling::Same);
        assert!(table.range(&Symbols::default(), b"a").is_empty());
        assert!(!Filter::new(&[&table], End::Front).may_have(b"abc"));
    }

    #[test]
    fn filters_let_all_parts_of_names_through_and_not_much_else() {
        let mut symbols = Symbols::default();
        let names: Vec<Symbol> = NAMES.iter().map(|name| symbols.intern(name.as_bytes())).collect();
        for end in [End::Front, End::Back] {
            let table = Table::new(&symbols, &names, end, Spelling::Same);
            let filter = Filter::new(&[&table], end);
            for name in NAMES {
                for at in (0..=name.len()).filter(|&at| name.is_char_boundary(at)) {
                    let part = if end == End::Front { &name[..at] } else { &name[at..] };
                    assert!(filter.may_have(part.as_bytes()), "{part}");
                }
            }
            let others = (0..1000).filter(|n| filter.may_have(format!("{n:05} or so {n:05}").as_bytes()));
            assert!(others.count() < 500);
        }
    }
}
