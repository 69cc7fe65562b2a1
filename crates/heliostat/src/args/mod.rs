//! The command line, as data: help, man page and completions come from here.

mod analysis;
mod compare;
mod keep;
mod metadata;
mod reflection;
mod trace;
mod values;
mod why;

pub(crate) use analysis::{AnalysisOptions, AnalyzeOptions, CallgraphOptions, Emitted, GraphFormat, Told};
pub(crate) use compare::CompareOptions;
pub(crate) use keep::KeepOptions;
pub(crate) use metadata::MetadataOptions;
pub(crate) use reflection::{OnlyKnown, ReflectionFormat, ReflectionOptions};
pub(crate) use trace::TraceOptions;
pub(crate) use why::WhyOptions;

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
  heliostat analyze app.jar                        its call graph and points-to sets, in numbers
  heliostat analyze app.jar -o out                 the same, with files in the directory out
  heliostat callgraph app.jar --app-only           who calls whom, of what is in the jar itself
  heliostat metadata app.jar                       what a native image has to be told of reflection
  heliostat keep app.jar                           what a shrinker has to keep for it
  heliostat reflection app.jar                     its reflective calls, and what is unknown
  heliostat info build/classes --cp 'lib/*'        a directory, with its libraries
  heliostat ir app.jar --method com.acme.Main.run  the IR of a method
  heliostat trace -- java -jar app.jar             run it, and record who calls whom

More:
  heliostat help ir                                what a command takes
  heliostat generate man                           the man page
  heliostat generate completions bash              completions, also for zsh, fish and others";

const METHODS: &str = "\
Patterns:
  load                          methods of this name, of any class
  Loader.load                   of any class Loader, whatever its package
  com.acme.Loader.load          of this class; com/acme/Loader.load, com.acme.Loader#load
                                and com.acme.Loader::load are the same
  Outer.Inner.load              of an inner class; 'Outer$Inner.load' is the same
  'com.acme.Loader.<init>'      its constructors; <clinit> is its initialiser
  'com.acme.Loader.load(I)V'    with this descriptor
  'Lcom/acme/Loader;.load(I)V'  as this command prints it
  Loader, com.acme.Loader       all methods of a class
  'com.acme.*'                  everything below a package

Put quotes around a pattern with any of * $ ; ( ) < > #, which mean something to a shell.

Classes outside the inputs are looked at only if the pattern has their full name, without *, as in
  heliostat ir app.jar --method java.lang.String.valueOf
  heliostat ir app.jar --method 'java.util.Map.Entry.*'";

/// Whole-program static analyser for Java bytecode
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
#[command(after_help = format!("{EXAMPLES}\n\n{}", exit::table(exit::ANY)))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tell what was read: archives, classes, main classes, what is missing
    Info(InfoOptions),
    /// Analyse a program: call graph and points-to sets; a summary, and files with -o
    #[command(visible_alias = "analyse")]
    Analyze(AnalyzeOptions),
    /// Write the call graph of a program
    Callgraph(CallgraphOptions),
    /// Write what GraalVM's native image has to be told of reflection: reachability-metadata.json
    Metadata(MetadataOptions),
    /// Write what ProGuard and R8 have to keep for reflection
    Keep(KeepOptions),
    /// List reflective calls: what they do, how that is known, and what is unknown
    Reflection(ReflectionOptions),
    /// Explain why a method is reached, a call edge exists, or a variable points to an object
    Why(WhyOptions),
    /// Run a Java program and record its call graph and what it does by reflection
    Trace(TraceOptions),
    /// Tell what a real run did that an analysis does not have, and why
    Compare(CompareOptions),
    /// Print the intermediate representation of methods
    Ir(IrOptions),
    /// Show info, ir and analyze at work on a small program built into this binary
    Demo(DemoOptions),
    /// Write the man page or shell completions to standard output
    Generate(GenerateOptions),
}

#[derive(Debug, Args)]
#[command(after_help = exit::table(exit::INFO))]
pub(crate) struct InfoOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to print")]
    pub(crate) format: Format,
    /// Print long lists in full
    #[arg(long, help_heading = "What to print")]
    pub(crate) all: bool,
    /// Lower and verify every method too; report those that cannot be
    #[arg(long, help_heading = "What to look at")]
    pub(crate) bodies: bool,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{METHODS}\n\n{}", exit::table(exit::IR)))]
pub(crate) struct IrOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Which methods; `*` stands for anything; may be given again
    #[arg(long = "method", value_name = "PATTERN", value_parser = method_pattern, required = true)]
    #[arg(help_heading = "What to print")]
    pub(crate) methods: Vec<Wanted>,
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
    #[arg(value_parser = OsStringValueParser::new().try_map(not_empty))]
    pub(crate) paths: Vec<OsString>,
    /// Libraries, as for `java -cp`; may be given again
    #[arg(long = "cp", visible_aliases = ["class-path", "classpath"])]
    #[arg(value_name = "PATH", help_heading = "What to read")]
    pub(crate) class_path: Vec<OsString>,
    #[command(flatten)]
    pub(crate) jdk: Jdk,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What to read")]
pub(crate) struct Jdk {
    /// The JDK to use: its home, a version such as 17 to find one, `auto` to find any, or `none`
    #[arg(long, value_name = "HOME|VERSION|auto|none", default_value = "auto")]
    #[arg(value_parser = OsStringValueParser::new().map(wanted_jdk))]
    pub(crate) jdk: WantedJdk,
}

/// What to say on standard error.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Messages {
    /// Tell neither problems nor progress
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell up to 10,000 problems of each archive, not only the first ten, and which entries of a reflection log are
    /// not used
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

/// A JDK as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WantedJdk {
    Choice(JdkChoice),
    /// An installed one of this feature version.
    Feature(u16),
}

fn wanted_jdk(text: OsString) -> WantedJdk {
    match text.to_str() {
        Some("auto") => WantedJdk::Choice(JdkChoice::Auto),
        Some("none") => WantedJdk::Choice(JdkChoice::None),
        other => match other.and_then(|text| text.parse().ok()) {
            Some(feature) => WantedJdk::Feature(feature),
            None => WantedJdk::Choice(JdkChoice::Home(text.into())),
        },
    }
}

fn not_empty(text: OsString) -> Result<OsString, &'static str> {
    if text.is_empty() { Err("it is empty; use `.` for the current directory") } else { Ok(text) }
}

/// The arguments, with what is a habit from `java` written as it is here: `-cp` would be three short options.
pub(crate) fn java_habits(arguments: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut ended = false;
    arguments.enumerate().map(move |(index, argument)| {
        // What is run is given as it is, whether or not `--` stands before it.
        ended |= argument == "--" || index == 1 && argument == "trace";
        let is_class_path = argument == "-cp" || argument == "-classpath";
        if is_class_path && !ended { "--cp".into() } else { argument }
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// What is wider is broken by clap in the middle of a table.
    #[test]
    fn texts_below_the_help_are_at_most_100_columns_wide() {
        let command = Arguments::command();
        for part in command.get_subcommands().chain([&command]) {
            let text = part.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in text.lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", part.get_name());
            }
        }
    }
}
