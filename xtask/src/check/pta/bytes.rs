//! Whether two runs wrote the same files, byte for byte.
//!
//! `summary.json` tells how long the run took and how much memory it had. These fields are measured and are left out.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::bench::sample::Findings;

/// The one file with measured fields.
const SUMMARY: &str = "summary.json";

/// Its measured fields, as they stand at the beginning of a line. The first one is an object.
const MEASURED: [&str; 2] = ["  \"time\": {", "  \"peak_rss_bytes\":"];

/// The files of two folders that are not the same.
pub(super) fn differences(one: &Path, other: &Path) -> Result<Findings> {
    let mut findings = Findings::default();
    let names: BTreeSet<String> = names(one)?.into_iter().chain(names(other)?).collect();
    for name in names {
        let [one, other] = [one, other].map(|folder| fs::read(folder.join(&name)).ok());
        if let Some(difference) = difference(&name, one.as_deref(), other.as_deref()) {
            findings.add(|| format!("{name}: {difference}"));
        }
    }
    Ok(findings)
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// How two files of one name differ; nothing if they do not.
fn difference(name: &str, one: Option<&[u8]>, other: Option<&[u8]>) -> Option<String> {
    let (Some(one), Some(other)) = (one, other) else { return Some("only one run wrote it".to_owned()) };
    let [one, other] = [one, other].map(|bytes| compared(name, bytes));
    if one == other {
        return None;
    }
    let same = one.iter().zip(other.iter()).take_while(|(a, b)| a == b).count();
    let line = one[..same].split(|&byte| byte == b'\n').count();
    Some(format!("differs from line {line} on"))
}

/// What is compared of a file.
fn compared<'a>(name: &str, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    match std::str::from_utf8(bytes) {
        Ok(text) if name == SUMMARY => Cow::Owned(without_measured(text).into_bytes()),
        _ => Cow::Borrowed(bytes),
    }
}

/// A summary with its measured fields left empty.
fn without_measured(summary: &str) -> String {
    let (mut rest, mut in_object) = (String::new(), false);
    for line in summary.split_inclusive('\n') {
        if in_object {
            in_object = !line.starts_with("  }");
            continue;
        }
        match MEASURED.iter().find(|field| line.starts_with(**field)) {
            Some(field) => {
                rest.push_str(field);
                rest.push('\n');
                in_object = field.ends_with('{');
            }
            None => rest.push_str(line),
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(seconds: &str, bytes: u64, edges: u64) -> String {
        format!(
            "{{\n  \"schema\": 1,\n  \"result\": {{\n    \"call_edges\": {edges},\n    \"time\": 5\n  }},\n  \
             \"time\": {{\n    \"load_s\": {seconds},\n    \"total_s\": {seconds}\n  }},\n  \
             \"peak_rss_bytes\": {bytes},\n  \"problems\": 0\n}}\n"
        )
    }

    #[test]
    fn only_what_is_measured_may_differ() {
        let (one, other) = (summary("0.5", 7, 3), summary("1.25", 9, 3));
        let compare = |name, a: &str, b: &str| difference(name, Some(a.as_bytes()), Some(b.as_bytes()));
        assert_eq!(compare(SUMMARY, &one, &other), None);
        assert_eq!(compare("other.json", &one, &other).as_deref(), Some("differs from line 8 on"));
        assert_eq!(compare(SUMMARY, &one, &summary("0.5", 7, 4)).as_deref(), Some("differs from line 4 on"));
        assert!(compare(SUMMARY, &one, &one.replace("problems\": 0", "problems\": 1")).is_some());
        let rest = without_measured(&one);
        assert!(
            rest.contains("\"time\": 5\n") && rest.contains("\"problems\": 0\n") && !rest.contains("0.5")
        );
    }

    #[test]
    fn files_are_compared_by_name_and_content() {
        assert_eq!(difference("a", Some(b"x\ny\n"), Some(b"x\ny\n")), None);
        assert_eq!(
            difference("a", Some(b"x\ny\n"), Some(b"x\nz\n")).as_deref(),
            Some("differs from line 2 on")
        );
        assert!(difference("a", Some(b"x\n"), Some(b"x\n\n")).is_some());
        assert_eq!(difference("a", Some(b""), None).as_deref(), Some("only one run wrote it"));
    }

    #[test]
    fn folders_are_compared_file_by_file() {
        let root = std::env::temp_dir().join(format!("xtask-bytes-{}", std::process::id()));
        let folders = [root.join("1"), root.join("2")];
        for (folder, text) in folders.iter().zip(["same", "not the same"]) {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("a"), "both").unwrap();
            fs::write(folder.join("b"), text).unwrap();
        }
        fs::write(folders[1].join("c"), "").unwrap();
        let found = differences(&folders[0], &folders[1]).unwrap();
        assert_eq!(found.first, ["b: differs from line 1 on", "c: only one run wrote it"]);
        fs::remove_dir_all(&root).unwrap();
    }
}
