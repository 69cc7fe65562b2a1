//! Which crate may use which: the table in ARCHITECTURE.md against what cargo sees.
//!
//! The table stands under the heading `## Crates and allowed edges` and has three columns: the crate in backticks,
//! its purpose, and the crates it may use in backticks with commas between, or `-`. It speaks of normal and build
//! dependencies; what a crate uses only in its tests is free.

use std::collections::BTreeMap;

use super::Finding;
use super::tree::{Package, Tree};

const FILE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Crates and allowed edges";

/// A line of the table: where it stands, and what the crate may use.
struct Row {
    line: usize,
    may_use: Vec<String>,
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(file) = tree.file(FILE) else {
        return vec![Finding::new(FILE, 1, "missing; it holds the table of allowed crate edges")];
    };
    let (table, mut findings) = parse(&file.text);
    findings.extend(unknown_names(&table));
    findings.extend(tree.packages.iter().flat_map(|package| forbidden(package, &table)));
    findings
}

/// Edges that exist only in tests, for the reader's information.
pub(super) fn for_tests(tree: &Tree) -> Vec<String> {
    let edges = tree.packages.iter().flat_map(|package| {
        let uses = package.uses.iter().filter(|used| used.only_for_tests);
        uses.map(|used| format!("{} uses {}", package.name, used.name))
    });
    edges.collect()
}

fn parse(text: &str) -> (BTreeMap<String, Row>, Vec<Finding>) {
    let (mut table, mut findings) = (BTreeMap::new(), Vec::new());
    let section = (1..).zip(text.lines()).skip_while(|(_, line)| line.trim_end() != HEADING).skip(1);
    let rows =
        section.take_while(|(_, line)| !line.starts_with("## ")).filter(|(_, line)| line.starts_with('|'));
    // The first two are the heads of the columns and the rule below them.
    for (line, row) in rows.skip(2) {
        match parse_row(row) {
            Some((name, may_use)) => {
                if table.insert(name.to_owned(), Row { line, may_use }).is_some() {
                    findings.push(Finding::new(FILE, line, format!("`{name}` stands in the table twice")));
                }
            }
            None => findings.push(Finding::new(FILE, line, "not a row `| crate | purpose | may use |`")),
        }
    }
    if table.is_empty() {
        findings.push(Finding::new(FILE, 1, format!("no table under the heading `{HEADING}`")));
    }
    (table, findings)
}

fn parse_row(row: &str) -> Option<(&str, Vec<String>)> {
    let cells: Vec<&str> =
        row.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let &[name, _purpose, may_use] = cells.as_slice() else { return None };
    let names = if may_use == "-" {
        Vec::new()
    } else {
        may_use.split(',').map(|name| unquote(name).map(str::to_owned)).collect::<Option<_>>()?
    };
    Some((unquote(name)?, names))
}

fn unquote(cell: &str) -> Option<&str> {
    cell.trim().strip_prefix('`')?.strip_suffix('`').filter(|name| !name.is_empty())
}

/// A misspelt name would allow nothing and be believed.
fn unknown_names(table: &BTreeMap<String, Row>) -> Vec<Finding> {
    let finding = |row: &Row, name: &String| {
        let message = format!("`{name}` may be used, but has no row of its own");
        (!table.contains_key(name)).then(|| Finding::new(FILE, row.line, message))
    };
    table.values().flat_map(|row| row.may_use.iter().filter_map(|name| finding(row, name))).collect()
}

fn forbidden(package: &Package, table: &BTreeMap<String, Row>) -> Vec<Finding> {
    let Package { name, manifest, uses } = package;
    let Some(row) = table.get(name) else {
        let message = format!("crate `{name}` ({manifest}) is missing from the table of allowed edges");
        return vec![Finding::new(FILE, 1, message)];
    };
    let unlisted = uses.iter().filter(|used| !used.only_for_tests && !row.may_use.contains(&used.name));
    let finding = |used: &super::tree::Use| {
        let message = format!("`{name}` uses `{}`, which the table in {FILE} does not allow", used.name);
        Finding::new(manifest, 1, message)
    };
    unlisted.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Use;
    use super::*;

    const TABLE: &str = "# A\n\n## Crates and allowed edges\n\nProse.\n\n| crate | purpose | may use |\n|---|---|---|\n\
        | `index` | ids | - |\n| `classfile` | bytes | `index` |\n| `ir` | SSA | `index`, `classfile` |\n\n\
        ## Other\n\n| x | y | z |\n|---|---|---|\n| a | b | c |\n";

    fn package(name: &str, uses: &[(&str, bool)]) -> Package {
        let uses = uses.iter().map(|&(name, only_for_tests)| Use { name: name.to_owned(), only_for_tests });
        Package { name: name.to_owned(), manifest: format!("crates/{name}/Cargo.toml"), uses: uses.collect() }
    }

    fn messages(text: &str, packages: Vec<Package>) -> Vec<String> {
        let mut tree = super::super::tree::tests::tree(FILE, text);
        tree.packages = packages;
        check(&tree).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn listed_edges_and_test_edges_pass() {
        let ir = package("ir", &[("index", false), ("classfile", false), ("mdtest", true)]);
        assert!(messages(TABLE, vec![package("index", &[]), ir]).is_empty());
    }

    #[test]
    fn an_unlisted_edge_names_both_ends() {
        assert_eq!(
            messages(TABLE, vec![package("classfile", &[("ir", false)])]),
            [
                "crates/classfile/Cargo.toml:1: `classfile` uses `ir`, which the table in ARCHITECTURE.md does not allow"
            ]
        );
    }

    #[test]
    fn a_crate_without_a_row_is_named() {
        let found = messages(TABLE, vec![package("pta", &[])]);
        assert!(found[0].contains("`pta` (crates/pta/Cargo.toml) is missing"), "{found:?}");
    }

    #[test]
    fn rows_that_are_wrong_are_told_with_their_line() {
        let found = |row: &str| messages(&TABLE.replace("| `index` | ids | - |", row), Vec::new()).concat();
        assert!(found("| `index` | ids | solve |").starts_with("ARCHITECTURE.md:9: not a row"));
        assert!(found("| `index` | ids |").starts_with("ARCHITECTURE.md:9: not a row"));
        assert!(found("| `index` | ids | `inedx` |").contains(":9: `inedx` may be used, but has no row"));
        assert!(found("| `ir` | ids | - |").contains("`ir` stands in the table twice"));
        assert!(messages("# A\n", Vec::new()).concat().contains("no table under the heading"));
    }
}
