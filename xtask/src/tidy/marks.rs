//! No Rust file holds a mark of unfinished work.

use super::Finding;
use super::tree::Tree;

/// Put together from halves, so that this file does not find itself.
const MARKS: &[&str] = &[
    concat!("todo", "!"),
    concat!("unimplemented", "!"),
    concat!("FIX", "ME"),
    concat!("TO", "DO"),
    concat!("XX", "X"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust_files() {
        for (number, line) in file.lines() {
            let found = MARKS.iter().filter(|mark| has_mark(line, mark));
            findings
                .extend(found.map(|mark| Finding::new(&file.path, number, format!("unfinished: {mark}"))));
        }
    }
    findings
}

/// Whether the mark stands in the line as a word of its own.
fn has_mark(line: &str, mark: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(mark)
        .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + mark.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    #[test]
    fn each_mark_is_found_as_a_word() {
        for mark in MARKS {
            assert_eq!(check(&tree("a.rs", &format!("// {mark}: later\n"))).len(), 1, "{mark}");
            assert_eq!(check(&tree("a.rs", &format!("my_{mark}\n"))).len(), 0, "{mark}");
            assert_eq!(check(&tree("a.md", mark)).len(), 0, "{mark}");
        }
    }
}
