//! The commands, one file each.

mod analysis;
mod analyze;
mod annotations;
mod callgraph;
mod compare;
mod demo;
mod generate;
mod info;
mod ir;
mod keep;
mod metadata;
mod no_entry;
mod no_match;
mod output;
mod reflection;
mod trace;
mod uncovered;
mod why;
mod written;

use std::io::{self, BufWriter, Write};

use crate::args::Command;
use crate::failure::Failure;

/// Runs a command; returns the exit code.
pub(crate) fn run(command: &Command) -> Result<u8, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let code = match command {
        Command::Info(options) => info::run(options, &mut out),
        Command::Analyze(options) => analyze::run(options, &mut out),
        Command::Callgraph(options) => callgraph::run(options, &mut out),
        Command::Metadata(options) => metadata::run(options, &mut out),
        Command::Keep(options) => keep::run(options, &mut out),
        Command::Compare(options) => compare::run(options, &mut out),
        Command::Reflection(options) => reflection::run(options, &mut out),
        Command::Why(options) => why::run(options, &mut out),
        Command::Trace(options) => trace::run(options),
        Command::Ir(options) => ir::run(options, &mut out),
        Command::Demo(options) => demo::run(options, &mut out),
        Command::Generate(options) => generate::run(options, &mut out),
    }?;
    output::printed(out.flush())?;
    Ok(code)
}
