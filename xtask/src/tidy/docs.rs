//! Every Rust file begins by saying what it is, and none of a crate's own files grows into a giant.

use super::Finding;
use super::tree::{SourceFile, Tree};

const LONGEST: usize = 900;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust_files().flat_map(|file| undocumented(file).into_iter().chain(too_long(file))).collect()
}

fn undocumented(file: &SourceFile) -> Option<Finding> {
    let is_prelude = |line: &str| line.is_empty() || line.starts_with("#!");
    let (number, line) = file.lines().find(|(_, line)| !is_prelude(line)).unwrap_or((1, ""));
    let documented = line.starts_with("//! ");
    (!documented)
        .then(|| Finding::new(&file.path, number, "a file begins with a `//!` line that says what it is"))
}

fn too_long(file: &SourceFile) -> Option<Finding> {
    let count = file.text.lines().count();
    let giant = file.library().is_some() && count > LONGEST;
    giant.then(|| Finding::new(&file.path, count, format!("{count} lines; at most {LONGEST} in one file")))
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    #[test]
    fn a_doc_comes_first_or_after_attributes() {
        for good in ["//! A.\n", "#![allow(x)]\n//! A.\n", "#!/usr/bin/env x\n\n//! A.\nfn a() {}\n"] {
            assert!(check(&tree("a.rs", good)).is_empty(), "{good}");
        }
        for bad in ["", "use a;\n//! A.\n", "// A.\n", "/// A.\nfn a() {}\n"] {
            assert_eq!(check(&tree("a.rs", bad)).len(), 1, "{bad}");
        }
        assert!(check(&tree("a.md", "")).is_empty());
    }

    #[test]
    fn only_files_of_crates_have_a_longest_length() {
        let long = "//! A.\n".repeat(LONGEST + 1);
        assert_eq!(check(&tree("crates/a/src/lib.rs", &long))[0].line, LONGEST + 1);
        assert!(check(&tree("crates/a/src/lib.rs", &long[7..])).is_empty());
        assert!(check(&tree("tests/big.rs", &long)).is_empty());
    }
}
