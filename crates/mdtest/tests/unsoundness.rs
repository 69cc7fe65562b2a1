//! Every row of `UNSOUNDNESS.md` names a section of a page that shows it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_row_has_its_program() {
    let rows: Vec<String> = rows();
    assert!(rows.len() > 10, "{rows:#?}");
    for row in rows {
        let link = row.rsplit_once("](").and_then(|(_, rest)| rest.split_once(')'));
        let (page, anchor) = link.and_then(|(link, _)| link.split_once('#')).unwrap_or_default();
        let text = fs::read_to_string(root().join(page)).unwrap_or_default();
        let titles = text.lines().filter_map(|line| line.strip_prefix("## ")).map(anchor_of);
        assert!(titles.into_iter().any(|title| title == anchor), "no such section: {row}");
    }
}

/// The rows of the table, without its head.
fn rows() -> Vec<String> {
    let text = fs::read_to_string(root().join("UNSOUNDNESS.md")).unwrap();
    text.lines().filter(|line| line.starts_with("| ")).skip(1).map(str::to_owned).collect()
}

/// What a title is called in an address.
fn anchor_of(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
