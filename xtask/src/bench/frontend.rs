//! `cargo xtask bench frontend`: open, index, lower and verify every subject, and hold the result against the targets.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::machine::Machine;
use super::report::Report;
use super::sample::{Costs, Facts, Sample};
use super::subjects::{self, Subject};
use super::{clock, ensure_release, targets};

/// What to measure. A run that names nothing measures everything and is kept.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Programs to measure, and no others
    names: Vec<String>,
    /// The home of a JDK to measure, and no others; may be given again
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// How often to measure each JDK
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
}

/// A subject, and what its runs found.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    #[serde(flatten)]
    pub(super) subject: Subject,
    pub(super) typical: Costs,
    pub(super) runs: Vec<Costs>,
    pub(super) facts: Facts,
}

pub(super) fn run(root: &Path, options: &Options) -> Result<()> {
    ensure_release()?;
    // Before the first run, so that the commit is the one that was built.
    let machine = Machine::describe(root)?;
    let mut subjects = Vec::new();
    for subject in subjects::choose(root, &options.names, &options.jdk)? {
        let runs = if subject.is_jdk() { options.runs } else { 1 };
        subjects.push(measure(root, subject, runs)?);
    }
    let verdicts = targets::check(&subjects);
    let report = Report { date: clock::today()?, machine, subjects, verdicts };
    print!("{}", report.text());
    if options.names.is_empty() && options.jdk.is_empty() {
        report.save(root)?;
    }
    ensure!(report.verdicts.iter().all(|verdict| verdict.passed), "not all targets are met");
    Ok(())
}

fn measure(root: &Path, subject: Subject, runs: u16) -> Result<Measured> {
    eprintln!("{} ...", subject.name);
    let sample = |_| run_child(root, &subject).with_context(|| format!("measuring {}", subject.name));
    let samples = (0..runs).map(sample).collect::<Result<Vec<Sample>>>()?;
    let runs: Vec<Costs> = samples.iter().map(|sample| sample.costs).collect();
    let mut facts = samples.into_iter().map(|sample| sample.facts);
    let first = facts.next().context("no runs")?;
    ensure!(facts.all(|other| other == first), "{}: two runs gave different results", subject.name);
    Ok(Measured { subject, typical: Costs::typical(&runs), runs, facts: first })
}

/// This program again, as `bench-one`.
fn run_child(root: &Path, subject: &Subject) -> Result<Sample> {
    let mut command = Command::new(env::current_exe()?);
    command.current_dir(root).arg("bench-one").arg("--jdk").arg(&subject.jdk_home).arg("--");
    let output = command.args(&subject.inputs).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "its process ended with {}", output.status);
    Ok(serde_json::from_slice(&output.stdout)?)
}
