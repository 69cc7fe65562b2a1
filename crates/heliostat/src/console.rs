//! Standard error: errors and problems. A failure to write there is nobody's business.

use std::io::{self, IsTerminal, Write};

use heliostat_core::Problem;
use heliostat_report::text::counted;

use crate::args::Messages;
use crate::exit;

/// How many problems are told without `-v`.
const TOLD: usize = 10;

/// Tells why the command failed.
pub(crate) fn error(message: &str) {
    let _ = writeln!(io::stderr().lock(), "heliostat: error: {message}");
}

/// Tells something that is no error, unless nothing is to be told.
pub(crate) fn remark(message: &str, messages: Messages) {
    if !messages.quiet {
        let _ = writeln!(io::stderr().lock(), "heliostat: {message}");
    }
}

/// Tells what is wrong with the arguments, or gives the help that was asked for; returns the exit code.
pub(crate) fn usage(error: &clap::Error) -> u8 {
    if error.exit_code() == 0 {
        let _ = error.print();
        return exit::DONE;
    }
    let text = error.render();
    let mut stderr = io::stderr().lock();
    // Without any argument clap gives the help, which is no error message.
    let prefix = if text.to_string().starts_with("error:") { "heliostat: " } else { "" };
    let _ = if stderr.is_terminal() {
        write!(stderr, "{prefix}{}", text.ansi())
    } else {
        write!(stderr, "{prefix}{text}")
    };
    exit::BAD
}

/// Tells what is wrong with the input: the first problems, and how many there are.
pub(crate) fn problems(problems: &[Problem], total: u64, messages: Messages) {
    if messages.quiet || total == 0 {
        return;
    }
    let told = problems.len().min(if messages.verbose { usize::MAX } else { TOLD });
    let total = total as usize;
    let mut stderr = io::stderr().lock();
    for problem in problems.iter().take(told) {
        let _ = writeln!(stderr, "heliostat: {problem}");
    }
    let way = if messages.verbose { "" } else { " (use -v)" };
    let _ = match total.saturating_sub(told) {
        0 => writeln!(stderr, "heliostat: {}", counted(total, "problem")),
        left => writeln!(stderr, "heliostat: … and {}{way}", counted(left, "more problem")),
    };
}
