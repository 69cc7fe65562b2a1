//! `split` by a delimiter that is no real regular expression, and the elements of the array it gives.

use super::text;
use super::value::Value;

/// Characters that mean something in a regular expression.
const META: &[u8] = b"\\[](){}.*+?^$|";

/// The elements of what `split` gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The first elements, in order; the array may well have fewer.
    pub first: Vec<Value>,
    /// What each further element is, if there may be any.
    pub others: Option<Value>,
}

impl Parts {
    /// Elements of which nothing is known.
    fn unknown() -> Self {
        Self { first: Vec::new(), others: Some(Value::unknown()) }
    }

    /// What an element may be.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.first.iter().chain(&self.others)
    }

    /// What the element of an index is, if there is one.
    pub fn get(&self, index: usize) -> Option<&Value> {
        self.first.get(index).or(self.others.as_ref())
    }
}

impl Value {
    /// `split(regex, limit)`; `split(regex)` has limit 0. A regular expression that is more than a text tells nothing.
    pub fn split(&self, regex: &Self, limit: i32) -> Parts {
        let delimiter = regex.as_exact().and_then(literal).filter(|delimiter| !delimiter.is_empty());
        let Some(delimiter) = delimiter else { return Parts::unknown() };
        match self {
            Self::Exact(text) => split_exact(text, &delimiter, limit),
            // The first parts are whole up to the last delimiter, as long as the limit does not end the splitting before.
            Self::Partial { prefix, .. } if limit <= 0 => {
                let mut first = pieces(prefix, &delimiter, limit);
                first.pop();
                let first = first.into_iter().map(Self::exact).collect();
                Parts { first, others: Some(Self::unknown()) }
            }
            Self::Partial { .. } | Self::Piece(_) => Parts::unknown(),
        }
    }
}

fn split_exact(text: &[u8], delimiter: &[u8], limit: i32) -> Parts {
    let mut all = pieces(text, delimiter, limit);
    if limit == 0 && all.len() > 1 {
        let kept = all.iter().rposition(|piece| !piece.is_empty()).map_or(0, |last| last + 1);
        all.truncate(kept);
    }
    Parts { first: all.into_iter().map(Value::exact).collect(), others: None }
}

/// What lies between delimiters, in at most `limit` pieces if that is positive.
fn pieces<'a>(text: &'a [u8], delimiter: &[u8], limit: i32) -> Vec<&'a [u8]> {
    let most = usize::try_from(limit).ok().filter(|&limit| limit > 0).unwrap_or(usize::MAX);
    let (mut all, mut from) = (Vec::new(), 0);
    while all.len() + 1 < most
        && let Some(at) = text::find(text, delimiter, from)
    {
        all.push(&text[from..at]);
        from = at + delimiter.len();
    }
    all.push(&text[from..]);
    all
}

/// The text that a regular expression matches, if it matches only one: without special characters, or with a backslash before each.
fn literal(regex: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(regex.len());
    let mut bytes = regex.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'\\' {
            // Before letters and digits a backslash makes a class or a reference.
            let &escaped = bytes.next().filter(|escaped| escaped.is_ascii_punctuation())?;
            text.push(escaped);
        } else if META.contains(&byte) {
            return None;
        } else {
            text.push(byte);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Value {
        Value::exact(text.as_bytes())
    }

    fn parts(text: &str, regex: &str, limit: i32) -> Vec<Value> {
        let parts = exact(text).split(&exact(regex), limit);
        assert_eq!(parts.others, None);
        parts.first
    }

    fn all(texts: &[&str]) -> Vec<Value> {
        texts.iter().map(|text| exact(text)).collect()
    }

    #[test]
    fn whole_strings_give_their_elements() {
        assert_eq!(parts("a,b,,c,,", ",", 0), all(&["a", "b", "", "c"]));
        assert_eq!(parts("a,b,,", ",", -1), all(&["a", "b", "", ""]));
        assert_eq!(parts("a,b,c", ",", 2), all(&["a", "b,c"]));
        assert_eq!(parts(",a", ",", 0), all(&["", "a"]));
        assert_eq!(parts("", ",", 0), all(&[""]));
        assert_eq!(parts(",", ",", 0), all(&[]));
        assert_eq!(parts("a.b", "\\.", 0), all(&["a", "b"]));
        assert_eq!(parts("a, b", ", ", 0), all(&["a", "b"]));
    }

    #[test]
    fn beginnings_give_their_first_elements() {
        let parts = Value::partial(b"a,b,c", b"z").split(&exact(","), 0);
        assert_eq!(parts, Parts { first: all(&["a", "b"]), others: Some(Value::unknown()) });
        assert_eq!(parts.get(1), Some(&exact("b")));
        assert_eq!(parts.get(2), Some(&Value::unknown()));
        assert_eq!(parts.values().count(), 3);
    }

    #[test]
    fn real_regular_expressions_tell_nothing() {
        for regex in [".", "a|b", "\\s", "[,;]", ",+", "", "\\"] {
            assert_eq!(exact("a,b").split(&exact(regex), 0), Parts::unknown(), "{regex}");
        }
        assert_eq!(exact("a,b").split(&Value::unknown(), 0), Parts::unknown());
        assert_eq!(Value::piece(b"a,b").split(&exact(","), 0), Parts::unknown());
    }
}
