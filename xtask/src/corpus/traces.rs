//! Traces as they are kept: below the cache, each file compressed, with the key of what they depend on.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write, copy};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// One folder for each program, below the root.
const FOLDER: &str = ".cache/corpus/traces";
const KEY: &str = "key";
const END: &str = ".gz";

fn folder(root: &Path, program: &str) -> PathBuf {
    root.join(FOLDER).join(program)
}

/// Whether there is a trace with this key.
pub(super) fn has(root: &Path, program: &str, key: &str) -> bool {
    fs::read_to_string(folder(root, program).join(KEY)).is_ok_and(|kept| kept == key)
}

/// Takes a trace in place of the one there is; its folder goes.
pub(super) fn keep(root: &Path, program: &str, trace: &Path, key: &str) -> Result<()> {
    let folder = folder(root, program);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    each_file(trace, &folder, &|file, to| {
        let to = PathBuf::from(format!("{}{END}", to.display()));
        let mut out = GzEncoder::new(BufWriter::new(File::create(&to)?), Compression::default());
        copy(&mut BufReader::new(File::open(file)?), &mut out)?;
        out.finish()?.flush()?;
        Ok(())
    })
    .with_context(|| format!("keeping {}", trace.display()))?;
    fs::remove_dir_all(trace)?;
    // Last, so that half a trace has no key.
    Ok(fs::write(folder.join(KEY), key)?)
}

pub(super) fn unpack(root: &Path, program: &str, to: &Path) -> Result<()> {
    each_file(&folder(root, program), to, &|file, to| {
        let to = to.to_string_lossy();
        let Some(to) = to.strip_suffix(END) else { return Ok(()) };
        copy(&mut GzDecoder::new(BufReader::new(File::open(file)?)), &mut File::create(to)?)?;
        Ok(())
    })
    .with_context(|| format!("unpacking the trace of {program}"))
}

/// How many bytes are kept.
pub(super) fn size(root: &Path, program: &str) -> Result<u64> {
    let sum = std::cell::Cell::new(0);
    let folder = folder(root, program);
    each_file(&folder, &folder, &|file, _| {
        sum.set(sum.get() + fs::metadata(file)?.len());
        Ok(())
    })?;
    Ok(sum.get())
}

/// Calls `visit` with each file below a folder and the place that it has below another one, whose folders are made.
fn each_file(from: &Path, to: &Path, visit: &impl Fn(&Path, &Path) -> Result<()>) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, target) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        if path.is_dir() {
            each_file(&path, &target, visit)?;
        } else {
            visit(&path, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_comes_back_as_it_was() {
        let root = std::env::temp_dir().join(format!("xtask-traces-{}", std::process::id()));
        let trace = root.join("trace");
        fs::create_dir_all(trace.join("raw")).unwrap();
        fs::write(trace.join("calls.tsv"), "a\n".repeat(1000)).unwrap();
        fs::write(trace.join("raw/1.log"), [0, 255]).unwrap();
        assert!(!has(&root, "p", "k"));
        keep(&root, "p", &trace, "k").unwrap();
        assert!(has(&root, "p", "k") && !has(&root, "p", "other") && !trace.exists());
        assert!(size(&root, "p").unwrap() < 500);
        let back = root.join("back");
        unpack(&root, "p", &back).unwrap();
        assert_eq!(fs::read_to_string(back.join("calls.tsv")).unwrap().len(), 2000);
        assert_eq!(fs::read(back.join("raw/1.log")).unwrap(), [0, 255]);
        assert!(!back.join(KEY).exists());
        fs::remove_dir_all(&root).unwrap();
    }
}
