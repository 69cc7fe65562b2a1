//! Java compiled at test time: all sections by one start of the JVM, unchanged ones not at all.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Failure, Section};

const DRIVER: &str = include_str!("../java/Compile.java");

/// Where a section's classes are, or what the compiler says.
pub type Compiled = Result<PathBuf, Vec<Failure>>;

/// Compiles sections with the JDK of this home. What `cache` holds from an earlier run is used again, and
/// dropped if no section needs it any more.
pub fn compile(jdk: &Path, cache: &Path, sections: &[&Section]) -> io::Result<Vec<Compiled>> {
    fs::create_dir_all(cache)?;
    let folders: Vec<PathBuf> = sections.iter().map(|s| cache.join(key(jdk, s))).collect();
    let mut jobs = Vec::new();
    for (section, folder) in sections.iter().zip(&folders) {
        if !folder.join("done").exists() {
            write_sources(section, folder)?;
            let release = section.release.map_or(String::new(), |release| release.to_string());
            jobs.push(format!("{}\t{release}", folder.display()));
        }
    }
    if !jobs.is_empty() {
        run(jdk, cache, &jobs.join("\n"))?;
    }
    drop_others(cache, &folders.iter().collect())?;
    folders.iter().map(|folder| outcome(folder)).collect()
}

/// A name for all that the result of a compilation depends on.
fn key(jdk: &Path, section: &Section) -> String {
    let mut hasher = DefaultHasher::new();
    (jdk, fs::read(jdk.join("release")).ok(), DRIVER, section.release).hash(&mut hasher);
    for source in &section.sources {
        (source.role.folder(), source.line, &source.code).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

fn write_sources(section: &Section, folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for source in &section.sources {
        let file = folder.join(source.role.folder()).join(source.path().unwrap_or_default());
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(file, source.file_text())?;
    }
    Ok(())
}

fn run(jdk: &Path, cache: &Path, jobs: &str) -> io::Result<()> {
    let (driver, list) = (cache.join("Compile.java"), cache.join("jobs"));
    fs::write(&driver, DRIVER)?;
    fs::write(&list, jobs)?;
    let output = Command::new(jdk.join("bin/java")).arg(driver).arg(list).output()?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!("javac of {} did not run: {message}", jdk.display())))
}

fn drop_others(cache: &Path, used: &BTreeSet<&PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(cache)? {
        let path = entry?.path();
        if path.is_dir() && !used.contains(&path) {
            fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

fn outcome(folder: &Path) -> io::Result<Compiled> {
    if folder.join("done").exists() {
        return Ok(Ok(folder.join("classes")));
    }
    let errors = fs::read_to_string(folder.join("errors"))?;
    let failure = |line: &str| {
        let (number, message) = line.split_once('\t').unwrap_or(("0", line));
        Failure::new(number.parse().unwrap_or(0), format!("javac: {message}"))
    };
    Ok(Err(errors.lines().map(failure).collect()))
}
