//! Directories: all files below a root.

use std::collections::VecDeque;
use std::fs::{self, DirEntry, FileType};
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
        let mut entries = Vec::new();
        for entry in fs::read_dir(path)? {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(e) => self.flaw(relative, format!("an entry cannot be read: {e}")),
            }
        }
        entries.sort_unstable_by_key(DirEntry::file_name);
        for entry in entries {
            if self.paths.len() >= self.limit {
                self.pending.clear();
                self.links.clear();
                self.flaw(relative, "the limit on the number of entries is reached");
                break;
            }
            self.add(&entry.path(), entry.file_type(), relative);
        }
        Ok(())
    }

    /// Adds an entry of the directory `parent`; one that cannot be looked at is a flaw, and no more.
    fn add(&mut self, path: &Path, kind: io::Result<FileType>, parent: &str) {
        let name = path.file_name().unwrap_or_default();
        let separator = if parent.is_empty() { "" } else { "/" };
        let relative = format!("{parent}{separator}{}", name.to_string_lossy());
        if name.to_str().is_none() {
            return self.flaw(&relative, "the name is not UTF-8");
        }
        let is_link = kind.as_ref().is_ok_and(FileType::is_symlink);
        let kind = if is_link { fs::metadata(path).map(|target| target.file_type()) } else { kind };
        match kind {
            Ok(kind) if kind.is_file() => self.paths.push(relative),
            Ok(kind) if kind.is_dir() && is_link => self.links.push_back((path.to_owned(), relative)),
            Ok(kind) if kind.is_dir() => self.pending.push((path.to_owned(), relative)),
            Ok(_) => {}
            Err(e) => self.flaw(&relative, format!("cannot be read: {e}")),
        }
    }

    fn flaw(&mut self, relative: &str, message: impl Into<String>) {
        self.flaws.push((relative.to_owned(), Defect::new(message)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_cannot_be_looked_at_is_a_flaw_of_its_own() {
        let mut walk = Walk { limit: 10, ..Walk::default() };
        walk.add(Path::new("/top/a/bad"), Err(io::Error::other("stale file handle")), "a");
        let flaws: Vec<_> = walk.flaws.iter().map(|(path, d)| (path.as_str(), d.message.as_str())).collect();
        assert_eq!(flaws, [("a/bad", "cannot be read: stale file handle")]);
    }
}
