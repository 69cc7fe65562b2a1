//! `cargo xtask recall`: what the analysis misses of what real runs did, program by program, setting by setting.

mod measure;
mod report;
mod row;

use std::path::{Path, PathBuf};

use anyhow::Result;

use self::measure::Recaller;
use self::report::Report;
use crate::bench::clock;
use crate::bench::machine::Machine;
use crate::bench::pta::heliostat;
use crate::corpus;

/// What to measure. A run that names no program measures all and is kept.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A program to measure, and no others; may be given again
    #[arg(long = "program", value_name = "NAME")]
    programs: Vec<String>,
    /// How reflection is treated, with commas between
    #[arg(long = "setting", value_enum, value_delimiter = ',', default_values_t = Setting::ALL)]
    settings: Vec<Setting>,
    /// The JDK to run the programs on, and to analyse
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// Keep the results though not every program is measured: they are added to those of the day
    #[arg(long)]
    keep: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Setting {
    /// No reflection
    None,
    /// The reflective targets of the run itself, given as a log
    Log,
}

impl Setting {
    const ALL: [Self; 2] = [Self::None, Self::Log];
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Log => "log",
        })
    }
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    let machine = Machine::describe(root)?;
    let jdk = corpus::jdk(options.jdk.clone())?;
    let recaller = Recaller { root: root.to_owned(), binary: heliostat::build(root)? };
    let keep = options.keep || options.programs.is_empty();
    let mut report = Report { date: clock::today()?, machine, rows: Vec::new() };
    for subject in corpus::subjects(root, &options.programs, &jdk)? {
        corpus::ensure_trace(root, &subject, &recaller.binary, false)?;
        for &setting in &options.settings {
            eprintln!("{}, {setting} ...", subject.name);
            report.rows.push(recaller.measure(&subject, setting, &report.machine.commit)?);
        }
        // After each, since all of them take a while.
        if keep {
            report.keep(root)?;
        }
    }
    print!("{}", report.text());
    report.verdict()
}
