//! One run of `heliostat analyze -o`, and the files that it leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::bench::child;
use crate::bench::pta::applications::Application;
use crate::bench::pta::heliostat::{self, Found, Heliostat};
use crate::bench::pta::row::End;

/// The context that the others are held against.
pub(super) const INSENS: &str = "insens";

/// Where the files of each program go, below the root.
const FOLDER: &str = ".cache/check/pta";

/// How much longer than its own limit a run may take to write what it has, as a factor and a sum.
const GRACE: (u32, Duration) = (2, Duration::from_secs(60));

/// Runs Heliostat within limits.
pub(super) struct Runner {
    heliostat: Heliostat,
    time_limit: Duration,
    memory_limit: Option<String>,
}

/// A run that has ended.
pub(super) struct Done {
    folder: PathBuf,
    pub(super) end: End,
    /// What its summary says; none if it wrote nothing.
    pub(super) found: Option<Found>,
}

impl Runner {
    /// The limits of time, in seconds, and of memory are those that Heliostat itself keeps.
    pub(super) fn new(root: &Path, binary: PathBuf, time_limit: u64, memory_limit: Option<String>) -> Self {
        let time_limit = Duration::from_secs(time_limit);
        let limit = time_limit.saturating_mul(GRACE.0).saturating_add(GRACE.1);
        Self { heliostat: Heliostat { root: root.to_owned(), binary, limit }, time_limit, memory_limit }
    }

    /// The repository.
    pub(super) fn root(&self) -> &Path {
        &self.heliostat.root
    }

    /// Analyses a program in a context with so many threads.
    pub(super) fn run(&self, application: &Application, context: &str, jobs: u32) -> Result<Done> {
        eprintln!("{}, {context}, --jobs {jobs} ...", application.subject.name);
        let folder = self.folder(application).join(format!("{context}-{jobs}"));
        let mut command = self.heliostat.command(application, context)?;
        command.arg("--output").arg(&folder).args(["--jobs", &jobs.to_string()]);
        command.arg("--time-limit").arg(format!("{}s", self.time_limit.as_secs()));
        if let Some(limit) = &self.memory_limit {
            command.args(["--memory-limit", limit]);
        }
        let ended = child::run(&mut command, &folder, Some(self.heliostat.limit))?;
        let mut done = Done { folder, end: End::of(&ended, self.heliostat.limit, "budget"), found: None };
        if done.has_files() {
            let summary = heliostat::parse(&done.read("summary.json")?).context("reading its summary")?;
            done.found = Some(summary.result);
        }
        Ok(done)
    }

    /// Removes what runs of a program have left.
    pub(super) fn clean(&self, application: &Application) -> Result<()> {
        let folder = self.folder(application);
        if folder.is_dir() {
            fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
        }
        Ok(())
    }

    fn folder(&self, application: &Application) -> PathBuf {
        self.root().join(FOLDER).join(&application.subject.name)
    }
}

impl Done {
    /// Whether it came so far as to write its files, all or some of the results in them.
    pub(super) fn has_files(&self) -> bool {
        self.folder.join("summary.json").is_file()
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A table or list without the remark at its end that a run leaves which was ended.
    pub(super) fn read(&self, file: &str) -> Result<String> {
        let path = self.folder.join(file);
        let mut text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        text.truncate(without_remark(&text).len());
        Ok(text)
    }
}

fn without_remark(text: &str) -> &str {
    let last = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
    if text[last..].starts_with("# incomplete") { &text[..last] } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_remark_at_the_end_goes() {
        assert_eq!(without_remark("a\nb\n# incomplete: ended\n"), "a\nb\n");
        assert_eq!(without_remark("# incomplete: ended\n"), "");
        for whole in ["", "a\n", "a\nb", "# incomplete\nb\n"] {
            assert_eq!(without_remark(whole), whole);
        }
    }
}
