//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// The list of the files that a run has written into a directory, so that the next one knows them from the user's.
const LIST: &str = ".heliostat-files";

/// Files of one directory. They are written under other names, and get their own when all of them are whole; until then
/// nothing that is there is touched.
pub struct Files {
    directory: PathBuf,
    /// The directories that were made for them, outer ones first.
    made: Vec<PathBuf>,
    /// Names of files that are whole, but for their names.
    written: Vec<String>,
}

/// What became of a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finished {
    /// The files that were written.
    pub written: Vec<PathBuf>,
    /// The names of the files of an older run that were removed.
    pub removed: Vec<String>,
}

impl Files {
    /// Files of a directory, which is made if it is not there. Fails if nothing can be written there.
    pub fn of(directory: &Path) -> io::Result<Self> {
        let mut files = Self { directory: directory.to_owned(), made: Vec::new(), written: Vec::new() };
        files.make(directory)?;
        let probe = files.temporary("probe");
        File::create(&probe)?;
        fs::remove_file(probe)?;
        Ok(files)
    }

    /// Makes a directory if it is not there.
    fn make(&mut self, directory: &Path) -> io::Result<()> {
        if !directory.is_dir() {
            fs::create_dir_all(directory)?;
            self.made.push(directory.to_owned());
        }
        Ok(())
    }

    /// Writes a file, under another name for now. Its name may begin with a directory, as in `facts/Alloc.facts`. Fails if there is
    /// one of that name already.
    pub fn write(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.written.iter().any(|written| written == name) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{name} is written twice")));
        }
        let path = self.temporary(name);
        if let Some(directory) = path.parent() {
            self.make(directory)?;
        }
        let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
        self.written.push(name.to_owned());
        content(&mut out)?;
        out.flush()
    }

    /// Gives all files their names, in place of those that have them now. What an older run has written here would be taken for this
    /// one's: it goes, when all new files are there. That is what the older run has listed and is one of the `known` names;
    /// anything else is the user's.
    pub fn finish(mut self, known: &[String]) -> io::Result<Finished> {
        let names = self.written.clone();
        let stale = self.listed().into_iter().filter(|name| known.contains(name) && !names.contains(name));
        let stale: Vec<String> = stale.collect();
        self.write(LIST, |out| {
            writeln!(
                out,
                "# What heliostat has written here. The next run removes of it what it does not write again."
            )?;
            names.iter().try_for_each(|name| writeln!(out, "{name}"))
        })?;
        let mut finished = Finished::default();
        for name in &names {
            finished.written.push(self.name(name)?);
        }
        for name in stale {
            if self.remove(&name)? {
                finished.removed.push(name);
            }
        }
        self.name(LIST)?;
        Ok(finished)
    }

    /// Gives all files their names, in place of those that have them now, and leaves no list: for files that are put among the
    /// user's own. Returns their paths.
    pub fn finish_unlisted(mut self) -> io::Result<Vec<PathBuf>> {
        let names = self.written.clone();
        names.iter().map(|name| self.name(name)).collect()
    }

    /// What an older run says that it has written here; nothing if there is no list.
    fn listed(&self) -> Vec<String> {
        let list = fs::read_to_string(self.directory.join(LIST)).unwrap_or_default();
        list.lines().map(str::to_owned).collect()
    }

    /// Gives a file its name; returns its path.
    fn name(&mut self, name: &str) -> io::Result<PathBuf> {
        let path = self.directory.join(name);
        fs::rename(self.temporary(name), &path)?;
        self.written.retain(|written| written != name);
        self.made.clear();
        Ok(path)
    }

    /// Removes a file, and the directory below ours that it leaves empty; whether there was one.
    fn remove(&self, name: &str) -> io::Result<bool> {
        let path = self.directory.join(name);
        if !path.is_file() {
            return Ok(false);
        }
        fs::remove_file(&path)?;
        if let Some(below) = path.parent().filter(|&parent| parent != self.directory) {
            // It stays if anything else is there.
            let _ = fs::remove_dir(below);
        }
        Ok(true)
    }

    /// The name of a file while it is not whole.
    fn temporary(&self, name: &str) -> PathBuf {
        let (directory, name) = name.rsplit_once('/').unwrap_or(("", name));
        self.directory.join(directory).join(format!(".{name}.{}.part", process::id()))
    }
}

