//! From what the user wrote to paths: `@file`, `dir/*` and separators.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::InputError;
use crate::layout::is_jar;
use crate::manifest::url_path;

/// One entry of the class path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) path: PathBuf,
    /// Whether the user wrote it himself. What an `@file` lists was written by a tool, and java does
    /// not mind if some of it is missing.
    pub(crate) required: bool,
}

/// The paths that inputs stand for; an input is not split at separators.
pub(crate) fn expand_inputs(inputs: &[OsString]) -> Result<Vec<Spec>, InputError> {
    let mut specs = Vec::new();
    for input in inputs {
        if input.is_empty() {
            return Err(InputError::EmptyInput);
        }
        expand(input, &mut specs)?;
    }
    Ok(specs)
}

/// The paths that class paths stand for.
pub(crate) fn expand_class_paths(class_paths: &[OsString]) -> Result<Vec<Spec>, InputError> {
    let mut specs = Vec::new();
    for part in class_paths.iter().flat_map(std::env::split_paths) {
        expand(part.as_os_str(), &mut specs)?;
    }
    Ok(specs)
}

fn expand(text: &OsStr, specs: &mut Vec<Spec>) -> Result<(), InputError> {
    if let Some(file) = text.to_str().and_then(|text| text.strip_prefix('@')) {
        return expand_file(Path::new(file), specs);
    }
    expand_wildcard(Path::new(text), true, specs);
    Ok(())
}

/// Adds what a file lists: one class path per line, `#` before comments.
fn expand_file(file: &Path, specs: &mut Vec<Spec>) -> Result<(), InputError> {
    let bytes = fs::read(file).map_err(|source| InputError::Unreadable { path: file.to_owned(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    for part in lines.flat_map(std::env::split_paths) {
        expand_wildcard(&part, false, specs);
    }
    Ok(())
}

/// Adds a path; `dir/*` stands for the jars of `dir`, as for java. A `dir` that cannot be read stays as it is,
/// so that the one who opens it says so.
fn expand_wildcard(path: &Path, required: bool, specs: &mut Vec<Spec>) {
    if path.as_os_str().is_empty() {
        return;
    }
    let jars = match path.file_name() {
        Some(name) if name == "*" => path.parent().and_then(|parent| jars_of(parent).ok()),
        _ => None,
    };
    let paths = jars.unwrap_or_else(|| vec![path.to_owned()]);
    specs.extend(paths.into_iter().map(|path| Spec { path, required }));
}

/// The file or directory that an entry of a jar's `Class-Path` leads to, from the folder of the jar; else the
/// entry and, unless there just is no such file, why it is not followed.
pub(crate) fn follow(folder: &Path, url: &str) -> Result<PathBuf, String> {
    let not_followed = |why: &str| Err(format!("{url} (not followed: {why})"));
    let Some(path) = url_path(url) else { return not_followed("not a file") };
    let path = folder.join(path.as_ref());
    match fs::metadata(&path) {
        Err(_) => Err(url.to_owned()),
        Ok(metadata) if metadata.is_file() => Ok(path),
        Ok(metadata) if !metadata.is_dir() => not_followed("not a regular file"),
        // A jar from elsewhere must not make us walk the whole disk.
        Ok(_) if !lies_below(folder, &path) => not_followed("a directory outside the folder of the jar"),
        Ok(_) => Ok(path),
    }
}

fn lies_below(folder: &Path, path: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (fs::canonicalize(folder), fs::canonicalize(path)) {
        (Ok(folder), Ok(path)) => path.starts_with(folder),
        _ => false,
    }
}

/// The jars that lie directly in a directory, sorted.
pub(crate) fn jars_of(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let listed = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let mut jars = Vec::new();
    for entry in fs::read_dir(listed)? {
        let name = entry?.file_name();
        if is_jar(name.as_encoded_bytes()) {
            jars.push(directory.join(name));
        }
    }
    jars.sort_unstable();
    Ok(jars)
}
