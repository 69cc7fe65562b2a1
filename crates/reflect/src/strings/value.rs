//! What is known of a string.

use std::fmt;

use heliostat_program::quote;

use super::names::{Kind, Lengths};
use super::text;

/// How many characters of a string, or of an end of it, are kept at most. A longer string is known by its two ends.
pub const LONGEST: usize = 1024;

/// What is known of a string at run time. Texts are modified UTF-8.
///
/// Operations over-approximate: whatever strings their operands [describe](Self::describes), the result describes what Java
/// makes of them. Where Java throws, any result does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// It is this.
    Exact(Box<[u8]>),
    /// It begins and ends so; the two may overlap, and both may be empty.
    Partial {
        /// How it begins.
        prefix: Box<[u8]>,
        /// How it ends.
        suffix: Box<[u8]>,
    },
    /// It has this somewhere.
    Piece(Box<[u8]>),
}

impl Value {
    /// A string that is known in full.
    pub fn exact(text: &[u8]) -> Self {
        // No character takes more bytes than three, so that short texts need not be counted.
        if text.len() <= LONGEST || text::length(text) <= LONGEST {
            return Self::Exact(text.into());
        }
        Self::partial(text, text)
    }

    /// A string of which the ends are known, as far as they are.
    pub fn partial(prefix: &[u8], suffix: &[u8]) -> Self {
        let prefix = text::split_first(prefix, LONGEST).0.into();
        Self::Partial { prefix, suffix: text::split_last(suffix, LONGEST).1.into() }
    }

    /// A string that has a text somewhere: one of those appended to a builder in unknown order, for example.
    pub fn piece(text: &[u8]) -> Self {
        // An empty piece says no more than nothing at all.
        if text.is_empty() {
            return Self::unknown();
        }
        Self::Piece(text::split_first(text, LONGEST).0.into())
    }

    /// A string of which nothing is known.
    pub fn unknown() -> Self {
        Self::Partial { prefix: Box::default(), suffix: Box::default() }
    }