impl Drop for Files {
    /// Leaves nothing behind that is not whole.
    fn drop(&mut self) {
        for name in &self.written {
            let _ = fs::remove_file(self.temporary(name));
        }
        for directory in self.made.iter().rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("heliostat-files-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn all_or_nothing() {
        let directory = scratch("all");
        let mut files = Files::of(&directory).unwrap();
        files.write("a.txt", |out| out.write_all(b"one")).unwrap();
        files.write("below/c.txt", |out| out.write_all(b"three")).unwrap();
        assert!(!directory.join("a.txt").exists() && !directory.join("below/c.txt").exists());
        let failed = files.write("b.txt", |_| Err(io::Error::other("no")));
        assert!(failed.is_err());
        drop(files);
        assert!(!directory.exists(), "what was made for nothing is gone");
        let mut files = Files::of(&directory).unwrap();
        files.write("a.txt", |out| out.write_all(b"two")).unwrap();
        files.write("below/c.txt", |out| out.write_all(b"four")).unwrap();
        let finished = files.finish(&[]).unwrap();
        assert_eq!(finished.written, ["a.txt", "below/c.txt"].map(|name| directory.join(name)));
        assert_eq!(fs::read(directory.join("a.txt")).unwrap(), b"two");
        assert_eq!(fs::read(directory.join("below/c.txt")).unwrap(), b"four");
        let count = |directory: &Path| fs::read_dir(directory).unwrap().count();
        assert_eq!((count(&directory), count(&directory.join("below"))), (3, 1), "with the list");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn no_list_among_the_users_own() {
        let directory = scratch("unlisted");
        let mut files = Files::of(&directory).unwrap();
        files.write("below/a.txt", |out| out.write_all(b"one")).unwrap();
        assert_eq!(files.finish_unlisted().unwrap(), [directory.join("below/a.txt")]);
        let count = |directory: &Path| fs::read_dir(directory).unwrap().count();
        assert_eq!((count(&directory), count(&directory.join("below"))), (1, 1));
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_name_is_written_once() {
        let directory = scratch("twice");
        let mut files = Files::of(&directory).unwrap();
        files.write("a.txt", |out| out.write_all(b"one")).unwrap();
        assert!(files.write("a.txt", |out| out.write_all(b"two")).is_err());
        files.finish(&[]).unwrap();
        assert_eq!(fs::read(directory.join("a.txt")).unwrap(), b"one");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn what_an_older_run_left_goes() {
        let directory = scratch("stale");
        let known = ["a.txt", "b.txt", "below/c.txt", "own.txt"].map(str::to_owned);
        let mut files = Files::of(&directory).unwrap();
        for name in &known[..3] {
            files.write(name, |out| out.write_all(b"old")).unwrap();
        }
        assert!(files.finish(&known).unwrap().removed.is_empty());
        fs::write(directory.join("own.txt"), b"the user's").unwrap();
        let mut files = Files::of(&directory).unwrap();
        files.write("b.txt", |out| out.write_all(b"new")).unwrap();
        assert!(directory.join("a.txt").exists(), "nothing goes before all is whole");
        let finished = files.finish(&known).unwrap();
        assert_eq!(finished.removed, ["a.txt", "below/c.txt"]);
        let left = ["a.txt", "b.txt", "below", "own.txt"].map(|name| directory.join(name).exists());
        assert_eq!(left, [false, true, false, true], "a known name that no run has listed is the user's");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_list_removes_nothing_but_known_names() {
        let directory = scratch("foreign");
        fs::create_dir_all(directory.join("out")).unwrap();
        for name in ["above.txt", "out/own.txt", "out/a.txt"] {
            fs::write(directory.join(name), b"here").unwrap();
        }
        fs::write(directory.join("out").join(LIST), b"../above.txt\nown.txt\na.txt\n").unwrap();
        let finished = Files::of(&directory.join("out")).unwrap().finish(&["a.txt".to_owned()]).unwrap();
        assert_eq!(finished.removed, ["a.txt"]);
        assert!(directory.join("above.txt").exists() && directory.join("out/own.txt").exists());
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_directory_that_is_none() {
        let path = scratch("file");
        fs::write(&path, b"a file").unwrap();
        assert!(Files::of(&path).is_err() && Files::of(&path.join("below")).is_err());
        fs::remove_file(path).unwrap();
    }
}
