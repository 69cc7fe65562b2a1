//! A run that is being traced: its directory is prepared, and what was there before goes only when a JVM has written.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::directory::{RAW, RUN, Raw};
use super::{Exit, TraceError};

/// What an older trace has written stays here until a JVM of the program writes.
const OLDER: &str = ".raw.older";
/// What is in a directory of files that were written at once.
const LIST: &str = ".heliostat-files";

/// The trace of a program that is about to run, or runs.
pub struct Recording {
    directory: PathBuf,
    raw: Raw,
    made: bool,
    has_older: bool,
    has_written: bool,
}

impl Recording {
    /// Prepares a directory for the trace of a command. Fails if it holds anything else than an older trace, of which `known` are the
    /// files that are made from it.
    pub fn begin(directory: &Path, known: &[&str], command: &[String]) -> Result<Self, TraceError> {
        let told = |error: io::Error| TraceError::unwritable(directory, &error);
        let directory_path = std::path::absolute(directory).map_err(told)?;
        let made = !directory_path.exists();
        if !made {
            check(directory, known)?;
        }
        let raw = Raw::of(&directory_path);
        let mut recording =
            Self { directory: directory_path, raw, made, has_older: false, has_written: false };
        recording.prepare(command).map_err(told)?;
        Ok(recording)
    }

    fn prepare(&mut self, command: &[String]) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let is_left = self.older().exists() && !self.raw.has_processes();
        if is_left {
            // A run was killed before any JVM wrote: the older trace is still the one that counts.
            remove(self.raw.path())?;
        } else if self.raw.path().exists() {
            remove(&self.older())?;
            fs::rename(self.raw.path(), self.older())?;
        }
        self.has_older = self.older().exists();
        fs::create_dir(self.raw.path())?;
        self.raw.write_command(command)
    }

    fn older(&self) -> PathBuf {
        self.directory.join(OLDER)
    }

    /// Where the processes write.
    pub fn raw(&self) -> &Path {
        self.raw.path()
    }

    /// Whether there was an older trace.
    pub fn has_older(&self) -> bool {
        self.has_older
    }

    /// Looks whether a JVM has written: if so, what an older run has left goes.
    pub fn has_written(&mut self, known: &[&str]) -> Result<bool, TraceError> {
        if !self.has_written && self.raw.has_processes() {
            self.has_written = true;
            self.remove_older(known)?;
        }
        Ok(self.has_written)
    }

    fn remove_older(&self, known: &[&str]) -> Result<(), TraceError> {
        let older = known.iter().map(|name| self.directory.join(name)).chain([self.older()]);
        for path in older {
            remove(&path).map_err(|error| TraceError::at(&path, error))?;
        }
        Ok(())
    }

    /// The program has ended.
    pub fn ended(&self, exit: Exit) -> Result<(), TraceError> {
        self.raw.write_exit(exit).map_err(|error| TraceError::at(self.raw.path(), error))
    }
}

impl Drop for Recording {
    /// If no JVM has written, everything is as before.
    fn drop(&mut self) {
        if self.has_written {
            return;
        }
        let _ = remove(self.raw.path());
        let _ = fs::rename(self.older(), self.raw.path());
        if self.made {
            let _ = fs::remove_dir(&self.directory);
        }
    }
}

/// Removes a file, or a directory with all that is in it, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Fails if there is anything in a directory that is not of a trace.
fn check(directory: &Path, known: &[&str]) -> Result<(), TraceError> {
    let is_part = |name: &str| name.starts_with('.') && name.strip_suffix(".part").is_some();
    let of_trace = |name: &str| known.contains(&name) || [RAW, OLDER, LIST].contains(&name) || is_part(name);
    let ends = [".log", ".table", ".classes"];
    let of_run = |name: &str| name == RUN || ends.iter().any(|end| name.ends_with(end)) || is_part(name);
    let raw = directory.join(RAW);
    let mut foreign = other_than(directory, &of_trace)?;
    if foreign.is_none() && raw.exists() {
        foreign = other_than(&raw, &of_run)?.map(|name| format!("{RAW}/{name}"));
    }
    if let Some(name) = foreign {
        let why = format!("it holds `{name}`, which is not of an older trace; name another directory");
        return Err(TraceError::at(directory, why));
    }
    Ok(())
}

/// The first name in a directory that is none of those.
fn other_than(directory: &Path, is_known: &dyn Fn(&str) -> bool) -> Result<Option<String>, TraceError> {
    let told = |error: io::Error| TraceError::at(directory, error);
    let entries: io::Result<Vec<_>> = fs::read_dir(directory).map_err(told)?.collect();
    let mut names: Vec<String> = entries
        .map_err(told)?
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !is_known(name))
        .collect();
    names.sort_unstable();
    Ok(names.into_iter().next())
}
