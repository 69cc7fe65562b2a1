//! Checks, downloads and benchmarks of this repository, run as `cargo xtask <command>`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a developer's command line tool")]

mod fetch;
mod programs;
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
    /// Download the programs of bench/programs.toml and check their checksums
    Fetch(fetch::Options),
    /// Check what no compiler checks: crate edges, file docs, manners, names, unfinished marks
    Tidy,
}

fn main() -> ExitCode {
    let root = repository_root();
    let done = match Arguments::parse().command {
        Command::Fetch(options) => fetch::run(&root, &options),
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
