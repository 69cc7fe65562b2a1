//! The options of `compare`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, Messages};
use crate::exit;

const WHAT: &str = "\
An edge of the trace is missed if the analysis does not have it: same caller, same bytecode offset,
same callee. Counted apart are edges to class initialisers, of code that was made at run time, of
classes that were not analysed, from an `invokedynamic` or a call of a method handle to what links
it in java.lang.invoke, and calls that the JVM or native code makes by itself, as to load a class.

For each missed edge the first cause is found. If its caller was never reached, that is the edge by
which the run first left what the analysis reached, on a shortest way to the caller. If it is a call
on an object that the analysis never makes, or of a lambda, since it does not reach the constructors
of the object's class, or the method around the lambda, that is how these were lost. Causes are told
in the order of how many missed edges they explain: what to fix next.

If classes that ran have other bytes than those that were analysed, if a limit has ended the
analysis, or if a trace was cut off, that is said, and what there is is compared all the same.

Example:
  heliostat trace -o trace -- java -jar app.jar input.txt
  heliostat analyze app.jar --reflection-log trace/reflection.log -o run
  heliostat compare run trace";

#[derive(Debug, Args)]
#[command(after_help = format!("{WHAT}\n\n{}", exit::table(exit::COMPARE)))]
pub(crate) struct CompareOptions {
    /// The directory that `heliostat analyze -o` wrote
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Directories that `heliostat trace` wrote; several count as one
    #[arg(value_name = "TRACE", required = true)]
    pub(crate) traces: Vec<PathBuf>,
    /// How to print it; json has every missed edge
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to print")]
    pub(crate) format: Format,
    /// Write it as JSON to this file, too
    #[arg(long, short, value_name = "FILE", help_heading = "What to print")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) messages: Messages,
}
