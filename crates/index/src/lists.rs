//! A list for every id, all end to end in one allocation.

use std::marker::PhantomData;

use crate::Id;

/// For every one of the first `n` ids a list of values: adjacency lists, for example.
#[derive(Clone, Debug)]
pub struct Lists<K, V> {
    starts: Vec<u32>,
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V: Copy> Lists<K, V> {
    /// Sorts pairs of a key and a value into lists. Within a list the order of the pairs stays.
    pub fn new(n: usize, pairs: impl Iterator<Item = (K, V)> + Clone) -> Self {
        let mut starts = vec![0_u32; n + 1];
        for (key, _) in pairs.clone() {
            starts[key.index() + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let filler = pairs.clone().next().map(|(_, value)| value);
        let mut items = filler.map_or(Vec::new(), |value| vec![value; starts[n] as usize]);
        for (key, value) in pairs {
            let place = &mut next[key.index()];
            items[*place as usize] = value;
            *place += 1;
        }
        Self { starts, items, key: PhantomData }
    }
}

impl<K: Id, V> Lists<K, V> {
    /// The list of an id.
    pub fn of(&self, key: K) -> &[V] {
        let (start, end) = (self.starts[key.index()], self.starts[key.index() + 1]);
        &self.items[start as usize..end as usize]
    }
}

impl<K: Id, V> Default for Lists<K, V> {
    /// Lists for no ids at all.
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new(), key: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    id! { struct Thing = "t"; }

    #[test]
    fn order_stays_within_lists() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c')].map(|(k, v)| (Thing::from_u32(k), v));
        let lists = Lists::new(3, pairs.iter().copied());
        assert_eq!(lists.of(Thing::from_u32(0)), ['b']);
        assert_eq!(lists.of(Thing::from_u32(1)), []);
        assert_eq!(lists.of(Thing::from_u32(2)), ['a', 'c']);
    }
}
