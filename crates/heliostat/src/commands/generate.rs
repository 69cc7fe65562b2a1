//! `heliostat generate`: man pages and completions, from the definition of the command line.

use std::io::Write;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Arguments, GenerateOptions, Generated};
use crate::exit;
use crate::failure::Failure;

pub(super) fn run(options: &GenerateOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let mut command = Arguments::command();
    match &options.what {
        Generated::Man { command: None } => Man::new(command).render(out)?,
        Generated::Man { command: Some(name) } => Man::new(subcommand(&mut command, name)?).render(out)?,
        Generated::Completions { shell } => {
            // It panics if a write fails, which a write to memory does not.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command, "heliostat", &mut script);
            out.write_all(&script)?;
        }
    }
    Ok(exit::DONE)
}

/// A command, its names filled in, as in `heliostat-info`.
fn subcommand(command: &mut clap::Command, name: &str) -> Result<clap::Command, Failure> {
    command.build();
    let found = command.find_subcommand(name).cloned();
    let found = found.ok_or_else(|| Failure::Message(format!("there is no command `{name}`")))?;
    Ok(found.version(env!("CARGO_PKG_VERSION")))
}
