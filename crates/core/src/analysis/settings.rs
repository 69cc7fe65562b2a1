//! What is asked of an analysis, as plain data.

use heliostat_pta::{Flavour, HeapOptions};
pub use heliostat_reflect::{Mode as ReflectionMode, Settings as ReflectionSettings};
use heliostat_trace::annotations::Annotation;
pub use heliostat_trace::tamiflex::Entry as LogEntry;

use super::Budget;

/// What is asked of an analysis.
#[derive(Debug, Clone)]
pub struct AnalysisSettings {
    /// The main classes to start from, by internal or source name; if none, those that the manifests name, else every one.
    pub mains: Vec<String>,
    /// Where the program is entered; if nothing is said, at its mains.
    pub entries: Vec<EntryChoice>,
    /// What tells two calls of a method apart.
    pub context: Flavour,
    /// How many contexts a method has at most; as many as there are if nothing is said.
    pub most_contexts: Option<u32>,
    /// What counts as one object.
    pub heap: HeapOptions,
    /// How reflective calls are looked into.
    pub reflection: ReflectionSettings,
    /// What reflective calls are known to have done: the entries of logs of real runs.
    pub reflection_log: Vec<LogEntry>,
    /// What the user says that reflective calls do.
    pub annotations: Vec<Annotation>,
    /// When to end early.
    pub budget: Budget,
}

impl Default for AnalysisSettings {
    /// Context-insensitive from the mains on, everything merged that can be, without a limit.
    fn default() -> Self {
        let heap =
            HeapOptions { distinct_strings: false, distinct_builders: false, distinct_exceptions: false };
        Self {
            mains: Vec::new(),
            entries: Vec::new(),
            context: Flavour::INSENSITIVE,
            most_contexts: None,
            heap,
            reflection: ReflectionSettings::default(),
            reflection_log: Vec::new(),
            annotations: Vec::new(),
            budget: Budget::default(),
        }
    }
}

impl AnalysisSettings {
    /// Where the program is entered, the mains among it if one was named.
    pub(super) fn choices(&self) -> Vec<EntryChoice> {
        let mut choices = self.entries.clone();
        let wants_mains = choices.is_empty() || !self.mains.is_empty();
        if wants_mains && !choices.contains(&EntryChoice::Main) {
            choices.insert(0, EntryChoice::Main);
        }
        choices
    }
}

/// Where a program is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryChoice {
    /// At its main methods.
    Main,
    /// At every public and protected method of the public types of the inputs: a library.
    Public,
    /// At the methods that a [`MethodPattern`](crate::MethodPattern) of this text means.
    Methods(String),
}

impl EntryChoice {
    /// The choice that a text means.
    pub fn new(text: &str) -> Self {
        match text {
            "main" => Self::Main,
            "public" => Self::Public,
            pattern => Self::Methods(pattern.to_owned()),
        }
    }

    /// The text that means it.
    pub fn text(&self) -> &str {
        match self {
            Self::Main => "main",
            Self::Public => "public",
            Self::Methods(pattern) => pattern,
        }
    }
}
