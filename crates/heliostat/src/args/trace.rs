//! The options of `trace`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::exit;

const WHAT: &str = "\
Files in the directory:
  calls.tsv        who called whom: caller, bytecode offset, line, callee, kind, how often
  reflection.log   classes and members reached by reflection, in the format of TamiFlex
  reflection.json  the same, and look-ups, proxies, services, resources, serialisation
  classes.tsv      classes loaded: checksum, length, where from, and which were made at run time
  generated.jar    the classes that the program made while it ran, if it did: --cp of an analysis;
                   without hidden classes and the JDK's own: lambdas, method handles, and what it
                   makes for reflection
  trace.json       what was run, its JVMs, how much there is, and what is not known
  raw/             what the JVMs wrote themselves; all else is made from it

JVMs of Java 8 to 25 are meant (17 and 25 are tested); their start-up code and all threads are
traced. For `java` the option that loads the tracing agent is put before the arguments; for any
other program, such as a script that starts `java`, it is in JAVA_TOOL_OPTIONS, which JVMs remark on
when they start. JVMs that the program starts are traced, too. The program sees its own standard
input and output, and Ctrl-C goes to it.

What a program did is kept however it ends, also when it is killed. If heliostat itself was
killed, --finish makes the files from what is in raw/.

Not seen are calls of native methods, and the insides of hidden classes (those of lambdas and method
handles): what they call is called by whoever calls them. A call that the JVM makes by itself, as to
load a class, seems to come from the last call site before; its kind is `implicit`. What stands in
java.lang.invoke between the site of a method handle and its target is of the kind `linkage`.

Examples:
  heliostat trace -- java -jar app.jar --verbose
  heliostat trace -o traces/sort -- java -cp build/classes com.acme.Sort input.txt
  heliostat trace -- ./gradlew run
  heliostat trace --finish heliostat-trace";

#[derive(Debug, Args)]
#[command(
    override_usage = "heliostat trace [OPTIONS] -- <COMMAND>...\n       heliostat trace --finish <DIR>"
)]
#[command(after_help = format!("{WHAT}\n\n{}", exit::table(exit::TRACE)))]
pub(crate) struct TraceOptions {
    /// The program to run, and its arguments: all that follows its name is given to it, options too, whether or
    /// not `--` stands before
    #[arg(value_name = "COMMAND", trailing_var_arg = true, required_unless_present = "finish")]
    pub(crate) command: Vec<OsString>,
    /// The directory to write to; it may hold an older trace, which is replaced
    #[arg(
        long,
        short,
        value_name = "DIR",
        default_value = "heliostat-trace",
        help_heading = "What to write"
    )]
    pub(crate) output: PathBuf,
    /// Run nothing, but make the files of a trace that was not finished
    #[arg(long, value_name = "DIR", conflicts_with_all = ["command", "output"], help_heading = "What to write")]
    pub(crate) finish: Option<PathBuf>,
    /// Tell nothing at the end but what went wrong
    #[arg(long, short, help_heading = "Messages")]
    pub(crate) quiet: bool,
}
