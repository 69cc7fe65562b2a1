//! `replace(CharSequence, CharSequence)`.

use super::text;
use super::value::Value;

impl Value {
    /// `replace(old, new)`. What is replaced is found from the left, so that of a known end only what lies clear of a match
    /// across its border is sure.
    #[must_use]
    pub fn replace(&self, old: &Self, new: &Self) -> Self {
        let Some(old) = old.as_exact() else { return Self::unknown() };
        match self {
            Self::Exact(text) if old.is_empty() => between_characters(text, new),
            _ if old.is_empty() => Self::unknown(),
            Self::Exact(text) => replaced(text, old, new),
            Self::Partial { prefix, suffix } => {
                let prefix = replaced(sure_prefix(prefix, old), old, new);
                let suffix = replaced(sure_suffix(suffix, old), old, new);
                Self::partial(prefix.known_prefix(), suffix.known_suffix())
            }
            Self::Piece(text) => match replaced(sure_middle(text, old), old, new) {
                Self::Exact(text) => Self::piece(&text),
                _ => Self::unknown(),
            },
        }
    }
}

/// A text with all that is replaced in it.
fn replaced(text: &[u8], old: &[u8], new: &Value) -> Value {
    let (mut all, mut from) = (Value::exact(b""), 0);
    while let Some(at) = text::find(text, old, from) {
        all = all.concat(&Value::exact(&text[from..at])).concat(new);
        from = at + old.len();
    }
    all.concat(&Value::exact(&text[from..]))
}

/// What Java makes of replacing nothing: the new text around all characters.
fn between_characters(text: &[u8], new: &Value) -> Value {
    let add = |all: Value, character| all.concat(&Value::exact(character)).concat(new);
    text::characters(text).fold(new.clone(), add)
}

/// What a string begins with, up to where a match may begin that goes on beyond it. No match begins inside a character.
fn sure_prefix<'a>(prefix: &'a [u8], old: &[u8]) -> &'a [u8] {
    let mut at = 0;
    while at < prefix.len() {
        let rest = &prefix[at..];
        if old.starts_with(rest) && old.len() > rest.len() {
            break;
        }
        at += if rest.starts_with(old) { old.len() } else { 1 };
    }
    &prefix[..at]
}

/// What a string ends with, from where no match reaches into it and the matches in it are the same whatever is before.
fn sure_suffix<'a>(suffix: &'a [u8], old: &[u8]) -> &'a [u8] {
    let clear = reach_in(suffix, old);
    if !overlaps_itself(old) {
        return &suffix[clear..];
    }
    let last = text::find_last(suffix, old).map_or(0, |at| at + old.len());
    &suffix[last.max(clear)..]
}

/// What a string has somewhere, without what a match across a border of it may take, if the matches in it are the same whatever is around.
fn sure_middle<'a>(piece: &'a [u8], old: &[u8]) -> &'a [u8] {
    let is_inside = text::find(old, piece, 0).is_some();
    let is_open = overlaps_itself(old) && text::find(piece, old, 0).is_some();
    let reaches_out = |&at: &usize| old.starts_with(&piece[at..]) && piece.len() - at < old.len();
    let end = (0..piece.len()).find(reaches_out).unwrap_or(piece.len());
    let middle = piece.get(reach_in(piece, old)..end).filter(|_| !is_inside && !is_open);
    middle.unwrap_or_default()
}

/// How many bytes a match that begins before a text may reach into it.
fn reach_in(text: &[u8], old: &[u8]) -> usize {
    (1..old.len()).rev().find(|&n| text.starts_with(&old[old.len() - n..])).unwrap_or(0)
}

/// Whether two matches may overlap, so that it counts where the first one is.
fn overlaps_itself(old: &[u8]) -> bool {
    (1..old.len()).any(|n| old.ends_with(&old[..n]))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{exact, partial};
    use super::*;

    #[test]
    fn whole_strings() {
        assert_eq!(exact("a/b/C").replace(&exact("/"), &exact(".")), exact("a.b.C"));
        assert_eq!(exact("aaa").replace(&exact("aa"), &exact("b")), exact("ba"));
        assert_eq!(exact("ab").replace(&exact(""), &exact("-")), exact("-a-b-"));
        assert_eq!(exact("a-b").replace(&exact("-"), &Value::unknown()), partial("a", "b"));
        assert_eq!(exact("ab").replace(&exact("-"), &Value::unknown()), exact("ab"));
        assert_eq!(exact("ab").replace(&Value::unknown(), &exact("")), Value::unknown());
    }

    #[test]
    fn ends_stay_where_no_match_can_reach_across() {
        let slashes = |prefix, suffix| partial(prefix, suffix).replace(&exact("/"), &exact("."));
        assert_eq!(slashes("a/b", "/c/D"), partial("a.b", ".c.D"));
        let words = |prefix, suffix| partial(prefix, suffix).replace(&exact("xyz"), &exact("-"));
        assert_eq!(words("axyzbx", ""), partial("a-b", ""));
        assert_eq!(words("axyzbxyz", ""), partial("a-b-", ""));
        assert_eq!(words("", "zaxyzb"), partial("", "a-b"));
        let doubled = partial("", "aaab").replace(&exact("aa"), &exact("-"));
        assert_eq!(
            doubled,
            partial("", "b"),
            "whether the first match is at the first or second place is open"
        );
    }

    #[test]
    fn pieces_stay_without_their_borders() {
        let piece = Value::piece(b"zaxyzbx");
        assert_eq!(piece.replace(&exact("xyz"), &exact("-")), Value::piece(b"a-b"));
        assert_eq!(piece.replace(&exact("xyz"), &Value::unknown()), Value::unknown());
    }
}
