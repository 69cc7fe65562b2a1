//! Why there is nothing to start from.

use crate::NoMatch;
use crate::info::MainClass;

/// Why there is nothing to start from.
#[derive(Debug, Clone)]
pub enum NoEntry {
    /// No class of the inputs has a main method.
    NoMain {
        /// The classes that a manifest names as main classes, for nothing.
        unusable: Vec<MainClass>,
    },
    /// The main class that was asked for is not there.
    NoSuchClass {
        /// Its name, as it was given.
        class: String,
        /// The classes of the inputs that have a main method.
        mains: Vec<String>,
    },
    /// The main class that was asked for could not be read.
    Unreadable {
        /// Its name, as it was given.
        class: String,
        /// Why, with archive, entry and offset.
        why: String,
    },
    /// The main class that was asked for has no main method.
    NotMain {
        /// Its name.
        class: String,
        /// The classes of the inputs that have one.
        mains: Vec<String>,
    },
    /// No public type of the inputs has a public or protected method.
    NothingPublic,
    /// No method matches a pattern.
    NoMatch {
        /// The pattern.
        pattern: String,
        /// Why.
        why: NoMatch,
    },
    /// All methods that match a pattern are abstract.
    NoCode {
        /// The pattern.
        pattern: String,
    },
}
