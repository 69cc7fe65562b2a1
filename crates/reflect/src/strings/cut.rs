//! Values cut down: `substring`, positions to cut at, `trim` and `strip`.

use super::text;
use super::value::Value;

/// A position in a string, counted in characters as Java does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// So many characters from the beginning; -1 is what `indexOf` gives for what is not there.
    FromStart(i32),
    /// So many characters before the end.
    FromEnd(i32),
    /// Any.
    Unknown,
}

impl Position {
    /// The end of a string: what `length()` gives.
    pub const END: Self = Self::FromEnd(0);

    /// This position and so many characters more.
    #[must_use]
    pub fn plus(self, characters: i32) -> Self {
        let moved = match self {
            Self::FromStart(at) => at.checked_add(characters).map(Self::FromStart),
            Self::FromEnd(at) => at.checked_sub(characters).map(Self::FromEnd),
            Self::Unknown => None,
        };
        moved.unwrap_or(Self::Unknown)
    }
}

/// A character that is stripped.
type Space = fn(u16) -> bool;

impl Value {
    /// `length()`.
    pub fn length(&self) -> Position {
        self.as_exact().map_or(Position::END, from_start)
    }

    /// `indexOf(part)`.
    pub fn index_of(&self, part: &[u8]) -> Position {
        match (text::find(self.known_prefix(), part, 0), self) {
            // The first in what the string begins with is the first of all.
            (Some(at), _) => from_start(&self.known_prefix()[..at]),
            (None, Self::Exact(_)) => Position::FromStart(-1),
            (None, Self::Partial { .. } | Self::Piece(_)) => Position::Unknown,
        }
    }

    /// `lastIndexOf(part)`.
    pub fn last_index_of(&self, part: &[u8]) -> Position {
        let suffix = self.known_suffix();
        match (text::find_last(suffix, part), self) {
            (Some(at), Self::Exact(text)) => from_start(&text[..at]),
            (None, Self::Exact(_)) => Position::FromStart(-1),
            (Some(at), Self::Partial { .. } | Self::Piece(_)) => match from_start(&suffix[at..]) {
                Position::FromStart(before_end) => Position::FromEnd(before_end),
                other => other,
            },
            (None, Self::Partial { .. } | Self::Piece(_)) => Position::Unknown,
        }
    }

    /// `substring(begin, end)`; `substring(begin)` goes to [`Position::END`]. Of what is cut at an unknown place nothing stays known, since
    /// it may be empty.
    #[must_use]
    pub fn substring(&self, begin: Position, end: Position) -> Self {
        use Position::{FromEnd, FromStart};
        let cut = |at: i32| usize::try_from(at).ok();
        let result = match (begin, end) {
            (FromStart(begin), FromStart(end)) => cut(begin)
                .zip(cut(end))
                .filter(|(begin, end)| begin <= end)
                .and_then(|(begin, end)| self.first(end).without_first(begin)),
            (FromStart(begin), FromEnd(end)) => {
                cut(begin).zip(cut(end)).and_then(|(begin, end)| self.without_last(end)?.without_first(begin))
            }
            (FromEnd(begin), FromEnd(end)) => cut(begin)
                .zip(cut(end))
                .filter(|(begin, end)| begin >= end)
                .and_then(|(begin, end)| self.last(begin).without_last(end)),
            _ => None,
        };
        result.unwrap_or_else(Self::unknown)
    }

    /// The first so many characters of a string that has as many.
    fn first(&self, characters: usize) -> Self {
        let prefix = self.known_prefix();
        if text::length(prefix) >= characters {
            return Self::exact(text::split_first(prefix, characters).0);
        }
        Self::partial(prefix, b"")
    }

    /// The last so many characters of a string that has as many.
    fn last(&self, characters: usize) -> Self {
        let suffix = self.known_suffix();
        if text::length(suffix) >= characters {
            return Self::exact(text::split_last(suffix, characters).1);
        }
        Self::partial(b"", suffix)
    }

