//! A dense set of ids.

use std::fmt;
use std::marker::PhantomData;

use crate::Id;

/// A bit set keyed by ids; grows as ids are inserted.
#[derive(Clone)]
pub struct IdSet<K> {
    words: Vec<u64>,
    key: PhantomData<K>,
}

impl<K: Id> IdSet<K> {
    /// The empty set.
    pub const fn new() -> Self {
        Self { words: Vec::new(), key: PhantomData }
    }

    /// The empty set with room for the first `n` ids.
    pub fn with_capacity(n: usize) -> Self {
        Self { words: vec![0; n.div_ceil(64)], key: PhantomData }
    }

    /// Whether the id is in the set.
    pub fn contains(&self, key: K) -> bool {
        let (word, bit) = split(key);
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }

    /// Adds the id; true if it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        let (word, bit) = split(key);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let fresh = self.words[word] & bit == 0;
        self.words[word] |= bit;
        fresh
    }

    /// Removes the id; true if it was there.
    pub fn remove(&mut self, key: K) -> bool {
        let (word, bit) = split(key);
        let Some(w) = self.words.get_mut(word) else { return false };
        let present = *w & bit != 0;
        *w &= !bit;
        present
    }

    /// Empties the set but keeps the memory.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The number of ids in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The ids in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(K::new(i * 64 + bit))
            })
        })
    }
}

fn split<K: Id>(key: K) -> (usize, u64) {
    (key.index() / 64, 1 << (key.index() % 64))
}

impl<K: Id> Default for IdSet<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id> FromIterator<K> for IdSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(ids: I) -> Self {
        let mut set = Self::new();
        set.extend(ids);
        set
    }
}

impl<K: Id> Extend<K> for IdSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, ids: I) {
        for id in ids {
            self.insert(id);
        }
    }
}

impl<K: Id> fmt::Debug for IdSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    id! { struct Thing = "t"; }

    #[test]
    fn insert_remove_iterate() {
        let mut set = IdSet::<Thing>::new();
        assert!(set.insert(Thing::new(70)));
        assert!(!set.insert(Thing::new(70)));
        set.insert(Thing::new(3));
        assert_eq!(set.iter().map(Id::index).collect::<Vec<_>>(), [3, 70]);
        assert!(set.remove(Thing::new(3)) && !set.contains(Thing::new(3)));
        assert_eq!(set.len(), 1);
    }
}
