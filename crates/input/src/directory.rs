//! Directories: all files below a root.

use std::collections::VecDeque;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use heliostat_index::FastSet;

use crate::Limits;
use crate::file;
use crate::problem::Defect;

/// Files below a root, by their path from it with `/` between the parts.
pub(crate) struct Files {
    root: PathBuf,
    paths: Vec<String>,
}

impl Files {
    /// The files below a directory in the order of their paths, at most `limit` of them, and what could not be
    /// read. An error says that the directory itself cannot be read.
    pub(crate) fn below(root: &Path, limit: usize) -> io::Result<(Self, Vec<(String, Defect)>)> {
        let mut walk = Walk { limit, ..Walk::default() };
        walk.visited.insert(fs::canonicalize(root)?);
        walk.list(root, "")?;
        walk.run();
        walk.paths.sort_unstable();
        Ok((Self { root: root.to_owned(), paths: walk.paths }, walk.flaws))
    }

    /// The number of files.
    pub(crate) fn len(&self) -> usize {
        self.paths.len()
    }

    /// The path of a file from the root.
    pub(crate) fn path(&self, file: usize) -> &str {
        self.paths.get(file).map_or("", String::as_str)
    }

    /// Where a file lies in the file system.
    pub(crate) fn location(&self, file: usize) -> PathBuf {
        self.root.join(self.path(file))
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, file: usize, limits: &Limits) -> Result<Bytes, Defect> {
        file::read(&self.location(file), limits.entry_bytes)
    }
}

/// A walk in progress. Real directories are read before links to directories, so that a link to a
/// place inside the tree, which may be a loop, is the one that is left out.
#[derive(Default)]
struct Walk {
    limit: usize,
    paths: Vec<String>,
    flaws: Vec<(String, Defect)>,
    pending: Vec<(PathBuf, String)>,
    links: VecDeque<(PathBuf, String)>,
    visited: FastSet<PathBuf>,
}

impl Walk {
    fn run(&mut self) {
        while let Some((path, relative)) = self.next() {
            let listed = fs::canonicalize(&path).and_then(|real| {
                if self.visited.insert(real) {
                    return self.list(&path, &relative);
                }
                self.flaw(&relative, "a link to a directory that is read anyway; not followed");
                Ok(())
            });
            if let Err(e) = listed {
                self.flaw(&relative, format!("cannot be read: {e}"));
            }
        }
    }

    fn next(&mut self) -> Option<(PathBuf, String)> {
        self.pending.pop().or_else(|| self.links.pop_front())
    }

    fn list(&mut self, path: &Path, relative: &str) -> io::Result<()> {
        let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_unstable_by_key(DirEntry::file_name);
        for entry in entries {
            if self.paths.len() >= self.limit {
                self.pending.clear();
                self.links.clear();
                self.flaw(relative, "the limit on the number of entries is reached");
                break;
            }
            self.add(&entry, relative)?;
        }
        Ok(())
    }

    fn add(&mut self, entry: &DirEntry, parent: &str) -> io::Result<()> {
        let name = entry.file_name();
        let separator = if parent.is_empty() { "" } else { "/" };
        let relative = format!("{parent}{separator}{}", name.to_string_lossy());
        if name.to_str().is_none() {
            self.flaw(&relative, "the name is not UTF-8");
            return Ok(());
        }
        let mut kind = entry.file_type()?;
        let is_link = kind.is_symlink();
        if is_link {
            match fs::metadata(entry.path()) {
                Ok(target) => kind = target.file_type(),
                Err(e) => self.flaw(&relative, format!("cannot be read: {e}")),
            }
        }
        if kind.is_file() {
            self.paths.push(relative);
        } else if kind.is_dir() && is_link {
            self.links.push_back((entry.path(), relative));
        } else if kind.is_dir() {
            self.pending.push((entry.path(), relative));
        }
        Ok(())
    }

    fn flaw(&mut self, relative: &str, message: impl Into<String>) {
        self.flaws.push((relative.to_owned(), Defect::new(message)));
    }
}