    /// The whole string, if it is known.
    pub fn as_exact(&self) -> Option<&[u8]> {
        match self {
            Self::Exact(text) => Some(text),
            Self::Partial { .. } | Self::Piece(_) => None,
        }
    }

    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Partial { prefix, suffix } if prefix.is_empty() && suffix.is_empty())
    }

    /// Whether the string may be this one.
    pub fn describes(&self, string: &[u8]) -> bool {
        match self {
            Self::Exact(text) => **text == *string,
            Self::Partial { prefix, suffix } => string.starts_with(prefix) && string.ends_with(suffix),
            Self::Piece(text) => text::find(string, text, 0).is_some(),
        }
    }

    /// Whether a name is one that the string may be, of parts that are long enough to tell (APLAS'15, section 3.1). Class names are
    /// given with dots.
    ///
    /// Of two ends, one that is long enough tells, and then the other counts at any length. A piece is matched as the paper matches constants:
    /// as beginning or end of a member's name, and as end of a class name.
    pub fn matches(&self, name: &[u8], kind: Kind, lengths: &Lengths) -> bool {
        let long_prefix = |text: &[u8]| text::length(text) >= lengths.prefix(kind);
        let long_suffix = |text: &[u8]| text::length(text) >= lengths.suffix(kind);
        match self {
            Self::Exact(text) => **text == *name,
            Self::Partial { prefix, suffix } => {
                (long_prefix(prefix) || long_suffix(suffix)) && self.describes(name)
            }
            Self::Piece(text) => {
                let begins = kind != Kind::Class && long_prefix(text) && name.starts_with(text);
                begins || long_suffix(text) && name.ends_with(text)
            }
        }
    }

    /// How the string begins, as far as that is known.
    pub(super) fn known_prefix(&self) -> &[u8] {
        match self {
            Self::Exact(text) | Self::Partial { prefix: text, .. } => text,
            Self::Piece(_) => b"",
        }
    }

    /// How the string ends, as far as that is known.
    pub(super) fn known_suffix(&self) -> &[u8] {
        match self {
            Self::Exact(text) | Self::Partial { suffix: text, .. } => text,
            Self::Piece(_) => b"",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(text) => f.write_str(&quote(text)),
            Self::Partial { prefix, suffix } => match (prefix.is_empty(), suffix.is_empty()) {
                (true, true) => f.write_str("..."),
                (false, true) => write!(f, "{}...", quote(prefix)),
                (true, false) => write!(f, "...{}", quote(suffix)),
                (false, false) => write!(f, "{}...{}", quote(prefix), quote(suffix)),
            },
            Self::Piece(text) => write!(f, "...{}...", quote(text)),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partial(prefix: &str, suffix: &str) -> Value {
        Value::partial(prefix.as_bytes(), suffix.as_bytes())
    }

    fn piece(text: &str) -> Value {
        Value::piece(text.as_bytes())
    }

    #[test]
    fn describing_is_by_what_is_known() {
        let named = partial("set", "Name");
        assert!(named.describes(b"setName") && named.describes(b"setFirstName"));
        assert!(!named.describes(b"setSize") && !named.describes(b"Name"));
        assert!(partial("ab", "ba").describes(b"aba"), "ends may overlap");
        assert!(piece("Name").describes(b"getNames") && !piece("Name").describes(b"name"));
        assert!(Value::unknown().describes(b"") && Value::unknown().is_unknown());
        assert!(Value::exact(b"").describes(b"") && !Value::exact(b"").describes(b"a"));
    }

    #[test]
    fn ends_tell_if_one_of_them_is_long_enough() {
        let tells =
            |value: Value, kind, name: &str| value.matches(name.as_bytes(), kind, &Lengths::default());
        assert!(tells(partial("set", ""), Kind::Method, "setName"));
        assert!(!tells(partial("se", ""), Kind::Method, "setName"));
        assert!(tells(partial("", "Names"), Kind::Field, "theNames"));
        assert!(!tells(partial("", "Name"), Kind::Field, "theName"));
        assert!(tells(partial("set", "e"), Kind::Method, "setName"), "the other end counts at any length");
        assert!(!tells(partial("set", "s"), Kind::Method, "setName"));
        assert!(tells(partial("com.ac", ""), Kind::Class, "com.acme.A"));
        assert!(!tells(partial("com.a", ""), Kind::Class, "com.acme.A"));
        assert!(tells(partial("", "Module"), Kind::Class, "com.acme.Module"));
        assert!(!tells(partial("", "odule"), Kind::Class, "com.acme.Module"));
        assert!(tells(Value::exact(b"a"), Kind::Method, "a"), "whole names are of any length");
        assert!(!tells(Value::unknown(), Kind::Method, "a"));
    }

    #[test]
    fn pieces_are_ends_of_names() {
        let tells = |text, kind, name: &str| piece(text).matches(name.as_bytes(), kind, &Lengths::default());
        assert!(tells("set", Kind::Method, "setName") && !tells("set", Kind::Method, "reset"));
        assert!(tells("Names", Kind::Method, "setNames") && !tells("Name", Kind::Method, "setName"));
        assert!(!tells("Name", Kind::Method, "setNames"), "neither beginning nor end");
        assert!(tells("Module", Kind::Class, "com.acme.Module"));
        assert!(
            !tells("com.acme.", Kind::Class, "com.acme.Module"),
            "the paper has no beginnings of classes"
        );
    }

    #[test]
    fn lengths_can_be_chosen() {
        let lengths = Lengths { member_prefix: 1, class_suffix: 2, ..Lengths::default() };
        assert!(partial("s", "").matches(b"setName", Kind::Method, &lengths));
        assert!(piece("le").matches(b"Module", Kind::Class, &lengths));
    }

    #[test]
    fn lengths_count_characters() {
        let text = heliostat_classfile::mutf8::encode("\u{e9}t");
        assert!(!Value::partial(&text, b"").matches(&text, Kind::Method, &Lengths::default()));
    }

    #[test]
    fn what_is_too_long_is_known_by_its_ends() {
        let long = [b"a".repeat(LONGEST), b"b".repeat(LONGEST)].concat();
        assert_eq!(Value::exact(&long), Value::partial(&b"a".repeat(LONGEST), &b"b".repeat(LONGEST)));
        assert_eq!(Value::partial(&long, &long), Value::exact(&long));
        assert_eq!(Value::exact(&long[..LONGEST]).as_exact(), Some(&long[..LONGEST]));
        assert_eq!(Value::piece(&long), Value::piece(&long[..LONGEST]));
    }

    #[test]
    fn values_are_shown_as_they_are_known() {
        let shown =
            [Value::exact(b"a\"b"), partial("a", ""), partial("", "b"), partial("a", "b"), piece("c")];
        assert_eq!(
            shown.map(|v| v.to_string()),
            ["\"a\\\"b\"", "\"a\"...", "...\"b\"", "\"a\"...\"b\"", "...\"c\"..."]
        );
        assert_eq!(Value::unknown().to_string(), "...");
    }
}
