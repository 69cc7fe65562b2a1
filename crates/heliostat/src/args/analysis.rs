//! The options of everything that analyses.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use heliostat_core::analysis::{EntryChoice, Flavour, ReflectionMode, parse_context};
use heliostat_report::lists::gaps::KINDS;

use super::values::{self, Only};
use super::{Format, Inputs, Messages};
use crate::exit;

/// What the contexts are, for the help.
pub(super) const CONTEXTS: &str = "\
Contexts:
  insens      none: each method is analysed once
  1call       a method is analysed once per call site
  2obj        once per receiver object, and the object that made it
  2type       the same by the classes that make the objects: coarser, faster
  1hybrid     as obj, and by call site where there is no receiver
  3obj+1heap  any depth; +heap gives objects contexts too, +1heap says how deep
              (without it, one less deep than methods)";

/// What every analysis that writes files takes.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) analysis: AnalysisOptions,
    /// Write files into this directory, which is made if it is not there; all appear whole or none
    /// does, and those go that an older run has written there and this one does not
    #[arg(long = "output", short, value_name = "DIR", help_heading = "What to print")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{CONTEXTS}\n\n{FILES}\n\n{}\n\n{}", gaps(), exit::table(exit::ANALYSIS)))]
pub(crate) struct AnalyzeOptions {
    #[command(flatten)]
    pub(crate) run: RunOptions,
    /// Write the constraint system as tables too, as Soufflé reads them; needs -o. They are large
    #[arg(long, value_enum, value_name = "facts", help_heading = "What to print")]
    pub(crate) emit: Option<Emitted>,
    /// How to print the summary; json is what summary.json has
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to print")]
    pub(crate) format: Format,
}

const FILES: &str = "\
Files that -o writes:
  summary.json   the numbers, and what they are of
  callgraph.tsv  caller, bytecode offset, line, callee, kind; sorted. `heliostat help callgraph`
                 explains the kinds
  methods.txt    all methods reached; sorted
  entries.tsv    where the program is entered, how and why: by entry points (main, open), to make
                 what these are given (made), by the JVM by itself (jvm)
  natives.tsv    native methods reached that nothing models, and the number of calls
  gaps.tsv       calls that lead nowhere, and what else the result does not cover
  missing.tsv    missing classes, and how often reached code uses them
  classes.tsv    the classes without the JDK's, with their checksums
  reflection.tsv what reflective calls do, as far as it is known: caller, bytecode offset, line,
                 api, target, and how that is known

If a limit or Ctrl-C ended the analysis, `result.complete` in summary.json is false, and these
tables and lists end with a line that begins with `# incomplete`. If it ended the reading of the
inputs, `input.complete` is false, too: what was not read is not listed as missing.
`.heliostat-files` lists what was written, for the next run to remove what it does not write.

Tables that --emit facts adds:
  facts/*.facts           what the reached code says, and the types that decide; facts/README.md
                          explains them
  facts/insensitive.dl    the rules, as a program for Soufflé
  derived/*.csv           what follows: points-to sets, call graph, reached methods, initialised
                          classes
These have rows only; whether they are complete is told in facts/README.md.";

/// The kinds of gaps, for the help.
fn gaps() -> String {
    let lines: Vec<String> = KINDS.iter().map(|(kind, what)| format!("  {kind:<11} {what}")).collect();
    format!("Kinds of gaps, and what the column `what` of gaps.tsv has:\n{}", lines.join("\n"))
}

/// What kinds of edges there are, for the help.
pub(super) const EDGES: &str = "\
Kinds of edges:
  static, special, virtual, interface
              the instruction that calls
  dynamic     through a lambda, a method reference or another product of invokedynamic
  reflective  by reflection: today to the providers that ServiceLoader makes, the constants of
              enums, and what --reflection-log says
  clinit      to the initialiser of a class, where the class is initialised
  native      native code calls, as its model says
  implicit    the JVM or generated code calls

Methods are written pkg/Class.name(descriptor)result. A call of the JVM itself has no caller and is
no edge; entries.tsv of `heliostat analyze -o` lists these.";

#[derive(Debug, Args)]
#[command(after_help = format!("{CONTEXTS}\n\n{EDGES}\n\n{GRAPH_FILES}\n\n{}", exit::table(exit::ANALYSIS)))]
pub(crate) struct CallgraphOptions {
    #[command(flatten)]
    pub(crate) run: RunOptions,
    /// How to write it: tsv has a row per edge, json besides the names of all methods, dot is for
    /// Graphviz. With -o several, as in tsv,dot
    #[arg(long = "format", value_enum, value_delimiter = ',', default_values_t = [GraphFormat::Tsv])]
    #[arg(help_heading = "What to print")]
    pub(crate) formats: Vec<GraphFormat>,
    /// Write the application's part only: the edges whose caller is in the inputs, with callees in
    /// libraries and the JDK, but not what those call
    #[arg(long, help_heading = "What to print")]
    pub(crate) app_only: bool,
}

const GRAPH_FILES: &str = "\
Files that -o writes:
  callgraph.tsv, callgraph.json, callgraph.dot
                 those that --format asks for
  summary.json   the numbers of the whole analysis, and whether it is complete
  gaps.tsv, natives.tsv, missing.tsv
                 what the graph does not cover; `heliostat help analyze` explains them

If a limit or Ctrl-C ended the analysis, the table ends with a line that begins with `# incomplete`,
`complete` in the JSON is false, and the drawing is labelled so.";

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
    /// methods of its public types, with objects of all types that fit; or methods like PATTERN (see
    /// `heliostat help ir`); may be given again [default: main]
    #[arg(long = "entry", value_name = "main|public|PATTERN", value_parser = values::entry)]
    pub(crate) entries: Vec<EntryChoice>,
    /// What tells two calls of a method apart; see below
    #[arg(long, value_name = "CONTEXT", default_value = "insens", value_parser = parse_context)]
    pub(crate) context: Flavour,
    /// At most N contexts for a method: in all others it is analysed as without contexts. That ends where
    /// contexts alone do not, at the price of precision [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) most_contexts: Option<u32>,
    /// How reflective calls are looked into: `none`, not at all; `constants`, by string constants that
    /// name classes and members
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = values::reflection)]
    pub(crate) reflection: ReflectionMode,
    /// What reflective calls did in real runs: a log in the format of `TamiFlex`, as `heliostat trace`
    /// writes it; may be given again
    #[arg(long = "reflection-log", value_name = "FILE")]
    pub(crate) reflection_logs: Vec<PathBuf>,
    /// What reflective calls do, as you know it: one `<class>.<method>/<API method>/<index> <target>` on
    /// each line (see `heliostat help reflection`); may be given again
    #[arg(long = "annotations", value_name = "FILE")]
    pub(crate) annotations: Vec<PathBuf>,
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
