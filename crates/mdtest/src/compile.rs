//! Java compiled at test time: all sections by one start of the JVM, unchanged ones not at all.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use bytes::Bytes;

use crate::patch::Patch;
use crate::{Failure, Section, files};

const DRIVER: &str = include_str!("../java/Compile.java");

/// The classes of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The folder that holds them.
    pub folder: PathBuf,
    /// The package that they were put in: analysed sections have one each, so that they fit into one program.
    pub package: Option<String>,
    patch: Patch,
}

impl Classes {
    /// The class files.
    pub fn read(&self) -> io::Result<Vec<Bytes>> {
        let files: Vec<Vec<u8>> =
            files::below(&self.folder, "class")?.iter().map(fs::read).collect::<Result<_, _>>()?;
        let files = self.patch.apply_all(&files, self.package.as_deref().unwrap_or_default());
        let files =
            files.ok_or_else(|| io::Error::other("the classes have not what is to be changed in them"))?;
        Ok(files.into_iter().map(Bytes::from).collect())
    }
}

/// The classes of a section, or what the compiler says.
pub type Compiled = Result<Classes, Vec<Failure>>;

/// How long what no section needs any more is kept: another run may be using it.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Compiles sections with the JDK of this home. What `cache` holds from an earlier run is used again, and
/// dropped if no section has needed it for long.
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
    sections.iter().zip(&folders).map(|(section, folder)| outcome(section, folder)).collect()
}

/// A name for all that the result of a compilation depends on.
fn key(jdk: &Path, section: &Section) -> String {
    let mut hasher = DefaultHasher::new();
    (jdk, fs::read(jdk.join("release")).ok(), DRIVER, section.release).hash(&mut hasher);
    (section.is_analysed(), &section.title).hash(&mut hasher);
    for source in &section.sources {
        (source.role.folder(), source.line, &source.code).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

fn write_sources(section: &Section, folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let package = package(section, folder);
    for source in &section.sources {
        let file = folder.join(source.role.folder()).join(source.path().unwrap_or_default());
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(file, source.file_text(package.as_deref()))?;
    }
    Ok(())
}

/// The package of an analysed section, named after its folder.
fn package(section: &Section, folder: &Path) -> Option<String> {
    let name = folder.file_name()?.to_string_lossy();
    section.is_analysed().then(|| format!("s{name}"))
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
        let is_old = || fs::metadata(&path)?.modified().map(|at| at.elapsed().is_ok_and(|age| age > KEPT));
        if path.is_dir() && !used.contains(&path) && is_old()? {
            fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

fn outcome(section: &Section, folder: &Path) -> io::Result<Compiled> {
    if folder.join("done").exists() {
        return Ok(Ok(Classes {
            folder: folder.join("classes"),
            package: package(section, folder),
            patch: section.wanted.patch.clone(),
        }));
    }
    let errors = fs::read_to_string(folder.join("errors"))?;
    let failure = |line: &str| {
        let (number, message) = line.split_once('\t').unwrap_or(("0", line));
        let package = package(section, folder).map_or(String::new(), |name| name + ".");
        let message = if package.is_empty() { message.to_owned() } else { message.replace(&package, "") };
        Failure::new(number.parse().unwrap_or(0), format!("javac: {message}"))
    };
    Ok(Err(errors.lines().map(failure).collect()))
}
