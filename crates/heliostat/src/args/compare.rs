//! The options of `compare`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, Messages};
use crate::exit;

const WHAT: &str = "\
An edge of the trace is missed if the analysis does not have it: same caller, same bytecode offset,
same callee. Some edges are counted apart, since no analysis is expected to have them. Their names
in JSON, where they are `filtered`:
  class_initialiser  to class initialisers, which the JVM runs when it comes to them
  generated          from or to generated code: of classes that the program made at run time
  unknown_class      from or to unknown classes: the analysis did not have them
  linkage            from an `invokedynamic` or a call of a method handle to what links it in
                     java.lang.invoke
  called_back        called back by the JVM or native code, as to load a class
  from_the_jvm       from the JVM, with no method of the program below, as to start a thread
The others are `edges`: app_to_app within the inputs, app_to_library from there to libraries (the
JDK is one), library_to_app from libraries to the inputs, and library within libraries.

For each missed edge the first cause is found. If its caller was never reached, that is the edge by
which the run first left what the analysis reached, on a shortest way to the caller; ways over
calls of the JVM (class_initialiser, linkage, called_back) are taken where there is no other. The
initialiser of a class of which nothing is reached is lost with the class's other methods. If it is
a call on an object that the analysis never makes, or of a lambda, since it does not reach the
constructors of the object's class, or the method around the lambda, that is how these were lost.
Causes are told in the order of how many missed edges from the inputs they explain, then of how many
they explain in all: what to fix next. JSON has all of them in `causes`, and each missed edge in
`missed`. The `cause` of a missed edge says what `kind` it is:
  callee_missing      the analysis has the call site, and not this callee
  site_unknown        it reaches the method, and has no edge at this place
  receiver_not_made   nothing that makes what is called is reached, because of causes[since]
  caller_not_reached  it does not reach the caller, because of causes[since]; `since` is null if
                      the trace has no way to the caller
`since` is a place in `causes`, counted from 0.

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
