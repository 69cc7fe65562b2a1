//! The file system: maps and bounded reads.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;
use memmap2::Mmap;

use crate::problem::Defect;

/// The bytes of a regular file, mapped, not copied.
#[allow(unsafe_code, reason = "mapping a file is the one thing here that cannot be done safely")]
pub(crate) fn map(path: &Path) -> io::Result<Bytes> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    // An empty range cannot be mapped.
    if metadata.len() == 0 {
        return Ok(Bytes::new());
    }
    // SAFETY: the map is private and read-only, and lives as long as the last slice of it. If another
    // process changes the file meanwhile, the bytes change under the readers, which check every index
    // against lengths they do not take from the file; if it shrinks the file, the kernel ends this
    // process, as it does for every program that maps its input (java does the same with jars).
    let map = unsafe { Mmap::map(&file)? };
    Ok(Bytes::from_owner(map))
}

/// The bytes of a small file, read; a file over the limit is a defect.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Bytes, Defect> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(|e| Defect::new(format!("cannot be read: {e}")))?;
    if bytes.len() as u64 > limit {
        return Err(Defect::new(format!("is larger than the limit of {limit} bytes")));
    }
    Ok(bytes.into())
}
