//! `cargo xtask tidy`: invariants that no compiler checks. One check, one file.

mod docs;
mod edges;
mod manners;
mod marks;
mod names;
mod tree;

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};

use self::tree::Tree;

/// Something to mend. Ordered by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    file: String,
    /// From 1.
    line: usize,
    message: String,
}

impl Finding {
    fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// Adding a check is one file and one line here.
const CHECKS: &[fn(&Tree) -> Vec<Finding>] =
    &[docs::check, edges::check, manners::check, marks::check, names::check];

pub(crate) fn run(root: &Path) -> Result<()> {
    let tree = Tree::read(root)?;
    for edge in edges::for_tests(&tree) {
        println!("note: only for tests: {edge}");
    }
    let findings = findings(&tree);
    for finding in &findings {
        println!("{finding}");
    }
    println!("files checked: {}, findings: {}", tree.files.len(), findings.len());
    if findings.is_empty() { Ok(()) } else { bail!("the repository is not tidy") }
}

fn findings(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(tree)).collect();
    findings.sort();
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let tree = Tree::read(&crate::repository_root()).unwrap();
        let findings = findings(&tree);
        let lines: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert!(lines.is_empty(), "{} findings\n{}", lines.len(), lines.join("\n"));
    }
}
