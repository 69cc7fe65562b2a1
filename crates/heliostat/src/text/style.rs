//! How text is laid out on standard output.

use std::env;
use std::io::{self, IsTerminal};

use heliostat_report::text::Style;
use terminal_size::{Width, terminal_size_of};

use crate::args::Messages;

/// Where a line ends if nothing is known of the terminal.
const WIDTH: usize = 100;

/// The style for standard output. Only on a terminal is anything cut; with `all`, nowhere. `more` tells how to see what is
/// left out of lists.
pub(crate) fn of_output(all: bool, messages: Messages, more: &'static str) -> Style {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = terminal_size_of(io::stdout()).map(|(Width(width), _)| usize::from(width));
    let width = columns.or(terminal).filter(|&width| width > 0).unwrap_or(WIDTH);
    Style { width, cut: !all && io::stdout().is_terminal(), all, quiet: messages.quiet, more }
}
