//! What is wrong with an input, said so that its owner can find it.

use std::fmt;

use heliostat_classfile::Malformed;
use heliostat_index::IdMap;
use heliostat_input::{ArchiveId, Inputs};
use serde::Serialize;

/// Something wrong with an input. The rest of the input is used all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The archive, nested ones as `outer.jar!/inner.jar`.
    pub archive: String,
    /// The entry of the archive, if one is meant.
    pub entry: Option<String>,
    /// The method, if one is meant.
    pub method: Option<String>,
    /// Offset in the entry, or in the archive if no entry is named.
    pub offset: Option<u64>,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    pub(crate) fn of_class(archive: &str, entry: String, what: Malformed) -> Self {
        Self {
            archive: archive.to_owned(),
            entry: Some(entry),
            method: None,
            offset: Some(what.offset.into()),
            message: what.what.to_string(),
        }
    }
}

impl From<&heliostat_input::Problem> for Problem {
    fn from(problem: &heliostat_input::Problem) -> Self {
        Self {
            archive: problem.archive.clone(),
            entry: problem.entry.clone(),
            method: None,
            offset: problem.offset,
            message: problem.message.clone(),
        }
    }
}

/// Problems as they are found. A hostile archive has millions: past a limit per archive they are only counted.
pub(crate) struct ProblemList {
    problems: Vec<Problem>,
    found: IdMap<ArchiveId, u32>,
    listed: u32,
}

impl ProblemList {
    pub(crate) fn new(problems: Vec<Problem>, listed: u32) -> Self {
        Self { problems, found: IdMap::with_default(0), listed }
    }

    pub(crate) fn push(&mut self, archive: ArchiveId, problem: impl FnOnce() -> Problem) {
        self.found[archive] += 1;
        if self.found[archive] <= self.listed {
            self.problems.push(problem());
        }
    }

    /// All that are listed, and a line on the others.
    pub(crate) fn finish(mut self, inputs: &Inputs) -> Vec<Problem> {
        for (id, archive) in inputs.archives.iter() {
            if let Some(more) = self.found[id].checked_sub(self.listed).filter(|&more| more > 0) {
                self.problems.push(Problem {
                    archive: archive.name.clone(),
                    entry: None,
                    method: None,
                    offset: None,
                    message: format!("{more} more problems of classes"),
                });
            }
        }
        self.problems
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.archive)?;
        if let Some(entry) = self.entry.as_deref().filter(|e| !e.is_empty()) {
            write!(f, "!/{entry}")?;
        }
        if let Some(method) = &self.method {
            write!(f, " {method}")?;
        }
        write!(f, ": {}", self.message)?;
        match self.offset {
            Some(offset) => write!(f, " (offset {offset})"),
            None => Ok(()),
        }
    }
}
