//! What is reported of reflective calls: a rule for each state in which something is unknown.

use heliostat_core::analysis::Known;

use super::format::{Configuration, Descriptor, Help, Message};

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Unresolved,
    Partly,
}

const WHAT_TO_DO: &str = "\
What to do: record a real run that comes here (`heliostat trace -- java -jar app.jar`), and give what it did to the \
analysis (`--reflection-log heliostat-trace/reflection.log`); or write down what it does (`heliostat reflection app.jar \
--format annotations` makes a file to fill in, which `--annotations` takes). What reflection does at this call may need keep rules, or \
metadata for native images.";

impl Rule {
    /// All of them, in the order of their numbers.
    pub(super) const ALL: [Self; 2] = [Self::Unresolved, Self::Partly];

    /// The rule for calls of which so much is known; none if that is all.
    pub(super) fn of(known: Known) -> Option<Self> {
        match known {
            Known::Unresolved => Some(Self::Unresolved),
            Known::Partly => Some(Self::Partly),
            Known::Resolved => None,
        }
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }

    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Unresolved => "reflection/unresolved",
            Self::Partly => "reflection/partly-resolved",
        }
    }

    pub(super) fn level(self) -> &'static str {
        match self {
            Self::Unresolved => "warning",
            Self::Partly => "note",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Unresolved => "UnresolvedReflection",
            Self::Partly => "PartlyResolvedReflection",
        }
    }

    fn short(self) -> &'static str {
        match self {
            Self::Unresolved => "A reflective call of which nothing is known.",
            Self::Partly => "A reflective call of which not all may be known.",
        }
    }

    fn full(self) -> &'static str {
        match self {
            Self::Unresolved => {
                "The analysis reaches this call of the reflection API, and does not know which class or member it is about. \
                 What the call loads, makes, calls, reads or writes is no part of the call graph, nor is anything that is \
                 reached only through it."
            }
            Self::Partly => {
                "The analysis knows some classes or members that this call of the reflection API is about, and cannot tell \
                 that there are no others: real runs need not have done all that the program can do. What else the call \
                 does is no part of the call graph."
            }
        }
    }

    /// The rule as tools show it.
    pub(super) fn descriptor(self) -> Descriptor {
        let message = |text: &str| Message { text: text.to_owned() };
        let help = format!("{} {WHAT_TO_DO}", self.full());
        Descriptor {
            id: self.id(),
            name: self.name(),
            short_description: message(self.short()),
            full_description: message(self.full()),
            help: Help { markdown: format!("{}\n\n{WHAT_TO_DO}", self.full()), text: help },
            default_configuration: Configuration { level: self.level() },
        }
    }
}
