//! The options of `metadata`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heliostat_core::metadata::{Artifact, Scope};

use super::analysis::{AnalysisOptions, CONTEXTS};
use super::{Inputs, Messages, values};
use crate::exit;

const WHAT: &str = "\
What is written:
  One entry for each type and condition, sorted: the type, its methods and fields that reflective
  calls use, and why. A type may be asked for its members as soon as it has an entry; flags such as
  allPublicMethods are there only if a call asked for all of them and the analysis does not know
  what every call of Method.invoke (Constructor.newInstance, Field.get and set) outside the JDK
  does. Resources, bundles, proxies and serialised types have entries, too. It is valid by version
  1.2.0 of GraalVM's schema.

Conditions:
  Every entry has one: `typeReached`, the class whose code makes the call. For a call in a library
  it is the class of the inputs that leads there; up to three such classes have an entry each.
  Beyond that it is the main class (Start-Class of Spring Boot), or java.lang.Object, which stands
  for `always`, if the inputs are entered elsewhere, too. Lambdas, proxies and other classes made at
  run time are never named.

What does not count:
  What the JDK looks up for itself, as for enums, annotations, generic signatures and copies of
  arrays: native images know it, and GraalVM's agent leaves it out, too. --scope all has it.

Reasons:
  `com.acme.Main.run(Main.java:12) calls Class.forName (log)`: where, what, and how it is known; see
  `reflection.tsv` in `heliostat help analyze`. Of many, eight are told.

Examples:
  heliostat metadata app.jar --reflection-log heliostat-trace/reflection.log
  heliostat metadata lib.jar --entry public -o src/main/resources
  heliostat metadata app.jar --merge by-hand.json --check reachability-metadata.json";

#[derive(Debug, Args)]
#[command(after_help = format!("{WHAT}\n\n{CONTEXTS}\n\n{}", exit::table(exit::CHECKED)))]
pub(crate) struct MetadataOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) analysis: AnalysisOptions,
    /// Which calls count: `inputs` for those in the inputs or about something in them; `program` for
    /// those in libraries, too; `all` for what the JDK does by itself, too, of which native images know
    /// most anyway
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = WantedScope::Inputs, help_heading = "What to print")]
    pub(crate) scope: WantedScope,
    /// Keep the entries of this file, written by hand or by an agent; may be given again. Of the older
    /// formats (reflect-config.json and so on) what can be said in this one is taken
    #[arg(long = "merge", value_name = "FILE", help_heading = "What to print")]
    pub(crate) merged: Vec<PathBuf>,
    /// Print how this file differs from what is found, and exit with 1 if it does; reasons and
    /// order do not count
    #[arg(long, value_name = "FILE", conflicts_with = "output", help_heading = "What to print")]
    pub(crate) check: Option<PathBuf>,
    /// Write DIR/META-INF/native-image/GROUP/NAME/reachability-metadata.json, whole or not at all, in
    /// place of standard output
    #[arg(long = "output", short, value_name = "DIR", help_heading = "What to print")]
    pub(crate) output: Option<PathBuf>,
    /// The names of these directories [default: those of the first input's pom.properties, else from
    /// the name of its file]
    #[arg(long, value_name = "GROUP:NAME", value_parser = values::artifact, help_heading = "What to print")]
    pub(crate) artifact: Option<Artifact>,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

/// Which calls count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WantedScope {
    Inputs,
    Program,
    All,
}

impl From<WantedScope> for Scope {
    fn from(scope: WantedScope) -> Self {
        match scope {
            WantedScope::Inputs => Self::Inputs,
            WantedScope::Program => Self::Program,
            WantedScope::All => Self::All,
        }
    }
}