    /// All but the first so many characters; none of a string that is known to have fewer.
    fn without_first(&self, characters: usize) -> Option<Self> {
        match self {
            Self::Exact(text) => Some(Self::exact(&text[text::offset(text, characters)?..])),
            Self::Partial { prefix, suffix } => {
                let left = self.least_length().saturating_sub(characters);
                let prefix = text::split_first(prefix, characters).1;
                Some(Self::partial(prefix, text::split_last(suffix, left).1))
            }
            Self::Piece(text) => Some(Self::piece(text::split_first(text, characters).1)),
        }
    }

    /// All but the last so many characters; none of a string that is known to have fewer.
    fn without_last(&self, characters: usize) -> Option<Self> {
        match self {
            Self::Exact(text) => {
                let kept = text::length(text).checked_sub(characters)?;
                Some(Self::exact(text::split_first(text, kept).0))
            }
            Self::Partial { prefix, suffix } => {
                let left = self.least_length().saturating_sub(characters);
                let suffix = text::split_last(suffix, characters).0;
                Some(Self::partial(text::split_first(prefix, left).0, suffix))
            }
            Self::Piece(text) => Some(Self::piece(text::split_last(text, characters).0)),
        }
    }

    /// How many characters the string has at least.
    fn least_length(&self) -> usize {
        text::length(self.known_prefix()).max(text::length(self.known_suffix()))
    }

    /// `trim()`.
    #[must_use]
    pub fn trim(&self) -> Self {
        self.stripped(|unit| unit <= 0x20, true, true)
    }

    /// `strip()`.
    #[must_use]
    pub fn strip(&self) -> Self {
        self.stripped(is_white, true, true)
    }

    /// `stripLeading()`.
    #[must_use]
    pub fn strip_leading(&self) -> Self {
        self.stripped(is_white, true, false)
    }

    /// `stripTrailing()`.
    #[must_use]
    pub fn strip_trailing(&self) -> Self {
        self.stripped(is_white, false, true)
    }

    /// The string may be white all the way to what is known of its other end, so that both are stripped alike.
    fn stripped(&self, space: Space, leading: bool, trailing: bool) -> Self {
        let strip = |text| {
            let text = if leading { without_leading(text, space) } else { text };
            if trailing { without_trailing(text, space) } else { text }
        };
        match self {
            Self::Exact(text) => Self::exact(strip(text)),
            Self::Partial { prefix, suffix } => Self::partial(strip(prefix), strip(suffix)),
            Self::Piece(text) => Self::piece(strip(text)),
        }
    }
}

/// The position after a text that a string begins with.
fn from_start(text: &[u8]) -> Position {
    i32::try_from(text::length(text)).map_or(Position::Unknown, Position::FromStart)
}

fn without_leading(text: &[u8], space: Space) -> &[u8] {
    let spaces = text::characters(text).take_while(|c| is_space(c, space)).map(<[u8]>::len).sum();
    &text[spaces..]
}

fn without_trailing(text: &[u8], space: Space) -> &[u8] {
    let spaces: usize =
        text::characters(text).rev().take_while(|c| is_space(c, space)).map(<[u8]>::len).sum();
    &text[..text.len() - spaces]
}

fn is_space(character: &[u8], space: Space) -> bool {
    heliostat_classfile::mutf8::code_units(character).next().is_some_and(space)
}

/// `Character.isWhitespace`; nothing beyond the basic plane is.
fn is_white(unit: u16) -> bool {
    matches!(
        unit,
        0x09..=0x0d | 0x1c..=0x20 | 0x1680 | 0x2000..=0x2006 | 0x2008..=0x200a | 0x2028 | 0x2029 | 0x205f | 0x3000
    )
}

#[cfg(test)]
mod tests {
    use super::Position::{FromEnd, FromStart, Unknown};
    use super::*;

    fn exact(text: &str) -> Value {
        Value::exact(&heliostat_classfile::mutf8::encode(text))
    }

    fn partial(prefix: &str, suffix: &str) -> Value {
        Value::partial(prefix.as_bytes(), suffix.as_bytes())
    }

