//! Heliostat's side: `heliostat analyze`, built from this tree, and the `summary.json` that it prints.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::LOGS;
use super::applications::Application;
use super::row::{Counts, End, Run};
use crate::bench::{child, ensure_release};

/// Kinds of call edges that peers do not count.
const OWN_KINDS: &[&str] = &["clinit", "implicit"];

pub(crate) struct Heliostat {
    pub(crate) root: PathBuf,
    pub(crate) binary: PathBuf,
    /// After which time a run is killed.
    pub(crate) limit: Duration,
}

/// What is read of `summary.json`.
#[derive(Deserialize)]
pub(crate) struct Summary {
    pub(crate) result: Found,
    peak_rss_bytes: u64,
}

#[derive(Deserialize)]
pub(crate) struct Found {
    complete: bool,
    reachable_methods: u64,
    call_edges_by_kind: BTreeMap<String, u64>,
    pub(crate) poly_calls: u64,
    pub(crate) may_fail_casts: u64,
    var_points_to: u64,
}

/// The release build of this tree; it lies beside this very program.
pub(crate) fn build(root: &Path) -> Result<PathBuf> {
    ensure_release()?;
    let build = ["build", "--quiet", "--release", "--package", "heliostat"];
    let status = Command::new(env!("CARGO")).current_dir(root).args(build).status()?;
    ensure!(status.success(), "heliostat does not build");
    let binary = env::current_exe()?.with_file_name("heliostat");
    ensure!(binary.is_file(), "heliostat was built, but not beside xtask: use `cargo xtask`");
    Ok(binary)
}

/// A run that takes less CPU time than this is short.
const SHORT_S: f64 = 5.0;

/// How often a short run is measured: alone it says little where others use the machine, too.
const SHORT_RUNS: usize = 5;

impl Heliostat {
    /// Runs it once; if that was short, some more times, and the run in the middle counts.
    pub(super) fn run(&self, application: &Application, context: &str) -> Result<Run> {
        let mut runs = vec![self.run_once(application, context)?];
        while runs.len() < SHORT_RUNS && runs.iter().all(|run| run.is_complete() && run.cpu_s < SHORT_S) {
            runs.push(self.run_once(application, context)?);
        }
        runs.sort_by(|a, b| a.cpu_s.total_cmp(&b.cpu_s));
        Ok(runs.swap_remove(runs.len() / 2))
    }

    fn run_once(&self, application: &Application, context: &str) -> Result<Run> {
        let mut command = self.command(application, context)?;
        command.args(["--format", "json"]);
        let log = self.root.join(LOGS).join(format!("{}-{context}-heliostat", application.subject.name));
        let ended = child::run(&mut command, &log, Some(self.limit))?;
        let end = End::of(&ended, self.limit, "budget");
        let summary = match end {
            End::Complete => Some(parse(&ended.stdout).context("reading its summary")?),
            _ => parse(&ended.stdout).ok(),
        };
        let mut run = Run::new(&ended, end, None);
        if let Some(summary) = summary {
            ensure!(summary.result.complete || !run.is_complete(), "exit code 0 of an incomplete analysis");
            run.peak_bytes = run.peak_bytes.max(summary.peak_rss_bytes);
            run.counts = Some(summary.result.counts());
        }
        Ok(run)
    }

    /// `heliostat analyze` of a program in a context.
    pub(crate) fn command(&self, application: &Application, context: &str) -> Result<Command> {
        let (input, libraries) = application.inputs()?;
        let mut command = Command::new(&self.binary);
        command.current_dir(&self.root).args(["analyze", "--quiet"]).arg(input);
        command.args(["--context", context, "--reflection", "none"]);
        match &application.main {
            Some(main) => command.args(["--main", main]),
            None => command.args(["--entry", "public"]),
        };
        command.arg("--jdk").arg(&application.subject.jdk_home);
        for library in libraries {
            command.arg("--cp").arg(library);
        }
        Ok(command)
    }
}

pub(crate) fn parse(json: &str) -> Result<Summary> {
    Ok(serde_json::from_str(json)?)
}

impl Found {
    fn counts(&self) -> Counts {
        let shared = self.call_edges_by_kind.iter().filter(|(kind, _)| !OWN_KINDS.contains(&kind.as_str()));
        Counts {
            reachable_methods: self.reachable_methods,
            call_edges: shared.map(|(_, count)| count).sum(),
            poly_calls: self.poly_calls,
            may_fail_casts: self.may_fail_casts,
            var_points_to: self.var_points_to,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_read_and_edges_that_peers_lack_are_left_out() {
        let json = r#"{"schema":1, "version":"0.1.0", "settings":{}, "input":{"classes":1},
            "result":{"complete":true, "reachable_methods":10, "call_edges":31, "virtual_call_sites":9,
              "call_edges_by_kind":{"static":1,"special":2,"virtual":3,"interface":4,"dynamic":5,
                "clinit":6,"native":7,"implicit":2,"reflective":1},
              "poly_calls":3, "may_fail_casts":4, "var_points_to":500, "var_points_to_ci":400},
            "time":{"total_s":0.5}, "peak_rss_bytes":77, "problems":0}"#;
        let summary = parse(json).unwrap();
        let expected = Counts {
            reachable_methods: 10,
            call_edges: 23,
            poly_calls: 3,
            may_fail_casts: 4,
            var_points_to: 500,
        };
        assert_eq!((summary.result.counts(), summary.peak_rss_bytes), (expected, 77));
        assert!(parse("").is_err() && parse("{}").is_err());
    }
}
