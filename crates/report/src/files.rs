//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Files of one directory. They are written under other names, and get their own when all of them are whole; until then
/// nothing that is there is touched.
pub struct Files {
    directory: PathBuf,
    /// Whether the directory was made for them.
    made: bool,
    /// Names of files that are whole, but for their names.
    written: Vec<String>,
}

impl Files {
    /// Files of a directory, which is made if it is not there. Fails if nothing can be written there.
    pub fn of(directory: &Path) -> io::Result<Self> {
        let made = !directory.is_dir();
        fs::create_dir_all(directory)?;
        let files = Self { directory: directory.to_owned(), made, written: Vec::new() };
        let probe = files.temporary("probe");
        File::create(&probe)?;
        fs::remove_file(probe)?;
        Ok(files)
    }

    /// Writes a file, under another name for now.
    pub fn write(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = self.temporary(name);
        let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
        self.written.push(name.to_owned());
        content(&mut out)?;
        out.flush()
    }

    /// Gives all files their names, in place of those that have them now; returns the paths.
    pub fn finish(mut self) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        while let Some(name) = self.written.first() {
            let path = self.directory.join(name);
            fs::rename(self.temporary(name), &path)?;
            self.written.remove(0);
            self.made = false;
            paths.push(path);
        }
        Ok(paths)
    }

    /// The name of a file while it is not whole.
    fn temporary(&self, name: &str) -> PathBuf {
        self.directory.join(format!(".{name}.{}.part", process::id()))
    }
}

impl Drop for Files {
    /// Leaves nothing behind that is not whole.
    fn drop(&mut self) {
        for name in &self.written {
            let _ = fs::remove_file(self.temporary(name));
        }
        if self.made {
            let _ = fs::remove_dir(&self.directory);
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
        assert!(!directory.join("a.txt").exists());
        let failed = files.write("b.txt", |_| Err(io::Error::other("no")));
        assert!(failed.is_err());
        drop(files);
        assert!(!directory.exists(), "what was made for nothing is gone");
        let mut files = Files::of(&directory).unwrap();
        files.write("a.txt", |out| out.write_all(b"two")).unwrap();
        assert_eq!(files.finish().unwrap(), [directory.join("a.txt")]);
        assert_eq!(fs::read(directory.join("a.txt")).unwrap(), b"two");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
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
