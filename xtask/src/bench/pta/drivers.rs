//! `bench/drivers/<program>/<Main>.java`: a main class for a program that has none, or another one for its workload.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// One folder per program.
pub(super) const SOURCES: &str = "bench/drivers";

/// Where the class files go.
const CLASSES: &str = ".cache/drivers";

pub(crate) struct Driver {
    pub(crate) main: String,
    /// The folder of its class files, relative to the root.
    pub(crate) classes: PathBuf,
}

pub(super) fn has(root: &Path, program: &str) -> bool {
    root.join(SOURCES).join(program).is_dir()
}

/// Compiles the driver of a program against the program's jars, if it has one.
pub(crate) fn compile(
    root: &Path,
    program: &str,
    jars: &[OsString],
    jdk_home: &Path,
) -> Result<Option<Driver>> {
    if !has(root, program) {
        return Ok(None);
    }
    let (source, main) = source(root, program)?;
    let classes = Path::new(CLASSES).join(program);
    let mut javac = Command::new(jdk_home.join("bin/javac"));
    javac.current_dir(root).arg("-g").arg("-d").arg(&classes).arg("-cp").arg(std::env::join_paths(jars)?);
    let output = javac.arg(&source).output().context("starting javac")?;
    ensure!(output.status.success(), "{program}: javac: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(Some(Driver { main, classes }))
}

/// The one source file, relative to the root, and its class.
fn source(root: &Path, program: &str) -> Result<(PathBuf, String)> {
    let folder = Path::new(SOURCES).join(program);
    let mut sources = Vec::new();
    for entry in fs::read_dir(root.join(&folder))? {
        let path = folder.join(entry?.file_name());
        if path.extension().is_some_and(|end| end == "java") {
            sources.push(path);
        }
    }
    ensure!(sources.len() == 1, "{} must hold one Java file", folder.display());
    let path = sources.swap_remove(0);
    let main = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((path, main))
}
