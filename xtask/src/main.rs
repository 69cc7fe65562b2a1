//! Checks, downloads and benchmarks of this repository, run as `cargo xtask <command>`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a developer's command line tool")]

mod bench;
mod bytecode;
mod check;
mod corpus;
mod fetch;
mod programs;
mod recall;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks, downloads and benchmarks of this repository.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure Heliostat on JDKs and on the programs of bench/programs.toml
    #[command(subcommand)]
    Bench(bench::Command),
    /// One measurement in a process of its own; prints a line of JSON
    #[command(hide = true)]
    BenchOne(bench::One),
    /// Check what must hold of Heliostat's results on the programs of bench/programs.toml
    #[command(subcommand)]
    Check(check::Command),
    /// Run the programs of bench/programs.toml that have a workload, and record what they do
    Corpus(corpus::Options),
    /// Download the programs of bench/programs.toml, or the peers, and check their checksums
    Fetch(fetch::Options),
    /// Hold what recorded runs did against what the analysis finds, and say what it misses
    Recall(recall::Options),
    /// Install what the tests need, fetch the jars they read, and run them all
    Test,
    /// Check what no compiler checks: crate edges, file docs, manners, names, unfinished marks
    Tidy,
}

fn main() -> ExitCode {
    let root = repository_root();
    let done = match Arguments::parse().command {
        Command::Bench(command) => bench::run(&root, &command),
        Command::BenchOne(one) => bench::run_one(&one),
        Command::Check(command) => check::run(&root, &command),
        Command::Corpus(options) => corpus::run(&root, &options),
        Command::Fetch(options) => fetch::run(&root, &options),
        Command::Recall(options) => recall::run(&root, &options),
        Command::Test => test::run(&root),
        Command::Tidy => tidy::run(&root),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn repository_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
