//! `heliostat generate`: man pages and completions, from the definition of the command line.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Arguments, GenerateOptions, Generated};
use crate::exit;
use crate::failure::Failure;

pub(super) fn run(options: &GenerateOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let mut command = Arguments::command();
    match &options.what {
        Generated::Man { command: None } => man(&command, out)?,
        Generated::Man { command: Some(name) } => man(&subcommand(&mut command, name)?, out)?,
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

/// The parts of a man page; those that end the help as sections of their own, their lines as they are.
fn man(command: &clap::Command, out: &mut impl Write) -> io::Result<()> {
    let end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command.clone());
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    sections(&end, out)?;
    man.render_version_section(out)
}

/// Text in which a line such as `Examples:` begins a section.
fn sections(text: &str, out: &mut impl Write) -> io::Result<()> {
    let mut open = false;
    for line in text.lines() {
        match line.strip_suffix(':').filter(|_| !line.starts_with(' ')) {
            Some(title) => {
                writeln!(out, "{}.SH {}\n.nf", if open { ".fi\n" } else { "" }, title.to_uppercase())?;
                open = true;
            }
            None => writeln!(out, "{}", escaped(line))?,
        }
    }
    if open { writeln!(out, ".fi") } else { Ok(()) }
}

/// A line that roff prints as it is.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
