//! Values with their letters changed: `toLowerCase`, `toUpperCase` and `replace(char, char)`.

use super::text;
use super::value::Value;

impl Value {
    /// `toLowerCase()`, as in the root locale: Turkish, Azerbaijani and Lithuanian ones differ for `I` and `J`.
    #[must_use]
    pub fn to_lower_case(&self) -> Self {
        self.in_case(<[u8]>::to_ascii_lowercase)
    }

    /// `toUpperCase()`, as in the root locale: Turkish and Azerbaijani ones differ for `i`.
    #[must_use]
    pub fn to_upper_case(&self) -> Self {
        self.in_case(<[u8]>::to_ascii_uppercase)
    }

    /// What is not ASCII may become several characters, depends on its neighbours, and differs between versions of Unicode: nothing
    /// is said of it.
    fn in_case(&self, change: fn(&[u8]) -> Vec<u8>) -> Self {
        let (prefix, suffix) = (ascii_prefix(self.known_prefix()), ascii_suffix(self.known_suffix()));
        match self {
            Self::Exact(text) if text.is_ascii() => Self::exact(&change(text)),
            Self::Exact(_) | Self::Partial { .. } => Self::partial(&change(prefix), &change(suffix)),
            Self::Piece(text) => Self::piece(&change(ascii_prefix(text))),
        }
    }

    /// `replace(char, char)`. Each is one character.
    #[must_use]
    pub fn replace_char(&self, old: &[u8], new: &[u8]) -> Self {
        let change = |text| {
            let characters =
                text::characters(text).map(|character| if character == old { new } else { character });
            characters.collect::<Vec<_>>().concat()
        };
        match self {
            Self::Exact(text) => Self::exact(&change(text)),
            Self::Partial { prefix, suffix } => Self::partial(&change(prefix), &change(suffix)),
            Self::Piece(text) => Self::piece(&change(text)),
        }
    }
}

fn ascii_prefix(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii()).unwrap_or(text.len());
    &text[..end]
}

fn ascii_suffix(text: &[u8]) -> &[u8] {
    let start = text.iter().rposition(|byte| !byte.is_ascii()).map_or(0, |last| last + 1);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Value {
        Value::exact(text.as_bytes())
    }

    #[test]
    fn letters_change_where_they_are_ascii() {
        assert_eq!(exact("GetName1").to_lower_case(), exact("getname1"));
        assert_eq!(exact("GetName1").to_upper_case(), exact("GETNAME1"));
        assert_eq!(exact("Gr\u{fc}N").to_lower_case(), Value::partial(b"gr", b"n"));
        assert_eq!(Value::partial(b"Ab", b"cD").to_upper_case(), Value::partial(b"AB", b"CD"));
        assert_eq!(Value::piece(b"Ab").to_lower_case(), Value::piece(b"ab"));
    }

    #[test]
    fn a_getter_is_made_of_a_property() {
        use super::super::cut::Position::{self, FromStart};
        let name = exact("size");
        let first = name.substring(FromStart(0), FromStart(1)).to_upper_case();
        let getter = exact("get").concat(&first).concat(&name.substring(FromStart(1), Position::END));
        assert_eq!(getter, exact("getSize"));
    }

    #[test]
    fn characters_are_replaced_wherever_they_are_known() {
        assert_eq!(exact("a/b/C").replace_char(b"/", b"."), exact("a.b.C"));
        assert_eq!(Value::partial(b"a/", b"/C").replace_char(b"/", b"."), Value::partial(b"a.", b".C"));
        assert_eq!(Value::piece(b"b/c").replace_char(b"/", b"."), Value::piece(b"b.c"));
        let wide = heliostat_classfile::mutf8::encode("\u{e9}");
        assert_eq!(Value::exact(&wide).replace_char(&wide, b"e"), exact("e"));
    }
}
