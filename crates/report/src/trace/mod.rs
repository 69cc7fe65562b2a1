//! What a traced run did, as files.

mod calls;
mod classes;
mod generated;
mod reflection;
mod summary;

use std::io::{self, Write};

use heliostat_core::trace::{Recorded, tamiflex};

/// A file that is made from a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceFile {
    /// The call graph.
    Calls,
    /// The classes that were loaded.
    Classes,
    /// What was done by reflection, for other tools.
    ReflectionLog,
    /// The same, and more, as JSON.
    Reflection,
    /// What was run, by which JVMs, and what is not known of it.
    Summary,
    /// The classes that the program made while it ran, as a jar.
    Generated,
}

impl TraceFile {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Calls, Self::Classes, Self::ReflectionLog, Self::Reflection, Self::Summary, Self::Generated];

    /// The files of a trace: a program that makes no classes has no jar of them.
    pub fn of(recorded: &Recorded) -> impl Iterator<Item = Self> {
        let has_made = !recorded.trace.made.is_empty();
        Self::ALL.into_iter().filter(move |&file| has_made || file != Self::Generated)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls.tsv",
            Self::Classes => "classes.tsv",
            Self::ReflectionLog => "reflection.log",
            Self::Reflection => "reflection.json",
            Self::Summary => "trace.json",
            Self::Generated => "generated.jar",
        }
    }

    /// Writes it.
    pub fn write(self, recorded: &Recorded, out: &mut impl Write) -> io::Result<()> {
        let trace = &recorded.trace;
        match self {
            Self::Calls => calls::write(trace, out),
            Self::Classes => classes::write(trace, out),
            Self::ReflectionLog => out.write_all(tamiflex::write(trace).as_bytes()),
            Self::Reflection => reflection::write(trace, out),
            Self::Summary => summary::write(recorded, out),
            Self::Generated => generated::write(&trace.made, out),
        }
    }
}
