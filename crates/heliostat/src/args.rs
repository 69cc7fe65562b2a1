//! The command line, as data: help, man page and completions come from here.

use std::ffi::OsString;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use heliostat_core::{JdkChoice, MethodPattern};

use crate::exit;

const EXAMPLES: &str = "\
Examples:
  heliostat demo                                   see it work on a sample program
  heliostat info app.jar                           what is in a jar, and what it misses
  heliostat info build/classes --cp 'lib/*'        a directory, with its libraries
  heliostat ir app.jar --method com.acme.Main.run  the IR of a method";

const METHODS: &str = "\
Patterns:
  load                       methods of this name, of any class
  Loader.load                of any class Loader, whatever its package
  com.acme.Loader.load       of this class; com/acme/Loader.load is the same
  com.acme.Loader.load(I)V   with this descriptor
  com.acme.*                 everything below a package

Classes outside the inputs are looked at if the pattern has their full name, as in
  heliostat ir app.jar --method java.lang.String.valueOf";

/// Whole-program static analyser for Java bytecode
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = format!("{EXAMPLES}\n\nExit codes:\n{}", exit::table()))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tell what was read: archives, classes, main classes, what is missing
    Info(InfoOptions),
    /// Print the intermediate representation of methods
    Ir(IrOptions),
    /// Show info and ir at work on a small program built into this binary
    Demo(DemoOptions),
    /// Write the man page or shell completions to standard output
    #[command(hide = true)]
    Generate(GenerateOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InfoOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to print")]
    pub(crate) format: Format,
    /// Print long lists in full
    #[arg(long, help_heading = "What to print")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = METHODS)]
pub(crate) struct IrOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Which methods; `*` stands for anything
    #[arg(long, value_name = "PATTERN", value_parser = method_pattern, help_heading = "What to print")]
    pub(crate) method: Wanted,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    #[command(flatten)]
    pub(crate) jdk: Jdk,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateOptions {
    #[command(subcommand)]
    pub(crate) what: Generated,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generated {
    /// The man page of heliostat, or of one of its commands
    Man {
        /// The command
        command: Option<String>,
    },
    /// Completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// What to open.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// What to look at: a jar, fat jar, WAR, directory, .class, .jmod or modules image;
    /// @FILE for a file that holds a class path
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) paths: Vec<OsString>,
    /// Libraries, as for `java -cp`; may be given again
    #[arg(long = "cp", value_name = "PATH", help_heading = "What to read")]
    pub(crate) class_path: Vec<OsString>,
    #[command(flatten)]
    pub(crate) jdk: Jdk,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What to read")]
pub(crate) struct Jdk {
    /// The JDK to use: its home, `auto` to find one, or `none`
    #[arg(long, value_name = "HOME|auto|none", default_value = "auto")]
    #[arg(value_parser = OsStringValueParser::new().map(jdk_choice))]
    pub(crate) jdk: JdkChoice,
}

/// What to say on standard error.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Messages {
    /// Tell neither problems nor progress
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell all problems, not only the first ten
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// A pattern with its text, for messages.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) text: String,
    pub(crate) pattern: MethodPattern,
}

fn method_pattern(text: &str) -> Result<Wanted, String> {
    if text.is_empty() {
        return Err("it is empty; use `*` for all methods".to_owned());
    }
    Ok(Wanted { text: text.to_owned(), pattern: MethodPattern::new(text) })
}

fn jdk_choice(text: OsString) -> JdkChoice {
    match text.to_str() {
        Some("auto") => JdkChoice::Auto,
        Some("none") => JdkChoice::None,
        _ => JdkChoice::Home(text.into()),
    }
}
