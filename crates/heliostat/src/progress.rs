//! Progress on a terminal, for what takes longer than a second.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use heliostat_core::Step;
use heliostat_report::text::thousands;

use crate::args::Messages;

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a line stands.
const PAUSE: Duration = Duration::from_millis(100);

/// One line on standard error that is written over and over, and gone at the end.
pub(crate) struct Meter {
    /// When to show the next line; none if nobody watches.
    next: Option<Instant>,
    shown: bool,
}

impl Meter {
    /// Starts to wait.
    pub(crate) fn start(messages: Messages) -> Self {
        let watched = !messages.quiet && io::stderr().is_terminal();
        Self { next: watched.then(|| Instant::now() + PATIENCE), shown: false }
    }

    /// Shows a step, if it is time to.
    pub(crate) fn show(&mut self, step: Step) {
        let Some(next) = self.next else { return };
        let now = Instant::now();
        if now < next {
            return;
        }
        self.next = Some(now + PAUSE);
        self.shown = true;
        let line = format!("\r\x1b[K{}", text(step));
        let _ = io::stderr().lock().write_all(line.as_bytes());
    }
}

fn text(step: Step) -> String {
    match step {
        Step::Part { doing, done, total } => format!("{doing} {}/{}", thousands(done), thousands(total)),
        Step::Reached { methods, edges } => {
            format!("analysing: {} methods, {} call edges", thousands(methods), thousands(edges))
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.shown {
            let _ = io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}
