//! The options of everything that analyses.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use heliostat_core::analysis::{EntryChoice, parse_context};
use heliostat_core::pta::Flavour;

use super::values::{self, Only};
use super::{Format, Inputs, Messages};
use crate::exit;

/// What the contexts are, for the help.
const CONTEXTS: &str = "\
Contexts:
  insens      none: each method is analysed once
  1call       a method is analysed once per call site
  2obj        once per receiver object, and the object that made it
  2type       the same by the classes that make the objects: coarser, faster
  1hybrid     as obj, and by call site where there is no receiver
  3obj+1heap  any depth; +heap gives objects contexts too, +1heap says how deep
              (without it, one less deep than methods)";

#[derive(Debug, Args)]
#[command(after_help = format!("{CONTEXTS}\n\n{FILES}\n\n{}", exit::table(exit::ANALYSIS)))]
pub(crate) struct AnalyzeOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) analysis: AnalysisOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// Write the constraint system as tables too, as Soufflé reads them; needs -o. They are large
    #[arg(long, value_enum, value_name = "facts", help_heading = "What to print")]
    pub(crate) emit: Option<Emitted>,
    /// How to print the summary; json is what summary.json has
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to print")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

const FILES: &str = "\
Files that -o writes:
  summary.json   the numbers, and what they are of
  callgraph.tsv  caller, bytecode offset, line, callee, kind; sorted
  methods.txt    all methods reached; sorted
  entries.tsv    where the program is entered, how and why
  natives.tsv    native methods reached that nothing models, and the number of calls
  gaps.tsv       calls that lead nowhere, and what else the result does not cover

Tables that --emit facts adds:
  facts/*.facts           what the reached code says, and the types that decide; facts/README.md
                          explains them
  facts/insensitive.dl    the rules, as a program for Soufflé
  derived/*.csv           what follows: points-to sets, call graph, reached methods, initialised
                          classes";

#[derive(Debug, Args)]
#[command(after_help = format!("{CONTEXTS}\n\n{}", exit::table(exit::ANALYSIS)))]
pub(crate) struct CallgraphOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) analysis: AnalysisOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// How to write it: tsv has a row per edge, json besides the names of all methods, dot is for
    /// Graphviz
    #[arg(long, value_enum, default_value_t = GraphFormat::Tsv, help_heading = "What to print")]
    pub(crate) format: GraphFormat,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

const QUESTIONS: &str = "\
Questions:
  'com.acme.Main.run'                 why is the method reached?
  'com.acme.Main.run -> Loader.load'  why does the first call the second?
  'com.acme.Main.run:v7'              why does the variable point to what it does? Variables are
                                      those that `heliostat ir` prints
  'com.acme.Main.run:v7 = Loader'     the same, for objects of a type

Methods are found by patterns; see `heliostat help ir`.";

#[derive(Debug, Args)]
#[command(after_help = format!("{QUESTIONS}\n\n{}", exit::table(exit::ANALYSIS)))]
pub(crate) struct WhyOptions {
    /// What to explain; see below
    #[arg(value_name = "QUESTION")]
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) analysis: AnalysisOptions,
    /// How to print the explanations; json has all of them, text the first five
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to print")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    Tsv,
    Json,
    Dot,
}

/// How to analyse.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to analyse")]
pub(crate) struct AnalysisOptions {
    /// The main class, such as com.acme.Main; may be given again [default: that of the manifest, else
    /// every class with a main method]
    #[arg(long = "main", value_name = "CLASS", value_parser = values::class_name)]
    pub(crate) mains: Vec<String>,
    /// Where the program is entered: `main`; `public` for a library, at all public and protected
    /// methods of its public types; or methods like PATTERN (see `heliostat help ir`); may be given
    /// again [default: main]
    #[arg(long = "entry", value_name = "main|public|PATTERN", value_parser = values::entry)]
    pub(crate) entries: Vec<EntryChoice>,
    /// What tells two calls of a method apart; see below
    #[arg(long, value_name = "CONTEXT", default_value = "insens", value_parser = parse_context)]
    pub(crate) context: Flavour,
    /// String constants: `merged` into one object, or `distinct`, each an object of its own
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Told::Merged)]
    pub(crate) heap_strings: Told,
    /// String builders: `merged` per type, or `distinct` by where they are made
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Told::Merged)]
    pub(crate) heap_builders: Told,
    /// Exceptions: `merged` per type, or `distinct` by where they are made
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Told::Merged)]
    pub(crate) heap_exceptions: Told,
    #[command(flatten)]
    pub(crate) later: LaterOptions,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

/// Where to write.
#[derive(Debug, Args)]
#[command(next_help_heading = "What to print")]
pub(crate) struct OutputOptions {
    /// Write files into this directory, which is made if it is not there; each appears whole or not
    /// at all
    #[arg(long = "output", short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// Tables that are written besides the usual files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emitted {
    Facts,
}

/// Whether objects are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Told {
    Merged,
    Distinct,
}

/// Options that have one value today.
#[derive(Debug, Args)]
pub(crate) struct LaterOptions {
    /// Where to be context-sensitive: `none` means everywhere; selections come later
    #[arg(long, value_name = "none", default_value = "none", value_parser = values::select)]
    select: Only,
    /// How reflection is analysed: not at all yet
    #[arg(long, value_name = "none", default_value = "none", value_parser = values::reflection)]
    reflection: Only,
    /// Whether string constants are merged by colour: not yet
    #[arg(long, value_name = "off", default_value = "off", value_parser = values::string_colouring)]
    string_colouring: Only,
    /// Whether missing classes are made up: not yet
    #[arg(long, value_name = "off", default_value = "off", value_parser = values::complement)]
    complement: Only,
}

/// What it may cost.
#[derive(Debug, Args)]
#[command(next_help_heading = "What it may cost")]
pub(crate) struct LimitOptions {
    /// How many threads to use; today's analysis has one, whatever is given, and the output is the same
    /// for any number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    jobs: u32,
    /// End after this time, as in 90s, 5m or 1h, with the results so far
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// End beyond this memory, as in 512m or 2g, with the results so far (on Linux)
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    pub(crate) memory_limit: Option<u64>,
}
