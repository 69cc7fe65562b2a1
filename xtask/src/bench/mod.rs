//! `cargo xtask bench`: what Heliostat costs on real programs, and whether it reads them rightly.
//!
//! What a subject costs is measured in a child process of its own, so that CPU time and peak memory are its alone.
//! A run over everything is kept under `bench/results/`, by date.

pub(crate) mod child;
pub(crate) mod clock;
mod frontend;
pub(crate) mod kept;
pub(crate) mod machine;
mod measure;
pub(crate) mod pta;
mod report;
pub(crate) mod sample;
mod sets;
pub(crate) mod subjects;
pub(crate) mod table;
mod targets;

use std::path::Path;

use anyhow::{Result, ensure};

pub(crate) use self::measure::One;

/// What to measure.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Open, index, lower and verify: JDKs and all programs, or only what is named
    Frontend(frontend::Options),
    /// Points-to analysis and call graph: programs with a main class, beside a peer if one is named
    Pta(pta::Options),
    /// Representations of points-to sets: memory and time of each on the sets of real programs
    Sets(sets::Options),
}

pub(crate) fn run(root: &Path, command: &Command) -> Result<()> {
    match command {
        Command::Frontend(options) => frontend::run(root, options),
        Command::Pta(options) => pta::run(root, options),
        Command::Sets(options) => sets::run(root, options),
    }
}

/// An error in a debug build.
pub(crate) fn ensure_release() -> Result<()> {
    ensure!(!cfg!(debug_assertions), "numbers of a debug build mean nothing: run it as `cargo xtask`");
    Ok(())
}

/// The child's side.
pub(crate) fn run_one(one: &One) -> Result<()> {
    println!("{}", serde_json::to_string(&measure::run(one)?)?);
    Ok(())
}
