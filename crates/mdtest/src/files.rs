//! Files found in folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files below a folder that have this extension, in order.
pub(crate) fn below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}
