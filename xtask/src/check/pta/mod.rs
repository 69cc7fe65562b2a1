//! `cargo xtask check pta`: on every program, what a context-sensitive analysis finds is within what the one without
//! contexts finds, that is within what class-hierarchy analysis gives, and one and two threads write the same bytes.

mod bytes;
mod called;
mod edges;
mod hierarchy;
mod modelled;
mod program;
mod report;
mod row;
mod runs;
mod subset;
mod within;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use heliostat_core::JdkChoice;
use heliostat_core::analysis::parse_context;

use self::program::Checker;
use self::report::Report;
use self::runs::{INSENS, Runner};
use crate::bench::clock;
use crate::bench::machine::Machine;
use crate::bench::pta::applications::{self, Libraries};
use crate::bench::pta::heliostat;
use crate::bench::subjects::find_jdk;

/// What to check. A run that names no program checks all and is kept.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A program to check, and no others; may be given again
    #[arg(long = "program", value_name = "NAME")]
    programs: Vec<String>,
    /// Contexts to hold against insens, with commas between
    #[arg(long = "context", value_name = "CONTEXT", value_delimiter = ',', default_value = "1call,2type")]
    contexts: Vec<String>,
    /// After how long one run of Heliostat ends with what it has
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    time_limit: u64,
    /// Beyond how much memory one run of Heliostat ends with what it has, as in 8g
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<String>,
    /// The JDK to analyse
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// Check this build of Heliostat and not one of this tree; nothing is kept
    #[arg(long, value_name = "PATH", conflicts_with = "keep")]
    binary: Option<PathBuf>,
    /// Keep the results though not every program is checked: they are added to those of the day
    #[arg(long)]
    keep: bool,
}

pub(super) fn run(root: &Path, options: &Options) -> Result<()> {
    let machine = Machine::describe(root)?;
    let choice = options.jdk.clone().map_or(JdkChoice::Auto, JdkChoice::Home);
    let jdk = find_jdk(choice)?.context("no JDK found")?;
    let applications = applications::choose(root, &options.programs, Libraries::Included, &jdk)?;
    let binary = options.binary.clone().map_or_else(|| heliostat::build(root), Ok)?;
    let checker = Checker {
        runner: Runner::new(root, binary, options.time_limit, options.memory_limit.clone()),
        contexts: contexts(&options.contexts)?,
        modelled: modelled::read(root)?,
        commit: machine.commit.clone(),
    };
    let keep = options.keep || (options.programs.is_empty() && options.binary.is_none());
    let mut report = Report { date: clock::today()?, machine, rows: Vec::new() };
    for application in &applications {
        let row = checker.check(application)?;
        eprint!("{}", row.told());
        report.rows.push(row);
        // After each, since all of them take hours.
        if keep {
            report.keep(root)?;
        }
    }
    print!("{}", report.text());
    let failed = report.rows.iter().filter(|row| !row.failures.is_empty()).count();
    ensure!(failed == 0, "{failed} of {} programs fail", report.rows.len());
    Ok(())
}

/// Those to hold against `insens`, which is run anyway.
fn contexts(asked: &[String]) -> Result<Vec<String>> {
    for context in asked {
        parse_context(context).map_err(|why| anyhow!("{context}: {why}"))?;
    }
    Ok(asked.iter().filter(|context| *context != INSENS).cloned().collect())
}
