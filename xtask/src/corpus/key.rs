//! What a trace depends on, as one number: if it changes, the trace is made again.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::Subject;

/// The sources of what records: a trace of an older agent is not the same.
const RECORDER: [&str; 6] = [
    "crates/agent/src",
    "crates/weave/src",
    "crates/classfile/src",
    "crates/trace/src",
    "crates/core/src/trace",
    "crates/report/src/trace",
];

/// The jars, the driver, the files to work on, the workload's description, the JDK, and the recorder.
pub(super) fn of(root: &Path, subject: &Subject) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(format!("{}\0{:?}\0", subject.main, subject.workload));
    for input in &subject.inputs {
        add(&root.join(input), &mut hash)?;
    }
    add(&root.join(&subject.files), &mut hash)?;
    add(&subject.jdk_home.join("release"), &mut hash)?;
    for sources in RECORDER {
        add(&root.join(sources), &mut hash)?;
    }
    let mut text = String::new();
    for byte in hash.finalize() {
        write!(text, "{byte:02x}")?;
    }
    Ok(text)
}

/// A file, or all in a folder, by name and content; nothing if there is none.
fn add(path: &Path, hash: &mut Sha256) -> Result<()> {
    if path.is_dir() {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>();
        let mut entries = entries.with_context(|| format!("reading {}", path.display()))?;
        entries.sort();
        return entries.iter().try_for_each(|entry| add(entry, hash));
    }
    if path.is_file() {
        let content = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        hash.update(content.len().to_le_bytes());
        hash.update(content);
    }
    Ok(())
}
