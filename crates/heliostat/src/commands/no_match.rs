//! Why a pattern matches nothing, and what may have been meant.

use heliostat_core::{JdkChoice, NoMatch};

use crate::args::WantedJdk;

/// How many guesses are told.
const GUESSES: usize = 5;

/// Why nothing matches a pattern.
pub(super) fn text(pattern: &str, why: &NoMatch, jdk: &WantedJdk) -> String {
    let head = format!("no method matches `{pattern}`");
    match why {
        NoMatch::NoMethods { class } => format!("{head}: {class} has no methods"),
        NoMatch::NoSuchMethod { class, methods, alike: true } => {
            listed(&format!("{head}\n  {class} has with a similar name:"), methods)
        }
        NoMatch::NoSuchMethod { class, methods, alike: false } => {
            listed(&format!("{head}\n  {class} has:"), methods)
        }
        NoMatch::NoJdk => {
            let why =
                if *jdk == WantedJdk::Choice(JdkChoice::None) { "--jdk none" } else { "none was found" };
            format!("{head}: there is no JDK behind the inputs ({why}); choose one with --jdk")
        }
        NoMatch::MissingClass { class } => format!("{head}: {class} is referred to but missing"),
        NoMatch::Similar(names) if names.is_empty() => {
            format!(
                "{head}\n  classes outside the inputs are found by their full name only; see heliostat help ir"
            )
        }
        NoMatch::Similar(names) => listed(&format!("{head}\n  what is there with a similar name:"), names),
    }
}

/// A line, and the first of some names below it.
pub(super) fn listed(head: &str, names: &[String]) -> String {
    let mut lines = vec![head.to_owned()];
    lines.extend(names.iter().take(GUESSES).map(|name| format!("  {name}")));
    if names.len() > GUESSES {
        lines.push(format!("  … and {} more", names.len() - GUESSES));
    }
    lines.join("\n")
}
