//! What a section asks of the analysis: the words after ` ```java `, the services of its program, and the log of its runs.

use heliostat_core::analysis::{ReflectionMode, parse_context};
use heliostat_core::pta::{Flavour, HeapOptions};

use crate::patch::{DynamicConstant, FieldHandle, Patch};

/// What a section asks of the analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The contexts to analyse the program with, one after the other; insensitive if none.
    contexts: Vec<Context>,
    /// Methods `A.f` that are analysed in contexts, if not all are.
    pub(crate) sensitive: Vec<String>,
    pub(crate) heap: HeapOptions,
    /// How reflective calls are looked into.
    pub(crate) reflection: ReflectionMode,
    /// Whether the JVM's start-up is part of the program.
    pub(crate) startup: bool,
    pub(crate) entry: Entry,
    /// Services with their providers.
    pub(crate) services: Vec<(String, Vec<String>)>,
    /// The lines of a log that says what its reflective calls did.
    pub(crate) log: Vec<String>,
    /// What is changed in the classes after they are compiled.
    pub(crate) patch: Patch,
}

/// Where a program begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// In every `main`.
    Main,
    /// In all public and protected methods of public classes.
    Public,
    /// In the methods of these names.
    Methods(Vec<String>),
}

/// A kind of context by its name: `insens`, `2obj`, `1call+heap`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Its name.
    pub name: String,
    /// What it means.
    pub flavour: Flavour,
}

impl Default for Wanted {
    fn default() -> Self {
        let heap =
            HeapOptions { distinct_strings: false, distinct_builders: false, distinct_exceptions: false };
        Self {
            contexts: Vec::new(),
            sensitive: Vec::new(),
            heap,
            reflection: ReflectionMode::None,
            startup: false,
            entry: Entry::Main,
            services: Vec::new(),
            log: Vec::new(),
            patch: Patch::default(),
        }
    }
}

impl Wanted {
    /// Takes in one word; false if it is none of ours.
    pub(crate) fn word(&mut self, word: &str) -> Result<bool, String> {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let values = || value.split(',').map(str::to_owned);
        let wrong = || format!("`{word}` is not understood");
        if value.is_empty() != (key == "startup")
            && matches!(key, "startup" | "context" | "sensitive" | "entry" | "reflection")
        {
            return Err(format!("`{word}` lacks a value, or has one too many"));
        }
        match key {
            "startup" => self.startup = true,
            "context" => {
                self.contexts = values().map(|name| Context::named(&name)).collect::<Result<_, _>>()?;
            }
            "sensitive" => self.sensitive = values().collect(),
            "reflection" => self.reflection = ReflectionMode::named(value).ok_or_else(wrong)?,
            "entry" if value == "public" => self.entry = Entry::Public,
            "entry" => self.entry = Entry::Methods(values().collect()),
            "distinct" => {
                for what in values() {
                    match what.as_str() {
                        "strings" => self.heap.distinct_strings = true,
                        "builders" => self.heap.distinct_builders = true,
                        "exceptions" => self.heap.distinct_exceptions = true,
                        _ => return Err(format!("`{what}` cannot be kept distinct")),
                    }
                }
            }
            "bootstrap" => {
                let (from, to) = value.split_once(':').ok_or_else(|| format!("`{word}` lacks a `:`"))?;
                self.patch.bootstraps.push((from.to_owned(), to.to_owned()));
            }
            "dynamic" => self.patch.constants.push(DynamicConstant::parse(value).ok_or_else(wrong)?),
            "handle" => self.patch.handles.push(FieldHandle::parse(value).ok_or_else(wrong)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The contexts to analyse the program with.
    pub(crate) fn contexts(&self) -> Vec<Context> {
        if self.contexts.is_empty() { vec![Context::insensitive()] } else { self.contexts.clone() }
    }
}

impl Context {
    fn insensitive() -> Self {
        Self { name: "insens".to_owned(), flavour: Flavour::INSENSITIVE }
    }

    fn named(name: &str) -> Result<Self, String> {
        let flavour =
            parse_context(name).map_err(|hint| format!("`{name}` is no kind of context: {hint}"))?;
        Ok(Self { name: name.to_owned(), flavour })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let mut wanted = Wanted::default();
        for word in [
            "context=insens,1obj",
            "startup",
            "entry=A.f,B.g",
            "distinct=strings",
            "sensitive=A.f",
            "reflection=constants",
        ] {
            assert_eq!(wanted.word(word), Ok(true), "{word}");
        }
        assert_eq!(wanted.contexts().len(), 2);
        assert!(wanted.startup && wanted.heap.distinct_strings && !wanted.heap.distinct_builders);
        assert_eq!(wanted.entry, Entry::Methods(vec!["A.f".to_owned(), "B.g".to_owned()]));
        assert_eq!(wanted.word("absent"), Ok(false));
        for wrong in ["context=", "context=2ob", "distinct=all", "startup=yes", "entry="] {
            assert!(wanted.word(wrong).is_err(), "{wrong}");
        }
    }
}
