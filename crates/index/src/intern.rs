//! Interners: equal values get equal ids, ids are dense and in order of first sight.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::{Id, IdVec, id};

id! {
    /// An interned byte string: a name, a descriptor or a string constant, in the class file's own
    /// modified UTF-8, which need not be valid UTF-8.
    pub struct Symbol = "sym";
}

/// Interner of byte strings; all of them lie end to end in one buffer.
///
/// Whoever writes a class file chooses its strings. So that they cannot choose ones that collide, every interner
/// hashes with a random key. The output stays the same: ids go by first sight, and the table is never iterated.
#[derive(Default)]
pub struct Symbols {
    bytes: Vec<u8>,
    /// Hostile inputs have more than 4 GiB of names in all, so these are not `u32`.
    ends: Vec<usize>,
    table: HashTable<Symbol>,
    hasher: RandomState,
}

impl Symbols {
    /// The symbol of these bytes, made on first sight.
    pub fn intern(&mut self, bytes: &[u8]) -> Symbol {
        let Self { bytes: buffer, ends, table, hasher } = self;
        let hash = hasher.hash_one(bytes);
        let same = |&s: &Symbol| text(buffer, ends, s) == bytes;
        let entry = table.entry(hash, same, |&s| hasher.hash_one(text(buffer, ends, s)));
        if let hashbrown::hash_table::Entry::Occupied(found) = entry {
            return *found.get();
        }
        let symbol = Symbol::new(ends.len());
        entry.insert(symbol);
        buffer.extend_from_slice(bytes);
        ends.push(buffer.len());
        symbol
    }

    /// The symbol of these bytes, if they were interned before.
    pub fn find(&self, bytes: &[u8]) -> Option<Symbol> {
        let same = |&s: &Symbol| text(&self.bytes, &self.ends, s) == bytes;
        self.table.find(self.hasher.hash_one(bytes), same).copied()
    }

    /// The bytes of a symbol.
    pub fn bytes(&self, symbol: Symbol) -> &[u8] {
        text(&self.bytes, &self.ends, symbol)
    }

    /// The text of a symbol, with what is not UTF-8 replaced.
    pub fn text(&self, symbol: Symbol) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(symbol))
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was interned yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn text<'a>(buffer: &'a [u8], ends: &[usize], symbol: Symbol) -> &'a [u8] {
    let start = if symbol.index() == 0 { 0 } else { ends[symbol.index() - 1] };
    &buffer[start..ends[symbol.index()]]
}

/// Interner of any hashable value.
pub struct Interner<K, V> {
    values: IdVec<K, V>,
    table: HashTable<K>,
}

impl<K: Id, V: Hash + Eq> Interner<K, V> {
    /// An empty interner.
    pub fn new() -> Self {
        Self { values: IdVec::new(), table: HashTable::new() }
    }

    /// The id of this value, made on first sight.
    pub fn intern(&mut self, value: V) -> K {
        self.intern_full(value).0
    }

    /// The id of this value, and whether this was its first sight.
    pub fn intern_full(&mut self, value: V) -> (K, bool) {
        let Self { values, table } = self;
        let hash = FxBuildHasher.hash_one(&value);
        match table.entry(hash, |&k| values[k] == value, |&k| FxBuildHasher.hash_one(&values[k])) {
            hashbrown::hash_table::Entry::Occupied(found) => (*found.get(), false),
            hashbrown::hash_table::Entry::Vacant(slot) => {
                slot.insert(values.next_id());
                (values.push(value), true)
            }
        }
    }

    /// The id of this value, if it was interned before.
    pub fn find(&self, value: &V) -> Option<K> {
        self.table.find(FxBuildHasher.hash_one(value), |&k| self.values[k] == *value).copied()
    }

    /// The interned values, by id.
    pub fn values(&self) -> &IdVec<K, V> {
        &self.values
    }
}

impl<K: Id, V: Hash + Eq> Default for Interner<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V: Hash + Eq> std::ops::Index<K> for Interner<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        &self.values[key]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_equal_iff_bytes_are() {
        let mut symbols = Symbols::default();
        let words: Vec<_> = (0..1000).map(|i| format!("w{i}")).collect();
        let first: Vec<_> = words.iter().map(|w| symbols.intern(w.as_bytes())).collect();
        let again: Vec<_> = words.iter().map(|w| symbols.intern(w.as_bytes())).collect();
        assert_eq!(first, again);
        assert_eq!(symbols.len(), 1000);
        assert_eq!(symbols.bytes(first[17]), b"w17");
        assert_eq!(symbols.find(b"w999"), Some(first[999]));
        assert_eq!(symbols.find(b"nothing"), None);
    }

    /// With `rustc-hash`, whose seed these begin with, all of them have one hash, and this takes half a minute.
    #[test]
    fn strings_cannot_be_chosen_to_collide() {
        let start = std::time::Instant::now();
        let mut symbols = Symbols::default();
        let seed = 0x243f_6a88_85a3_08d3_u64.to_le_bytes();
        for i in 0..100_000_u64 {
            let tail = i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
            symbols.intern(&[seed, tail].concat());
        }
        assert_eq!(symbols.len(), 100_000);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }
}
