//! The files that a run writes itself.

use std::path::{Path, PathBuf};
use std::{fs, io};

use heliostat_trace::raw::{self, Record};

use super::origins::Origins;
use super::{Exit, Recorded, TraceError};

/// What a run writes, below the directory of its trace.
pub(super) struct Raw(PathBuf);

pub(super) const RAW: &str = "raw";
/// Says what was run. Its records are like those of the logs.
pub(super) const RUN: &str = "run";
const ARGUMENT: &str = "argument";
const CODE: &str = "exit code";
const SIGNAL: &str = "signal";

impl Raw {
    pub(super) fn of(directory: &Path) -> Self {
        Self(directory.join(RAW))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn log(&self, process: &str) -> PathBuf {
        self.0.join(format!("{process}.log"))
    }

    pub(super) fn table(&self, process: &str) -> PathBuf {
        self.0.join(format!("{process}.table"))
    }

    pub(super) fn classes(&self, process: &str) -> PathBuf {
        self.0.join(format!("{process}.classes"))
    }

    /// The names of all processes, in the order in which they started.
    pub(super) fn processes(&self) -> Result<Vec<String>, TraceError> {
        let told = |error| TraceError::at(&self.0, error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(told)? {
            let name = entry.map_err(told)?.file_name();
            names.extend(name.to_str().and_then(|name| name.strip_suffix(".log")).map(str::to_owned));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Whether any process has written.
    pub(super) fn has_processes(&self) -> bool {
        self.processes().is_ok_and(|processes| !processes.is_empty())
    }

    /// Whether it says what was run.
    pub(super) fn has_run(&self) -> bool {
        self.0.join(RUN).exists()
    }

    /// What was run, and how that ended.
    pub(super) fn run(&self) -> Result<Recorded, TraceError> {
        let path = self.0.join(RUN);
        let bytes = match fs::read(&path) {
            // Then it is not known what was to run, but what ran.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.has_processes() => Vec::new(),
            Err(error) if is_nowhere(&error) => {
                let directory = self.0.parent().unwrap_or(&self.0);
                return Err(TraceError::at(
                    directory,
                    "there is no trace here; `heliostat trace -o DIR` writes one",
                ));
            }
            read => read.map_err(|error| TraceError::at(&path, error))?,
        };
        let mut recorded = Recorded::default();
        for record in raw::Records::new(&bytes) {
            let Record::Property(name, value) = record else { continue };
            match (name.as_str(), value.parse()) {
                (ARGUMENT, _) => recorded.command.push(value),
                (CODE, Ok(code)) => recorded.exit = Some(Exit::Code(code)),
                (SIGNAL, Ok(signal)) => recorded.exit = Some(Exit::Signal(signal)),
                _ => {}
            }
        }
        Ok(recorded)
    }

    /// Writes down what is run.
    pub(super) fn write_command(&self, command: &[String]) -> io::Result<()> {
        let records = command.iter().flat_map(|argument| property(ARGUMENT, argument));
        fs::write(self.0.join(RUN), records.collect::<Vec<u8>>())
    }

    /// Adds how it ended.
    pub(super) fn write_exit(&self, exit: Exit) -> io::Result<()> {
        let record = match exit {
            Exit::Code(code) => property(CODE, &code.to_string()),
            Exit::Signal(signal) => property(SIGNAL, &signal.to_string()),
        };
        let mut file = fs::OpenOptions::new().append(true).open(self.0.join(RUN))?;
        io::Write::write_all(&mut file, &record)
    }
}

/// Whether a file is not there, or a file is where a directory should be.
fn is_nowhere(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether a process still has its table mapped. Where the system does not say, it has not.
pub(super) fn is_running(process: &str) -> bool {
    let Some((_, pid)) = process.rsplit_once('-') else { return false };
    let maps = fs::read(Path::new("/proc").join(pid).join("maps")).unwrap_or_default();
    String::from_utf8_lossy(&maps).contains(&format!("{process}.table"))
}

fn property(name: &str, value: &str) -> Vec<u8> {
    raw::write(&Record::Property(name.to_owned(), value.to_owned()))
}

/// The bytes of a file; none if it is not there.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, TraceError> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other.map_err(|error| TraceError::at(path, error)),
    }
}

/// Makes the files of a trace small: a running program needs whole tables, and does not know which of its classes a file has. Those of
/// processes that still run stay as they are.
pub fn compact(directory: &Path) -> Result<(), TraceError> {
    let raw = Raw::of(directory);
    raw.run()?;
    let mut origins = Origins::default();
    for process in raw.processes()? {
        if is_running(&process) {
            continue;
        }
        let (table, classes) = (raw.table(&process), raw.classes(&process));
        replace(&table, raw::compacted(&load(&table)?))?;
        replace(&classes, heliostat_trace::settled(&load(&classes)?, |class| origins.has(class)))?;
    }
    Ok(())
}

/// Puts something else into a file, all of it or nothing.
fn replace(path: &Path, bytes: Option<Vec<u8>>) -> Result<(), TraceError> {
    let Some(bytes) = bytes else { return Ok(()) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.part"));
    let replaced = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    replaced.map_err(|error| TraceError::at(path, error))
}
