//! A Spring Boot jar as a plain class path, for an analyser that reads no jars inside jars.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Where they are unpacked to, below the root.
const FOLDER: &str = ".cache/unpacked";

const CLASSES: &str = "BOOT-INF/classes";
const LIBRARIES: &str = "BOOT-INF/lib";

/// The input itself, or what a Spring Boot jar holds. Relative to the root, as the input.
pub(super) fn flat(root: &Path, program: &str, input: &Path, jdk_home: &Path) -> Result<Vec<OsString>> {
    if !is_spring_boot(root, input, jdk_home)? {
        return Ok(vec![input.as_os_str().to_owned()]);
    }
    let folder = Path::new(FOLDER).join(program);
    let libraries = folder.join(LIBRARIES);
    if !root.join(&libraries).is_dir() {
        fs::create_dir_all(root.join(&folder))?;
        let jar = root.join(input).canonicalize()?;
        run(&root.join(&folder), jdk_home, &["--extract", "--file", &jar.to_string_lossy()])?;
    }
    let mut jars: Vec<PathBuf> = fs::read_dir(root.join(&libraries))?
        .map(|entry| Ok(libraries.join(entry?.file_name())))
        .collect::<Result<_>>()?;
    jars.sort();
    Ok([folder.join(CLASSES)].into_iter().chain(jars).map(PathBuf::into_os_string).collect())
}

fn is_spring_boot(root: &Path, input: &Path, jdk_home: &Path) -> Result<bool> {
    if root.join(input).is_dir() {
        return Ok(false);
    }
    let listed = run(root, jdk_home, &["--list", "--file", &input.to_string_lossy()])?;
    Ok(listed.lines().any(|entry| entry.starts_with(LIBRARIES)))
}

/// The JDK's `jar`.
fn run(folder: &Path, jdk_home: &Path, arguments: &[&str]) -> Result<String> {
    let mut jar = Command::new(jdk_home.join("bin/jar"));
    let output = jar.current_dir(folder).args(arguments).output().context("starting jar")?;
    ensure!(output.status.success(), "jar: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
