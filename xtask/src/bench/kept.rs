//! Results that are kept: `bench/results/<date>-<name>.md` for people, `.json` for programs.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

/// Writes both forms.
pub(crate) fn save(root: &Path, date: &str, name: &str, markdown: &str, json: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(json)? + "\n";
    for (end, content) in [("md", markdown), ("json", &json)] {
        let path = path(root, date, name, end);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, content).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// The JSON that was kept earlier on that day, if any.
pub(crate) fn load(root: &Path, date: &str, name: &str) -> Result<Option<String>> {
    let path = path(root, date, name, "json");
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        other => other.map(Some).with_context(|| format!("reading {}", path.display())),
    }
}

/// What was kept earlier with what is new, in place of what is the same.
pub(crate) fn merge<T>(mut older: Vec<T>, newer: Vec<T>, same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    for row in newer {
        match older.iter_mut().find(|other| same(other, &row)) {
            Some(place) => *place = row,
            None => older.push(row),
        }
    }
    older
}

fn path(root: &Path, date: &str, name: &str, end: &str) -> PathBuf {
    root.join("bench/results").join(format!("{date}-{name}.{end}"))
}
