//! `cargo xtask bench sets`: what representations of points-to sets cost, on the sets and flows of real programs.

mod costs;
mod material;
mod report;
mod representations;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use heliostat_core::{AnalysisSettings, JdkChoice, analyse, open};

use self::material::Material;
use self::report::{Report, Row};
use super::machine::Machine;
use super::pta::applications::{self, Application, Libraries};
use super::subjects::find_jdk;
use super::{clock, ensure_release};

/// What is measured if nothing is named: a small program, a middling and a large one.
const PROGRAMS: [&str; 3] = ["hello", "antlr", "jython"];

/// What to measure. A run that names nothing measures three programs and is kept.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A program to measure, and no others; may be given again
    #[arg(long = "program", value_name = "NAME")]
    programs: Vec<String>,
    /// Keep the results though programs are named: they are added to those of the day
    #[arg(long)]
    keep: bool,
}

pub(super) fn run(root: &Path, options: &Options) -> Result<()> {
    ensure_release()?;
    let machine = Machine::describe(root)?;
    let jdk = find_jdk(JdkChoice::Auto)?.context("no JDK found")?;
    let names = match options.programs.as_slice() {
        [] => PROGRAMS.map(str::to_owned).to_vec(),
        named => named.to_vec(),
    };
    let mut rows = Vec::new();
    for application in applications::choose(root, &names, Libraries::LeftOut, &jdk)? {
        rows.push(measure(root, &application, &machine.commit)?);
    }
    let mut report = Report { date: clock::today()?, machine, rows };
    print!("{}", report.text());
    if options.keep || options.programs.is_empty() {
        report.keep(root)?;
    }
    Ok(())
}

fn measure(root: &Path, application: &Application, commit: &str) -> Result<Row> {
    let name = &application.subject.name;
    eprintln!("{name} ...");
    let material = analysed(root, application).with_context(|| format!("analysing {name}"))?;
    let load = load_average()?;
    Ok(Row {
        program: name.clone(),
        jdk: application.subject.jdk.clone(),
        commit: commit.to_owned(),
        load_before: load,
        counts: material.counts,
        costs: costs::of_all(&material)?,
        load_after: load_average()?,
    })
}

/// The sets of a program without contexts. The analysis itself is gone afterwards.
fn analysed(root: &Path, application: &Application) -> Result<Material> {
    let mut opened = open(&application.settings(root)?)?;
    let mains = application.main.iter().cloned().collect();
    let settings = AnalysisSettings { mains, ..AnalysisSettings::default() };
    let analysis = analyse(&mut opened, &settings, &mut |_| ()).map_err(|why| anyhow!("{why:?}"))?;
    ensure!(analysis.solution.complete, "the analysis did not come to its end");
    Ok(Material::of(&analysis.solution))
}

/// How many processes were at work in the last minute.
fn load_average() -> Result<f64> {
    let text = fs::read_to_string("/proc/loadavg").context("the load is known on Linux only")?;
    text.split(' ').next().and_then(|load| load.parse().ok()).context("no load in /proc/loadavg")
}
