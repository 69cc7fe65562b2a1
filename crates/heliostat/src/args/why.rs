//! The options of `why`.

use clap::Args;
use heliostat_core::analysis::Query;

use super::analysis::{AnalysisOptions, CONTEXTS, EDGES};
use super::{Format, Inputs, Messages};
use crate::exit;

const QUESTIONS: &str = "\
Questions:
  METHOD            why is it reached? The calls that lead to it, from the program's entry points if
                    they can, and the shortest of those
  METHOD -> METHOD  why does the first call the second? For a call that selects by the type of its
                    receiver: how a receiver comes there that selects the second
  METHOD:VARIABLE   why does the variable point to what it does? For each object, the way from where
                    it is made. Variables are those that `heliostat ir` prints
  METHOD:VARIABLE = TYPE
                    the same for objects of a class, and of all below it

A METHOD is a pattern (see `heliostat help ir`), or is written as the answers are; all methods that
it means are asked about. A class outside the inputs may be without its package, too, if only one
of that name has the method. For a method that the class inherits, the inherited one is asked
about; for an abstract one, what implements it. The answer says so. A TYPE is a class with dots or
slashes, without its package if there is but one of that name, or an array as in String[].

Examples:
  heliostat why com.acme.Loader.load app.jar
  heliostat why 'com/acme/Loader.load(ILjava/lang/String;)V' app.jar
  heliostat why 'com.acme.Loader.load(int, String)' app.jar
  heliostat why 'com.acme.Main.run -> Loader.load' app.jar --context 2obj
  heliostat why 'com.acme.Main.run -> java.util.HashMap.put' app.jar
  heliostat why com.acme.Main.run:v7 app.jar
  heliostat why 'java.util.HashMap.put:v2 = com.acme.Key' app.jar --format json

A step says where it happens: source file and line, and the bytecode offset. What a model says of a
method in place of its bytecode has no place. Where reflective calls are not followed, `not
reachable` and the like may be wrong; the answer says how many there are.";

#[derive(Debug, Args)]
#[command(after_help = format!("{QUESTIONS}\n\n{EDGES}\n\n{CONTEXTS}\n\n{}", exit::table(exit::WHY)))]
pub(crate) struct WhyOptions {
    /// What to explain: METHOD, METHOD -> METHOD, METHOD:VARIABLE or METHOD:VARIABLE = TYPE; see below
    #[arg(value_name = "QUESTION", value_parser = Query::parse)]
    pub(crate) query: Query,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) analysis: AnalysisOptions,
    /// How to print the answer; text has the first 5 explanations, json the first 100, and besides
    /// whether the analysis is complete
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to print")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) messages: Messages,
}
