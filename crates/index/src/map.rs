//! Maps keyed by dense ids.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

use crate::Id;

/// Owns entities and hands out their ids: the position of an entity is its id.
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> IdVec<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }

    /// Room for `n` entities without growing.
    pub fn with_capacity(n: usize) -> Self {
        Self { items: Vec::with_capacity(n), key: PhantomData }
    }

    /// Makes room for so many more values.
    pub fn reserve(&mut self, more: usize) {
        self.items.reserve(more);
    }

    /// Adds an entity and returns its id.
    pub fn push(&mut self, value: V) -> K {
        let id = self.next_id();
        self.items.push(value);
        id
    }

    /// The id that the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> K {
        K::new(self.items.len())
    }

    /// The number of entities.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no entities.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The entity, if the id is one of this map's.
    pub fn get(&self, key: K) -> Option<&V> {
        self.items.get(key.index())
    }

    /// All ids, in order.
    pub fn ids(&self) -> Ids<K> {
        Ids::new(0..self.items.len())
    }

    /// All entities with their ids, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (K, &V)> + DoubleEndedIterator + Clone {
        self.items.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }

    /// All entities, in order.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// All entities, in order, mutably.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// The entities of an id range, as a slice.
    pub fn slice(&self, range: Range<K>) -> &[V] {
        self.items.get(range.start.index()..range.end.index()).unwrap_or(&[])
    }

    /// Forgets all entities but keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<K: Id, V> Default for IdVec<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V> From<Vec<V>> for IdVec<K, V> {
    fn from(items: Vec<V>) -> Self {
        Self { items, key: PhantomData }
    }
}

impl<K: Id, V> Index<K> for IdVec<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        &self.items[key.index()]
    }
}

impl<K: Id, V> IndexMut<K> for IdVec<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.items[key.index()]
    }
}

impl<K: Id, V: fmt::Debug> fmt::Debug for IdVec<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Iterator over consecutive ids.
#[derive(Clone, Debug)]
pub struct Ids<K> {
    range: Range<usize>,
    key: PhantomData<K>,
}

impl<K: Id> Ids<K> {
    /// The ids of these positions.
    pub fn new(range: Range<usize>) -> Self {
        Self { range, key: PhantomData }
    }

    /// The ids from `range.start` up to, not including, `range.end`.
    pub fn between(range: Range<K>) -> Self {
        Self::new(range.start.index()..range.end.index())
    }
}

impl<K: Id> Iterator for Ids<K> {
    type Item = K;
    fn next(&mut self) -> Option<K> {
        self.range.next().map(K::new)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<K: Id> DoubleEndedIterator for Ids<K> {
    fn next_back(&mut self) -> Option<K> {
        self.range.next_back().map(K::new)
    }
}

impl<K: Id> ExactSizeIterator for Ids<K> {}

/// Annotates entities that another map owns; absent ones read as the default.
#[derive(Clone, Debug)]
pub struct IdMap<K, V> {
    items: Vec<V>,
    default: V,
    key: PhantomData<K>,
}

impl<K: Id, V: Clone> IdMap<K, V> {
    /// A map in which every id reads as `default`.
    pub fn with_default(default: V) -> Self {
        Self { items: Vec::new(), default, key: PhantomData }
    }

    /// The same, with room for the first `n` ids.
    pub fn sized(n: usize, default: V) -> Self {
        Self { items: vec![default.clone(); n], default, key: PhantomData }
    }
}

impl<K: Id, V: Clone> Index<K> for IdMap<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        self.items.get(key.index()).unwrap_or(&self.default)
    }
}

impl<K: Id, V: Clone> IndexMut<K> for IdMap<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        let index = key.index();
        if index >= self.items.len() {
            self.items.resize(index + 1, self.default.clone());
        }
        &mut self.items[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    id! { struct Thing = "t"; }

    #[test]
    fn ids_follow_insertion() {
        let mut map = IdVec::<Thing, &str>::new();
        let a = map.push("a");
        let b = map.push("b");
        assert_eq!((map[a], map[b]), ("a", "b"));
        assert_eq!(map.ids().collect::<Vec<_>>(), [a, b]);
    }

    #[test]
    fn annotations_default() {
        let mut map = IdMap::<Thing, u8>::with_default(9);
        map[Thing::new(2)] = 1;
        assert_eq!([map[Thing::new(0)], map[Thing::new(2)], map[Thing::new(50)]], [9, 1, 9]);
    }
}
