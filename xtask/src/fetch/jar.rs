//! What the manifest says of a jar against what lies on disk.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::programs::Artifact;

/// Size and checksum of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Print {
    pub(super) sha256: String,
    pub(super) size: u64,
}

/// How a file compares with its entry in the manifest.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum State {
    Good,
    Missing,
    /// The entry has no checksum yet.
    Unpinned,
    /// Why the file is not the one of the entry.
    Wrong(String),
}

pub(super) fn state(artifact: &Artifact, path: &Path) -> Result<State> {
    let (Some(sha256), Some(size)) = (&artifact.sha256, artifact.size) else { return Ok(State::Unpinned) };
    let Some(found) = print(path)? else { return Ok(State::Missing) };
    Ok(if found.size != size {
        State::Wrong(format!("size is {}, expected {size}", found.size))
    } else if found.sha256 != *sha256 {
        State::Wrong(format!("sha256 is {}, expected {sha256}", found.sha256))
    } else {
        State::Good
    })
}

/// `None` if there is no such file.
pub(super) fn print(path: &Path) -> Result<Option<Print>> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.with_context(|| format!("reading {}", path.display()))?,
    };
    let sha256 = hex(&Sha256::digest(&bytes));
    Ok(Some(Print { sha256, size: bytes.len() as u64 }))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16);
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn artifact(sha256: Option<&str>, size: Option<u64>) -> Artifact {
        let id = "g:a:1".to_owned().try_into().unwrap();
        Artifact { id, sha256: sha256.map(str::to_owned), size }
    }

    #[test]
    fn every_state_is_told_apart() {
        let folder = std::env::temp_dir().join(format!("xtask-jar-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("empty.jar");
        fs::write(&file, []).unwrap();
        let state = |sha256, size| state(&artifact(sha256, size), &file).unwrap();
        assert_eq!(state(Some(EMPTY), Some(0)), State::Good);
        assert_eq!(state(None, None), State::Unpinned);
        assert_eq!(state(Some(EMPTY), Some(7)), State::Wrong("size is 0, expected 7".to_owned()));
        assert!(matches!(state(Some("00"), Some(0)), State::Wrong(why) if why.starts_with("sha256 is e3b0")));
        let absent = folder.join("absent.jar");
        assert_eq!(super::state(&artifact(Some(EMPTY), Some(0)), &absent).unwrap(), State::Missing);
        fs::remove_dir_all(&folder).unwrap();
    }
}
