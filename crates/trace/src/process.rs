//! One process of a trace, and what is not known of it.

use std::collections::BTreeMap;

use crate::Method;

/// The files of a process.
#[derive(Debug, Clone, Copy)]
pub struct ProcessFiles<'a> {
    /// What all are named, without their endings: the time of the start, and the number of the process.
    pub name: &'a str,
    /// The log.
    pub log: &'a [u8],
    /// The table of calls; empty if there is none.
    pub table: &'a [u8],
    /// The bytes of classes that it has made; empty if there are none.
    pub classes: &'a [u8],
}

/// A traced process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Process {
    /// The name of its files.
    pub name: String,
    /// The number that the system gave it.
    pub pid: Option<u32>,
    /// What it said of itself: `java.vm.version`, `java.home` and the like.
    pub properties: BTreeMap<String, String>,
    /// How many classes it has loaded.
    pub classes: usize,
    /// How many different calls it has made, those by reflection included.
    pub call_edges: usize,
    /// How many calls in all.
    pub calls: u64,
    /// How many reflective actions are noted, each once per site.
    pub actions: usize,
    /// What is not known of it.
    pub lost: Lost,
    /// Methods with code that are not traced, as they would be too long.
    pub untraced: Vec<Method>,
    /// Methods that are traced as a whole: it is not known from where in them they call.
    pub coarse: Vec<Method>,
    /// Names of classes of which nothing could be made.
    pub unreadable: Vec<String>,
}

/// What is not known of a process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// How many calls found no room in the table.
    pub calls: u64,
    /// How many edges have a number that the log does not explain, since its end is missing.
    pub unexplained: usize,
    /// How many bytes at the end of the log make no sense.
    pub log_bytes: usize,
    /// The state of the table.
    pub table: Table,
}

/// The state of the table of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Table {
    /// All of it is there.
    #[default]
    Whole,
    /// Its end is missing.
    CutOff,
    /// There is none, or something else under its name.
    Missing,
}

impl Lost {
    /// Whether everything is known.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The number of a process, by the name of its files.
pub(crate) fn pid_of(name: &str) -> Option<u32> {
    name.rsplit_once('-')?.1.parse().ok()
}
