//! How text is laid out: for a terminal of some width, or for a file.

use std::env;
use std::io::{self, IsTerminal};

use terminal_size::{Width, terminal_size_of};

use crate::args::Messages;

/// Where a line ends if nothing is known of the terminal.
const WIDTH: usize = 100;

/// How a report is laid out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Where a line should end.
    pub(crate) width: usize,
    /// Whether what is longer is cut.
    pub(crate) cut: bool,
    /// Whether long lists are written in full.
    pub(crate) all: bool,
    /// Whether problems are kept quiet about.
    pub(crate) quiet: bool,
}

impl Style {
    /// The style for standard output. Only on a terminal is anything cut; with `all`, nowhere.
    pub(crate) fn of_output(all: bool, messages: Messages) -> Self {
        let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal = terminal_size_of(io::stdout()).map(|(Width(width), _)| usize::from(width));
        let width = columns.or(terminal).filter(|&width| width > 0).unwrap_or(WIDTH);
        Self { width, cut: !all && io::stdout().is_terminal(), all, quiet: messages.quiet }
    }
}

/// A text that fits into the room: what is too long loses its middle.
pub(super) fn shortened(text: &str, room: usize) -> String {
    let length = text.chars().count();
    if length <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let front = kept / 2;
    let end = text.chars().skip(length - (kept - front));
    text.chars().take(front).chain(['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn the_middle_goes_first() {
        assert_eq!(shortened("com/acme/Loader", 15), "com/acme/Loader");
        assert_eq!(shortened("com/acme/Loader", 9), "com/…ader");
        assert_eq!(shortened("grün", 3), "g…n");
        assert_eq!(shortened("abc", 0), "…");
    }
}
