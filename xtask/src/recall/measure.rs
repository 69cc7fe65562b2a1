//! One program in one setting: analysed, and compared with its trace.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::Setting;
use super::row::{Comparison, Row};
use crate::bench::child::{self, Ended};
use crate::corpus::{self, Subject};

/// Where runs and traces lie while they are compared, below the root.
const FOLDER: &str = ".cache/recall";

/// How long one analysis may take.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// How many causes are kept for each row.
const CAUSES: usize = 10;

pub(super) struct Recaller {
    pub(super) root: PathBuf,
    pub(super) binary: PathBuf,
}

/// What is read of `summary.json`.
#[derive(Deserialize)]
struct Summary {
    result: Found,
    peak_rss_bytes: u64,
}

#[derive(Deserialize)]
struct Found {
    call_edges: u64,
}

impl Recaller {
    pub(super) fn measure(&self, subject: &Subject, setting: Setting, commit: &str) -> Result<Row> {
        let folder = self.root.join(FOLDER).join(&subject.name);
        let (trace, run) = (folder.join("trace"), folder.join(setting.to_string()));
        for old in [&trace, &run] {
            if old.exists() {
                fs::remove_dir_all(old)?;
            }
        }
        corpus::unpack(&self.root, &subject.name, &trace)?;
        let analysed = self.analyze(subject, setting, &trace, &run)?;
        let found = self.compare(&run, &trace)?;
        found.check().with_context(|| format!("comparing {}", subject.name))?;
        let summary = fs::read_to_string(run.join("summary.json"))?;
        let summary: Summary = serde_json::from_str(&summary).context("reading summary.json")?;
        fs::remove_dir_all(&trace)?;
        Ok(Row {
            program: subject.name.clone(),
            setting: setting.to_string(),
            commit: commit.to_owned(),
            app_to_app: found.edges("app_to_app"),
            app_to_library: found.edges("app_to_library"),
            library_to_app: found.edges("library_to_app"),
            library: found.edges("library"),
            filtered: found.filtered(),
            app_methods: found.app_methods,
            reflection: found.reflection(),
            static_edges: summary.result.call_edges,
            cpu_s: analysed.cpu.as_secs_f64(),
            peak_bytes: analysed.peak_bytes.max(summary.peak_rss_bytes),
            causes: found.causes(CAUSES),
        })
    }

    fn analyze(&self, subject: &Subject, setting: Setting, trace: &Path, run: &Path) -> Result<Ended> {
        let mut command = self.command(&["analyze", "--quiet", "--reflection", "none"]);
        command.args(&subject.inputs).args(["--main", &subject.main]);
        command.arg("--jdk").arg(&subject.jdk_home).arg("--output").arg(run);
        if setting == Setting::Log {
            command.arg("--reflection-log").arg(trace.join("reflection.log"));
            let generated = trace.join("generated.jar");
            if generated.exists() {
                command.arg("--cp").arg(generated);
            }
        }
        let ended = child::run(&mut command, run, Some(LIMIT))?;
        ensure!(ended.status.success(), "analyze: {}: {}", ended.status, ended.stderr.trim());
        Ok(ended)
    }

    fn compare(&self, run: &Path, trace: &Path) -> Result<Comparison> {
        let file: OsString = run.join("comparison.json").into();
        let mut command = self.command(&["compare", "--quiet"]);
        command.arg(run).arg(trace).arg("--output").arg(&file);
        let ended = child::run(&mut command, &run.with_extension("comparison"), Some(LIMIT))?;
        ensure!(ended.status.success(), "compare: {}: {}", ended.status, ended.stderr.trim());
        Comparison::parse(&fs::read_to_string(&file)?).context("reading the comparison")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.current_dir(&self.root).args(arguments);
        command
    }
}