    #[test]
    fn whole_strings_are_cut_by_characters() {
        let from = |text, begin| exact(text).substring(FromStart(begin), Position::END);
        assert_eq!(from("getName", 3), exact("Name"));
        assert_eq!(from("gr\u{fc}n", 3), exact("n"));
        assert_eq!(from("abc", 3), exact(""));
        assert_eq!(from("abc", 4), Value::unknown());
        assert_eq!(from("abc", -1), Value::unknown());
        assert_eq!(exact("name").substring(FromStart(0), FromStart(1)), exact("n"));
        assert_eq!(exact("name").substring(FromStart(2), FromStart(1)), Value::unknown());
        assert_eq!(exact("name").substring(FromStart(0), Unknown), Value::unknown());
        assert_eq!(exact("name").substring(Unknown, Position::END), Value::unknown());
    }

    #[test]
    fn ends_are_kept_as_far_as_the_string_is_long_enough() {
        let of = |prefix, suffix, begin, end| partial(prefix, suffix).substring(begin, end);
        assert_eq!(of("com.acme.", "Impl", FromStart(4), Position::END), partial("acme.", "Impl"));
        assert_eq!(of("", "Impl", FromStart(1), Position::END), partial("", "mpl"));
        assert_eq!(of("set", "", FromStart(0), FromStart(1)), exact("s"));
        assert_eq!(of("set", "", FromStart(1), FromStart(5)), partial("et", ""));
        assert_eq!(of("set", "Name", FromStart(0), FromEnd(2)), partial("se", "Na"));
        assert_eq!(of("set", "Name", FromEnd(2), Position::END), exact("me"));
        assert_eq!(of("set", "Name", FromEnd(5), Position::END), partial("", "Name"));
        assert_eq!(of("set", "Name", FromEnd(3), FromEnd(1)), exact("am"));
        assert_eq!(of("set", "Name", FromEnd(3), FromStart(5)), Value::unknown());
        assert_eq!(Value::piece(b"Name").substring(FromStart(1), Position::END), Value::piece(b"ame"));
    }

    #[test]
    fn the_last_part_of_a_name_is_found() {
        for (value, expected) in [
            (exact("com.acme.Loader"), exact("Loader")),
            (partial("com.", ".Loader"), exact("Loader")),
            (exact("Loader"), exact("Loader")),
            (partial("com.acme.", ""), Value::unknown()),
        ] {
            let begin = value.last_index_of(b".").plus(1);
            assert_eq!(value.substring(begin, Position::END), expected, "{value}");
        }
        let value = partial("com.acme.", "");
        assert_eq!(value.substring(FromStart(0), value.index_of(b".")), exact("com"));
        assert_eq!(Value::unknown().index_of(b"."), Unknown);
        assert_eq!(exact("gr\u{fc}n.a").index_of(b"."), FromStart(4));
        assert_eq!(exact("abc").length().plus(-1), FromStart(2));
        assert_eq!(partial("a", "b").length().plus(-1), FromEnd(1));
    }

    #[test]
    fn white_space_goes_from_ends() {
        assert_eq!(exact(" \t a b\n").trim(), exact("a b"));
        assert_eq!(exact("\u{1}a\u{2003}").trim(), exact("a\u{2003}"));
        assert_eq!(exact("\u{1}a\u{2003}").strip(), exact("\u{1}a"));
        assert_eq!(exact("\u{a0}a").strip(), exact("\u{a0}a"), "no-break space stays");
        assert_eq!(exact(" a ").strip_leading(), exact("a "));
        assert_eq!(exact(" a ").strip_trailing(), exact(" a"));
        assert_eq!(partial(" a ", " b ").trim(), partial("a", "b"));
        assert_eq!(partial(" a ", " b ").strip_leading(), partial("a ", "b "));
        assert_eq!(partial(" ", "b").trim(), partial("", "b"));
        assert_eq!(Value::piece(b" a ").trim(), Value::piece(b"a"));
    }
}
