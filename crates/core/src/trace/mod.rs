//! Traces of real runs: where their files are, and what they say.
//!
//! The directory of a trace has a directory `raw` with what the traced processes write themselves, a log, a table of calls and
//! the classes that it may have made each, and the file `run`, which says what was run and how it ended. That is all that [`open`] reads, so that a run can be looked at however it
//! ended. What else is in the directory is made from it, for people and for other tools.

mod directory;
mod origins;
mod recording;

use std::path::Path;
use std::{fmt, fs, io};

pub use directory::compact;
pub use heliostat_trace::*;
pub use recording::Recording;

use directory::{Raw, is_running, load};

/// A run that was traced.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    /// What was run: the program and its arguments.
    pub command: Vec<String>,
    /// How it ended; none if it has not, or if nobody was there any more to see it.
    pub exit: Option<Exit>,
    /// Names of processes that still run, so that more is to come from them.
    pub running: Vec<String>,
    /// What its processes did.
    pub trace: Trace,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
}

/// Why there is no trace.
#[derive(Debug)]
pub struct TraceError(String);

impl TraceError {
    fn at(path: &Path, why: impl fmt::Display) -> Self {
        Self(format!("{}: {why}", path.display()))
    }

    fn unwritable(directory: &Path, error: &io::Error) -> Self {
        Self(format!("cannot write to {}: {error}", directory.display()))
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TraceError {}

/// Whether a directory holds a trace.
pub fn is_trace(directory: &Path) -> bool {
    Raw::of(directory).has_run()
}

/// Reads the trace in a directory. Fails if there is none; what is damaged or cut off is told by each process.
pub fn open(directory: &Path) -> Result<Recorded, TraceError> {
    let raw = Raw::of(directory);
    let mut recorded = raw.run()?;
    let mut reader = Reader::default();
    for name in raw.processes()? {
        let (log, table) = (load(&raw.log(&name))?, load(&raw.table(&name))?);
        let classes = load(&raw.classes(&name))?;
        reader.add(ProcessFiles { name: &name, log: &log, table: &table, classes: &classes });
        if is_running(&name) {
            recorded.running.push(name);
        }
    }
    recorded.trace = reader.finish();
    Ok(recorded)
}

/// Reads a file that says what was done by reflection, as `TamiFlex` writes it.
pub fn open_reflection_log(file: &Path) -> Result<tamiflex::Log, TraceError> {
    if file.is_dir() {
        return Err(TraceError::at(file, is_directory(file)));
    }
    Ok(tamiflex::parse(&text(file)?))
}

/// Reads a file of annotations, in which users say what reflective calls do.
pub fn open_annotations(file: &Path) -> Result<annotations::Annotations, TraceError> {
    Ok(annotations::parse(&text(file)?))
}

fn text(file: &Path) -> Result<String, TraceError> {
    let bytes = fs::read(file).map_err(|error| TraceError::at(file, error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What to say of a directory that was given as a log: that of a trace has one.
fn is_directory(directory: &Path) -> String {
    let log = directory.join("reflection.log");
    if log.is_file() {
        format!("it is a directory; did you mean {}?", log.display())
    } else {
        "it is a directory, not a log".to_owned()
    }
}
