//! What the checks look at: the files that git knows or would add, and the workspace as cargo sees it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

pub(super) struct Tree {
    /// Sorted by path.
    pub(super) files: Vec<SourceFile>,
    pub(super) packages: Vec<Package>,
}

pub(super) struct SourceFile {
    /// Relative to the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

/// A workspace member, named by its folder, and the workspace members it uses.
pub(super) struct Package {
    pub(super) name: String,
    /// Its Cargo.toml, relative to the root.
    pub(super) manifest: String,
    pub(super) uses: Vec<Use>,
}

pub(super) struct Use {
    pub(super) name: String,
    pub(super) only_for_tests: bool,
}

impl Tree {
    pub(super) fn read(root: &Path) -> Result<Self> {
        Ok(Self { files: files(root)?, packages: packages(root)? })
    }

    pub(super) fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(super) fn rust_files(&self) -> impl Iterator<Item = &SourceFile> {
        let is_rust = |file: &&SourceFile| Path::new(&file.path).extension().is_some_and(|end| end == "rs");
        self.files.iter().filter(is_rust)
    }
}

impl SourceFile {
    /// The crate whose library or binary this is part of: `x` of `crates/x/src/...`.
    pub(super) fn library(&self) -> Option<&str> {
        let (name, rest) = self.path.strip_prefix("crates/")?.split_once('/')?;
        rest.starts_with("src/").then_some(name)
    }

    /// Lines with their numbers, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}

/// Untracked files too, so that a finding comes before the commit and not after it.
fn files(root: &Path) -> Result<Vec<SourceFile>> {
    let listed = output(root, "git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let mut paths: Vec<&str> = listed.split_terminator('\0').collect();
    paths.sort_unstable();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        match fs::read(root.join(path)) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                files.push(SourceFile { path: path.to_owned(), text });
            }
            // Deleted, and not committed yet.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("reading {path}")),
        }
    }
    Ok(files)
}

fn packages(root: &Path) -> Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Member>,
    }
    #[derive(Deserialize)]
    struct Member {
        manifest_path: String,
        dependencies: Vec<Dependency>,
    }
    #[derive(Deserialize)]
    struct Dependency {
        kind: Option<String>,
        /// Only dependencies inside the repository have one.
        path: Option<String>,
    }
    let json = output(root, "cargo", &["metadata", "--format-version", "1", "--no-deps", "--offline"])?;
    let metadata: Metadata = serde_json::from_str(&json).context("reading the output of cargo metadata")?;
    let folder_name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let package = |member: Member| {
        let manifest = Path::new(&member.manifest_path);
        let uses = member.dependencies.iter().filter_map(|dependency| {
            let name = folder_name(Path::new(dependency.path.as_ref()?))?;
            Some(Use { name, only_for_tests: dependency.kind.as_deref() == Some("dev") })
        });
        Some(Package {
            name: folder_name(manifest.parent()?)?,
            manifest: manifest.strip_prefix(root).unwrap_or(manifest).to_string_lossy().into_owned(),
            uses: uses.collect(),
        })
    };
    Ok(metadata.packages.into_iter().filter_map(package).collect())
}

fn output(root: &Path, program: &str, arguments: &[&str]) -> Result<String> {
    let called = || format!("{program} {}", arguments.join(" "));
    let output = Command::new(program).args(arguments).current_dir(root).output().with_context(called)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} failed: {}", called(), stderr.trim());
    String::from_utf8(output.stdout).with_context(called)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A tree of one file and no packages.
    pub(crate) fn tree(path: &str, text: &str) -> Tree {
        Tree {
            files: vec![SourceFile { path: path.to_owned(), text: text.to_owned() }],
            packages: Vec::new(),
        }
    }

    #[test]
    fn a_library_is_told_by_its_path() {
        let library = |path| tree(path, "").files[0].library().map(str::to_owned);
        assert_eq!(library("crates/ir/src/lower/mod.rs").as_deref(), Some("ir"));
        assert_eq!(library("crates/ir/tests/a.rs"), None);
        assert_eq!(library("xtask/src/main.rs"), None);
    }
}
