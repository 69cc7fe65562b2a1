//! How alike two names are, to guess what may have been meant.

/// How far a name is from the wanted one, unless it is too far to have been meant: short names must agree, longer
/// ones may have one slip in four characters.
pub(crate) fn likeness(wanted: &[u8], name: &[u8]) -> Option<usize> {
    let limit = wanted.len() / 4;
    // Each missing character costs one: most names need no closer look.
    if wanted.is_empty() || wanted.len().abs_diff(name.len()) > limit {
        return None;
    }
    Some(distance(wanted, name)).filter(|&distance| distance <= limit)
}

/// The number of single characters to add, drop, change or swap with the next (optimal string alignment), whatever
/// their case.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let same = |x: Option<&u8>, y: Option<&u8>| x.zip(y).is_some_and(|(x, y)| x.eq_ignore_ascii_case(y));
    let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
    let (mut above, mut row) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for i in 0..a.len() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for j in 0..b.len() {
            let changed = cell(&row, j) + usize::from(!same(a.get(i), b.get(j)));
            let mut best = changed.min(cell(&row, j + 1) + 1).min(cell(&next, j) + 1);
            if i > 0 && j > 0 && same(a.get(i), b.get(j - 1)) && same(a.get(i - 1), b.get(j)) {
                best = best.min(cell(&above, j - 1) + 1);
            }
            next.push(best);
        }
        above = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("", "ab", 2),
            ("kitten", "Sitting", 3),
            ("loader", "LOADER", 0),
            ("laoder", "loader", 1),
            ("abcd", "badc", 2),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_near_names_are_alike() {
        assert_eq!(likeness(b"Loadr", b"Loader"), Some(1));
        assert_eq!(likeness(b"mian", b"Main"), Some(1));
        assert_eq!(likeness(b"Dep", b"dep"), Some(0));
        for (wanted, name) in [("Dep", "DUP"), ("Dep", "GC"), ("Loader", "Greeter"), ("", "A")] {
            assert_eq!(likeness(wanted.as_bytes(), name.as_bytes()), None, "{wanted} {name}");
        }
    }
}
