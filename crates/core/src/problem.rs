//! What is wrong with an input, said so that its owner can find it.

use std::fmt;

use heliostat_classfile::Malformed;
use heliostat_index::IdMap;
use heliostat_input::{ArchiveId, Inputs};
use serde::Serialize;

/// Something wrong with an input. The rest of the input is used all the same. What the reader of archives finds,
/// and in classes the method besides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The archive, nested ones as `outer.jar!/inner.jar`.
    pub archive: String,
    /// The entry of the archive, if one is meant.
    pub entry: Option<String>,
    /// The method, if one is meant.
    pub method: Option<String>,
    /// Where it is: for what is wrong with a class in the class file, else in the archive.
    pub offset: Option<u64>,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    pub(crate) fn of_class(archive: &str, entry: String, what: Malformed) -> Self {
        let message = what.what.to_string();
        Self { offset: Some(what.offset.into()), ..Self::new(archive, entry, message) }
    }

    pub(crate) fn new(archive: &str, entry: String, message: String) -> Self {
        Self { archive: archive.to_owned(), entry: Some(entry), method: None, offset: None, message }
    }
}

impl From<heliostat_input::Problem> for Problem {
    fn from(problem: heliostat_input::Problem) -> Self {
        let heliostat_input::Problem { archive, entry, offset, message } = problem;
        Self { archive, entry, method: None, offset, message }
    }
}

/// As the reader of archives writes its own.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.archive)?;
        if let Some(entry) = self.entry.as_deref().filter(|entry| !entry.is_empty()) {
            write!(f, "!/{}", entry.trim_start_matches('/'))?;
        }
        if let Some(method) = &self.method {
            write!(f, " {method}")?;
        }
        if let Some(offset) = self.offset {
            write!(f, " at offset {offset}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Problems as they are found. A hostile archive has millions: past [`Limits::listed`](crate::Limits::listed) per
/// archive they are only counted.
#[derive(Debug, Clone)]
pub struct Problems {
    listed: Vec<Problem>,
    found: IdMap<ArchiveId, u64>,
    total: u64,
    limit: u64,
}

impl Problems {
    /// Those that the reader of archives found.
    pub(crate) fn of_inputs(inputs: &Inputs, limit: u32) -> Self {
        let mut found = IdMap::with_default(0);
        let (mut cut, mut in_archives, mut listed_of_archives) = (0, 0, 0);
        for (id, archive) in inputs.archives.iter() {
            let problems = archive.counts.problems;
            found[id] = u64::from(problems);
            in_archives += u64::from(problems);
            listed_of_archives += u64::from(problems.min(limit));
            cut += usize::from(problems > limit);
        }
        let mut listed: Vec<_> = inputs.problems.iter().cloned().map(Problem::from).collect();
        // For each archive that has more than it lists, a line at the end says so; here the count does.
        listed.truncate(listed.len().saturating_sub(cut));
        // The search for a JDK has problems that no archive has.
        let general = (listed.len() as u64).saturating_sub(listed_of_archives);
        Self { listed, found, total: in_archives + general, limit: limit.into() }
    }

    /// All that are listed, in the order of their finding.
    pub fn listed(&self) -> &[Problem] {
        &self.listed
    }

    /// How many there are, listed or not.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many an archive has, listed or not.
    pub fn of_archive(&self, archive: ArchiveId) -> u64 {
        self.found[archive]
    }

    pub(crate) fn push(&mut self, archive: ArchiveId, problem: impl FnOnce() -> Problem) {
        self.total += 1;
        self.found[archive] += 1;
        if self.found[archive] <= self.limit {
            self.listed.push(problem());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Problem;

    #[test]
    fn both_kinds_of_problem_are_written_alike() {
        for (entry, offset) in [(None, None), (Some("/java.base/A.class"), Some(7)), (Some("A.class"), None)]
        {
            let problem = heliostat_input::Problem {
                archive: "a.jar".to_owned(),
                entry: entry.map(str::to_owned),
                offset,
                message: "bad".to_owned(),
            };
            assert_eq!(Problem::from(problem.clone()).to_string(), problem.to_string());
        }
    }
}
