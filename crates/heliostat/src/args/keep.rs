//! The options of `keep`.

use std::path::PathBuf;

use clap::Args;
use heliostat_core::metadata::Artifact;

use super::analysis::{AnalysisOptions, CONTEXTS};
use super::{Inputs, Messages, values};
use crate::exit;

const WHAT: &str = "\
What is written:
  A block for each class of the inputs that reflective calls use, sorted; lines that begin with #
  say which calls:
    -keep              the class is found by its name, as by Class.forName
    -keepclassmembers  its members are, and the class itself is named by code or not needed
    -keepnames         its name is written, as into a stream of objects
  Of its members, those that are used; all of a kind only if a call asked for all, and the analysis
  does not know what every call of Method.invoke (Constructor.newInstance, Field.get and set)
  outside the JDK does. Characters that rules cannot have in a name are written as `?`.

Examples:
  heliostat keep app.jar --reflection-log heliostat-trace/reflection.log > reflection.pro
  heliostat keep lib.jar --entry public -o src/main/resources
  heliostat keep app.jar --check reflection.pro";

#[derive(Debug, Args)]
#[command(after_help = format!("{WHAT}\n\n{CONTEXTS}\n\n{}", exit::table(exit::CHECKED)))]
pub(crate) struct KeepOptions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) analysis: AnalysisOptions,
    /// Print how the rules of this file differ from what is found, and exit with 1 if they do; comments
    /// and order do not count
    #[arg(long, value_name = "FILE", conflicts_with = "output", help_heading = "What to print")]
    pub(crate) check: Option<PathBuf>,
    /// Write DIR/META-INF/proguard/GROUP.NAME.pro, where R8 finds the rules of a library, whole or not
    /// at all, in place of standard output
    #[arg(long = "output", short, value_name = "DIR", help_heading = "What to print")]
    pub(crate) output: Option<PathBuf>,
    /// The name of that file [default: that of the first input's pom.properties, else from the name of
    /// its file]
    #[arg(long, value_name = "GROUP:NAME", value_parser = values::artifact, help_heading = "What to print")]
    pub(crate) artifact: Option<Artifact>,
    #[command(flatten)]
    pub(crate) messages: Messages,
}
