//! Why there is nothing to start from, and what to do about it.

use heliostat_core::NoEntry;
use heliostat_core::info::MainClass;
use heliostat_report::summary::text::flaw;

use super::no_match::{self, listed};
use crate::args::WantedJdk;

const LIBRARY: &str = "analyse a library with --entry public, or name methods with --entry PATTERN";

/// Why there is nothing to start from.
pub(super) fn text(why: &NoEntry, jdk: &WantedJdk) -> String {
    match why {
        NoEntry::NoMain { unusable } => {
            let head = "no class of the inputs has a main method to start from".to_owned();
            let named = unusable.iter().map(in_vain);
            let lines: Vec<_> = std::iter::once(head).chain(named).chain([LIBRARY.to_owned()]).collect();
            lines.join("\n  ")
        }
        NoEntry::NoSuchClass { class, mains } => {
            among(&format!("there is no class `{class}` to start from"), mains)
        }
        NoEntry::Unreadable { class, why } => {
            format!("the class `{class}` could not be read, so there is nothing to start from\n  {why}")
        }
        NoEntry::NotMain { class, mains } => among(&format!("{class} has no main method"), mains),
        NoEntry::NothingPublic => {
            "no public type of the inputs has a public or protected method to start from, with code or with a class \
             that implements it\n  \
             name methods with --entry PATTERN"
                .to_owned()
        }
        NoEntry::NoMatch { pattern, why } => no_match::text(pattern, why, jdk),
        NoEntry::NoCode { pattern } => format!("all methods that match `{pattern}` are abstract"),
    }
}

fn among(head: &str, mains: &[String]) -> String {
    if mains.is_empty() {
        return format!("{head}\n  neither has any class of the inputs; {LIBRARY}");
    }
    listed(&format!("{head}\n  classes of the inputs that have a main method:"), mains)
}

fn in_vain(main: &MainClass) -> String {
    let by = main.named_by.as_ref();
    let by = by.map(|by| format!("{} of {}", by.header, by.archive)).unwrap_or_default();
    let flaw = if main.archive.is_some() { "has none".to_owned() } else { flaw(main) };
    format!("{by} is {}, which {flaw}", main.class)
}
