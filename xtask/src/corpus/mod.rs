//! `cargo xtask corpus`: real runs of the programs of `bench/programs.toml` that have a workload, recorded by
//! `heliostat trace`. The traces are kept compressed in the cache, and made again only when something they depend on
//! has changed.

mod key;
mod requests;
mod run;
mod subject;
mod traces;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use heliostat_core::{Jdk, JdkChoice};

pub(crate) use self::subject::Subject;
use crate::bench::pta::heliostat;
use crate::bench::subjects::find_jdk;
use crate::fetch;
use crate::programs::{Manifest, Shelf};

/// Which runs to record.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A program to run, and no others; may be given again
    #[arg(long = "program", value_name = "NAME")]
    programs: Vec<String>,
    /// Record again what is recorded already
    #[arg(long)]
    again: bool,
    /// The JDK to run them on
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    let jdk = jdk(options.jdk.clone())?;
    let binary = heliostat::build(root)?;
    for subject in subjects(root, &options.programs, &jdk)? {
        let started = Instant::now();
        let made = ensure_trace(root, &subject, &binary, options.again)?;
        let kept = traces::size(root, &subject.name)?;
        let how =
            if made { format!("{:.0} s", started.elapsed().as_secs_f64()) } else { "cached".to_owned() };
        println!("{}: {how}, {} KiB", subject.name, kept >> 10);
    }
    Ok(())
}

pub(crate) fn jdk(home: Option<PathBuf>) -> Result<Jdk> {
    find_jdk(home.map_or(JdkChoice::Auto, JdkChoice::Home))?.context("no JDK found")
}

/// The programs named, or all that have a workload: fetched, and their drivers compiled.
pub(crate) fn subjects(root: &Path, names: &[String], jdk: &Jdk) -> Result<Vec<Subject>> {
    let manifest = Manifest::load(root, Shelf::Programs)?;
    let named = manifest.select(names, false)?;
    let mut subjects = Vec::new();
    for program in named {
        ensure!(names.is_empty() || program.workload.is_some(), "{} has no workload", program.name);
        if let Some(workload) = &program.workload {
            fetch::run(root, &fetch::Options::for_program(&program.name))?;
            subjects.push(Subject::new(root, program, workload, jdk)?);
        }
    }
    Ok(subjects)
}

/// Records a run unless there is a trace of the same; whether it was recorded now.
pub(crate) fn ensure_trace(root: &Path, subject: &Subject, binary: &Path, again: bool) -> Result<bool> {
    let key = key::of(root, subject)?;
    if !again && traces::has(root, &subject.name, &key) {
        return Ok(false);
    }
    eprintln!("{}: running ...", subject.name);
    let trace = run::record(root, subject, binary).with_context(|| format!("running {}", subject.name))?;
    traces::keep(root, &subject.name, &trace, &key)?;
    Ok(true)
}

/// Unpacks the trace of a program into a folder.
pub(crate) fn unpack(root: &Path, program: &str, to: &Path) -> Result<()> {
    traces::unpack(root, program, to)
}
