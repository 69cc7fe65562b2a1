//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Files of one directory. They are written under other names, and get their own when all of them are whole; until then
/// nothing that is there is touched.
pub struct Files {
    directory: PathBuf,
    /// The directories that were made for them, outer ones first.
    made: Vec<PathBuf>,
    /// Names of files that are whole, but for their names.
    written: Vec<String>,
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

    /// Writes a file, under another name for now. Its name may begin with a directory, as in `facts/Alloc.facts`.
    pub fn write(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = self.temporary(name);
        if let Some(directory) = path.parent() {
            self.make(directory)?;
        }
        let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
        self.written.push(name.to_owned());
        content(&mut out)?;
        out.flush()
    }

    /// Gives all files their names, in place of those that have them now; returns the paths. Files of the other `known` names are of
    /// an older run, and would be taken for this one's: they go, when all new ones are there.
    pub fn finish(mut self, known: &[String]) -> io::Result<Vec<PathBuf>> {
        let stale: Vec<&String> = known.iter().filter(|&name| !self.written.contains(name)).collect();
        let mut paths = Vec::new();
        while let Some(name) = self.written.first() {
            let path = self.directory.join(name);
            fs::rename(self.temporary(name), &path)?;
            self.written.remove(0);
            self.made.clear();
            paths.push(path);
        }
        for name in stale {
            self.remove(name)?;
        }
        Ok(paths)
    }

    /// Removes a file if there is one, and the directory below ours that it leaves empty.
    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.directory.join(name);
        if path.is_file() {
            fs::remove_file(&path)?;
            if let Some(below) = path.parent().filter(|&parent| parent != self.directory) {
                // It stays if anything else is there.
                let _ = fs::remove_dir(below);
            }
        }
        Ok(())
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
        let paths = files.finish(&[]).unwrap();
        assert_eq!(paths, ["a.txt", "below/c.txt"].map(|name| directory.join(name)));
        assert_eq!(fs::read(directory.join("a.txt")).unwrap(), b"two");
        assert_eq!(fs::read(directory.join("below/c.txt")).unwrap(), b"four");
        let count = |directory: &Path| fs::read_dir(directory).unwrap().count();
        assert_eq!((count(&directory), count(&directory.join("below"))), (2, 1));
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn what_an_older_run_left_goes() {
        let directory = scratch("stale");
        let known = ["a.txt", "b.txt", "below/c.txt"].map(str::to_owned);
        let mut files = Files::of(&directory).unwrap();
        for name in &known {
            files.write(name, |out| out.write_all(b"old")).unwrap();
        }
        files.finish(&known).unwrap();
        fs::write(directory.join("own.txt"), b"the user's").unwrap();
        let mut files = Files::of(&directory).unwrap();
        files.write("b.txt", |out| out.write_all(b"new")).unwrap();
        assert!(directory.join("a.txt").exists(), "nothing goes before all is whole");
        files.finish(&known).unwrap();
        let left = ["a.txt", "b.txt", "below", "own.txt"].map(|name| directory.join(name).exists());
        assert_eq!(left, [false, true, false, true]);
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
