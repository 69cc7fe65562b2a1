//! Union-find.

use std::marker::PhantomData;

use crate::Id;

/// Disjoint sets of ids, each with one of them as its representative. Every id is its own set until united.
#[derive(Clone)]
pub struct UnionFind<K> {
    parents: Vec<u32>,
    key: PhantomData<K>,
}

impl<K: Id> UnionFind<K> {
    /// No ids yet.
    pub const fn new() -> Self {
        Self { parents: Vec::new(), key: PhantomData }
    }

    /// Makes room for ids below `n`.
    pub fn grow(&mut self, n: usize) {
        let from = self.parents.len() as u32;
        self.parents.extend(from..n as u32);
    }

    /// The representative of an id's set. Shortens the way for the next time.
    pub fn find(&mut self, key: K) -> K {
        let mut at = key.index() as u32;
        loop {
            let parent = self.parents[at as usize];
            if parent == at {
                return K::new(at as usize);
            }
            let grandparent = self.parents[parent as usize];
            self.parents[at as usize] = grandparent;
            at = grandparent;
        }
    }

    /// The representative, without shortening the way.
    pub fn representative(&self, key: K) -> K {
        let mut at = key.index() as u32;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        K::new(at as usize)
    }

    /// Whether an id represents its set.
    pub fn is_representative(&self, key: K) -> bool {
        self.parents[key.index()] as usize == key.index()
    }

    /// Puts a representative's set under another representative.
    pub fn unite(&mut self, from: K, into: K) {
        debug_assert!(self.is_representative(from) && self.is_representative(into));
        self.parents[from.index()] = into.index() as u32;
    }
}

impl<K: Id> Default for UnionFind<K> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    id! { struct Thing = "t"; }

    #[test]
    fn united_ids_have_one_representative() {
        let mut sets = UnionFind::<Thing>::new();
        sets.grow(6);
        let [a, b, c, d] = [0, 1, 2, 5].map(Thing::new);
        sets.unite(a, b);
        sets.unite(b, c);
        assert_eq!([sets.find(a), sets.find(b), sets.representative(a)], [c; 3]);
        assert!(sets.is_representative(d) && !sets.is_representative(a));
    }
}
