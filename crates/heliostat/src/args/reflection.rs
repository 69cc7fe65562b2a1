//! The options of `reflection`.

use clap::{Args, ValueEnum};

use super::analysis::{CONTEXTS, RunOptions};
use super::{METHODS, Wanted, method_pattern};
use crate::exit;

const WHAT: &str = "\
Every call of the reflection API in reached code is one of these:
  unresolved  nothing is known of it: what it loads, makes, calls, reads or writes is no part of the
              result
  partly      some targets are known, and there may be others: what --reflection-log says is what
              real runs did, not all that may be done
  resolved    what it does is known

Formats:
  text        how many there are, then each by class and method, with its targets and, in brackets,
              how each is known. Calls in the JDK are only counted (--all shows them)
  json        one call on each line: `method`, `offset`, `line`, `source_file`; the `api`, its
              `callee` in full and the `index` of the call among those of this class and name in its
              method; its `origin` (input, class_path, jdk); `known` (unresolved, partly, resolved);
              its `targets`, each with `how` and `because`
  sarif       SARIF 2.1.0 for code-scanning tools: unresolved calls as warnings, partly resolved
              ones as notes, without resolved ones; calls in the JDK only with --all. Class files
              know the package and name of a source file; --source-root names the directory above
  tamiflex    the known targets as a log in the format of TamiFlex, which --reflection-log reads; of
              the JDK's own calls, too. It has no kinds for proxies, resources and the like
  annotations the known targets as annotations, which --annotations reads, and comments to be filled
              in for calls of which nothing is known; calls in the JDK only with --all

Files that -o writes:
  reflection.txt, reflection.json, reflection.sarif, reflection.log, reflection.annotations
                 those that --format asks for
  summary.json   the numbers of the whole analysis, and whether it is complete

If a limit or Ctrl-C ended the analysis, text, log and annotations say so, `complete` in the JSON is
false, and so is `executionSuccessful` in SARIF.

Annotations say what reflective calls do, a target on each line:
  com.acme.Loader.load/java.lang.Class.forName/0 com.acme.Plugin
  com.acme.Loader.run(int)/java.lang.reflect.Method.invoke/1 <com.acme.Plugin: void go()>
The number counts the calls of that method of the API, its overloads included, in the body of the
method around, from 0 on, in the order of the bytecode. Parameters as in Java, without spaces, or a
descriptor tell overloaded methods apart; without them, all of the name are meant that have such a
call. Constructors are <init>, inner classes Outer$Inner. A target is
  a class                             of Class.forName, ClassLoader.loadClass, Class.newInstance
  the type of an array, as in int[]   of Array.newInstance
  <com.acme.Plugin: void <init>(int)> of Constructor.newInstance
  <com.acme.Plugin: void go()>        of Method.invoke, MethodHandle.invoke
  <com.acme.Plugin: int level>        of Field.get, Field.setInt and the like
Empty lines, and those that begin with #, say nothing. Lines that make no sense or mean nothing in
the program are told, and the others are used. A call with an annotation counts as resolved.

Examples:
  heliostat reflection app.jar
  heliostat reflection app.jar --only unresolved --method 'com.acme.*'
  heliostat reflection app.jar --format sarif --source-root src/main/java > reflection.sarif
  heliostat reflection app.jar --reflection-log heliostat-trace/reflection.log --format json";

#[derive(Debug, Args)]
#[command(after_help = format!("{WHAT}\n\n{METHODS}\n\n{CONTEXTS}\n\n{}", exit::table(exit::REFLECTION)))]
pub(crate) struct ReflectionOptions {
    #[command(flatten)]
    pub(crate) run: RunOptions,
    /// How to write it; see below. With -o several, as in text,sarif
    #[arg(long = "format", value_enum, value_delimiter = ',', default_values_t = [ReflectionFormat::Text])]
    #[arg(help_heading = "What to print")]
    pub(crate) formats: Vec<ReflectionFormat>,
    /// Only calls of which so much is known; several as in unresolved,partly [default: all]
    #[arg(long, value_enum, value_name = "KNOWN", value_delimiter = ',', help_heading = "What to print")]
    pub(crate) only: Vec<OnlyKnown>,
    /// Only calls in these methods; `*` stands for anything; may be given again
    #[arg(long = "method", value_name = "PATTERN", value_parser = method_pattern)]
    #[arg(help_heading = "What to print")]
    pub(crate) methods: Vec<Wanted>,
    /// Show calls in the JDK, and all targets of a call, as text; write calls in the JDK as SARIF
    #[arg(long, help_heading = "What to print")]
    pub(crate) all: bool,
    /// The directory above the packages of the sources, from where SARIF tells of files, as in src/main/java
    #[arg(long, value_name = "DIR", default_value = "", hide_default_value = true)]
    #[arg(help_heading = "What to print")]
    pub(crate) source_root: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReflectionFormat {
    Text,
    Json,
    Sarif,
    Tamiflex,
    Annotations,
}

impl ReflectionFormat {
    /// The name of its file.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Text => "reflection.txt",
            Self::Json => "reflection.json",
            Self::Sarif => "reflection.sarif",
            Self::Tamiflex => "reflection.log",
            Self::Annotations => "reflection.annotations",
        }
    }
}

/// How much is known of calls that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnlyKnown {
    Unresolved,
    Partly,
    Resolved,
}
