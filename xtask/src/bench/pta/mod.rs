//! `cargo xtask bench pta`: what the points-to analysis costs and finds on programs with a main class, beside what a
//! peer costs and finds on the same program with the same JDK.

pub(crate) mod applications;
mod compare;
pub(crate) mod drivers;
pub(crate) mod heliostat;
mod report;
pub(crate) mod row;
mod tai_e;
mod targets;
mod unpack;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use heliostat_core::JdkChoice;

use self::applications::{Application, Libraries};
use self::heliostat::Heliostat;
use self::report::Report;
use self::row::Row;
use self::tai_e::TaiE;
use super::clock;
use super::machine::Machine;
use super::subjects::find_jdk;

/// Where runs leave what they print, below the root.
const LOGS: &str = ".cache/bench/pta";

/// What to measure. A run that names nothing measures every program without contexts and is kept.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A program to measure, and no others; may be given again
    #[arg(long = "program", value_name = "NAME")]
    programs: Vec<String>,
    /// Contexts, with commas between: insens, 1call, 2type, 2obj, ...
    #[arg(long = "context", value_name = "CONTEXT", value_delimiter = ',', default_value = "insens")]
    contexts: Vec<String>,
    /// Measure this analyser too
    #[arg(long, value_enum)]
    peer: Option<Peer>,
    /// How long one run of Heliostat may take
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    time_limit: u64,
    /// How long one run of the peer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    peer_time_limit: u64,
    /// The largest heap of the peer
    #[arg(long, value_name = "GIB", default_value_t = 18)]
    peer_heap: u64,
    /// The JDK to analyse, and to run the peer on
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// Measure this build of Heliostat and not one of this tree; nothing is kept
    #[arg(long, value_name = "PATH", conflicts_with = "keep")]
    binary: Option<PathBuf>,
    /// Keep the results though not everything is measured: they are added to those of the day
    #[arg(long)]
    keep: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Peer {
    TaiE,
}

pub(super) fn run(root: &Path, options: &Options) -> Result<()> {
    let machine = Machine::describe(root)?;
    let choice = options.jdk.clone().map_or(JdkChoice::Auto, JdkChoice::Home);
    let jdk = find_jdk(choice)?.context("no JDK found")?;
    let applications = applications::choose(root, &options.programs, Libraries::LeftOut, &jdk)?;
    let heliostat = Heliostat {
        root: root.to_owned(),
        binary: options.binary.clone().map_or_else(|| heliostat::build(root), Ok)?,
        limit: Duration::from_secs(options.time_limit),
    };
    let limit = Duration::from_secs(options.peer_time_limit);
    let peer = match options.peer {
        Some(Peer::TaiE) => Some(TaiE::fetch(root, limit, options.peer_heap)?),
        None => None,
    };
    if peer.is_some() {
        // Before hours are spent on the first of them.
        options.contexts.iter().try_for_each(|context| tai_e::selector(context).map(drop))?;
    }
    let mut rows = Vec::new();
    for application in &applications {
        for context in &options.contexts {
            rows.push(measure(application, context, &heliostat, peer.as_ref(), &machine.commit)?);
        }
    }
    let mut report = Report { date: clock::today()?, machine, rows };
    let verdicts = targets::check(&report.rows);
    print!("{}", report.text());
    if options.keep || (options.programs.is_empty() && options.binary.is_none()) {
        report.keep(root)?;
    }
    ensure!(verdicts.iter().all(|verdict| verdict.passed), "not all targets are met");
    Ok(())
}

fn measure(
    application: &Application,
    context: &str,
    heliostat: &Heliostat,
    peer: Option<&TaiE>,
    commit: &str,
) -> Result<Row> {
    let name = &application.subject.name;
    eprintln!("{name}, {context} ...");
    let ours = heliostat.run(application, context)?;
    let theirs = peer.map(|peer| peer.run(application, context)).transpose()?;
    Ok(Row {
        program: name.clone(),
        context: context.to_owned(),
        jdk: application.subject.jdk.clone(),
        commit: commit.to_owned(),
        heliostat: ours,
        peer: theirs,
        peer_name: peer.map(|peer| peer.name.clone()),
    })
}
