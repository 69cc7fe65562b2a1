//! `String.format` and `formatted`.

use super::text;
use super::value::{LONGEST, Value};

/// A format specifier: `%[index$][flags][width][.precision]conversion`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Specifier<'a> {
    index: Index,
    flags: &'a [u8],
    width: Option<usize>,
    precision: Option<usize>,
    conversion: u8,
}

/// Which argument a specifier takes.
#[derive(Debug, Default, PartialEq, Eq)]
enum Index {
    /// The next of those that no other specifier names.
    #[default]
    Next,
    /// The same as the specifier before: `%<s`.
    Same,
    /// The one of a number, from 1.
    Number(usize),
}

impl Value {
    /// `String.format(format, arguments)`. Arguments are values as `String.valueOf` gives them, unknown if they are no strings, numbers or
    /// characters. Digits are taken to be those of the root locale.
    ///
    /// A format that is not known in full, or is malformed, tells nothing.
    pub fn of_format(format: &Self, arguments: &[Self]) -> Self {
        let Some(mut rest) = format.as_exact() else { return Self::unknown() };
        let mut taking = Taking { arguments, next: 0, last: None };
        let mut all = Self::exact(b"");
        while let Some(at) = text::find(rest, b"%", 0) {
            let Some((specifier, after)) = Specifier::read(&rest[at + 1..]) else { return Self::unknown() };
            all = all.concat(&Self::exact(&rest[..at])).concat(&taking.formatted(&specifier));
            rest = after;
        }
        all.concat(&Self::exact(rest))
    }
}

impl<'a> Specifier<'a> {
    /// What stands after a `%`, and the rest.
    fn read(text: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (index, rest) = read_index(text);
        let flags = rest.iter().take_while(|byte| b"-#+ 0,(".contains(byte)).count();
        let (flags, rest) = rest.split_at(flags);
        let (width, rest) = read_number(rest);
        let (precision, rest) = match rest.split_first() {
            Some((b'.', after)) => read_number(after),
            _ => (None, rest),
        };
        let (&conversion, rest) = rest.split_first()?;
        // Of dates and times, a letter more says which part.
        let rest = if matches!(conversion, b't' | b'T') { rest.get(1..)? } else { rest };
        let is_letter = conversion.is_ascii_alphabetic() || conversion == b'%';
        is_letter.then_some((Self { index, flags, width, precision, conversion }, rest))
    }

    fn is_plain(&self) -> bool {
        self.flags.is_empty() && self.width.is_none() && self.precision.is_none()
    }
}

fn read_index(text: &[u8]) -> (Index, &[u8]) {
    if let Some(rest) = text.strip_prefix(b"<") {
        return (Index::Same, rest);
    }
    match read_number(text) {
        (Some(number), [b'$', rest @ ..]) => (Index::Number(number), rest),
        _ => (Index::Next, text),
    }
}

/// The number at the beginning, which has no leading zero: that would be a flag.
fn read_number(text: &[u8]) -> (Option<usize>, &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    let is_number = !number.is_empty() && !number.starts_with(b"0");
    let parsed =
        std::str::from_utf8(number).ok().filter(|_| is_number).and_then(|number| number.parse().ok());
    if parsed.is_some() { (parsed, rest) } else { (None, text) }
}

/// Arguments as specifiers take them.
struct Taking<'a> {
    arguments: &'a [Value],
    next: usize,
    last: Option<usize>,
}

impl Taking<'_> {
    /// What a specifier becomes.
    fn formatted(&mut self, specifier: &Specifier<'_>) -> Value {
        match specifier.conversion {
            b'%' if specifier.is_plain() => return Value::exact(b"%"),
            // The end of a line differs between systems.
            b'%' | b'n' => return Value::unknown(),
            _ => {}
        }
        let argument = self.argument(&specifier.index);
        match specifier.conversion {
            b's' => padded(&cut(argument, specifier), specifier),
            b'S' => padded(&cut(argument, specifier).to_upper_case(), specifier),
            b'd' if specifier.is_plain() => argument,
            b'c' if specifier.is_plain() && is_letter(&argument) => argument,
            _ => Value::unknown(),
        }
    }

    fn argument(&mut self, index: &Index) -> Value {
        let at = match *index {
            Index::Next => {
                self.next += 1;
                Some(self.next - 1)
            }
            Index::Same => self.last,
            Index::Number(number) => number.checked_sub(1),
        };
        self.last = at;
        at.and_then(|at| self.arguments.get(at)).cloned().unwrap_or_else(Value::unknown)
    }
}

/// Whether it is one character and surely no number, of which `%c` would make the character of that code.
fn is_letter(value: &Value) -> bool {
    value.as_exact().is_some_and(|text| text::length(text) == 1 && !text[0].is_ascii_digit())
}

/// At most as many characters as the precision says.
fn cut(value: Value, specifier: &Specifier<'_>) -> Value {
    match (specifier.precision, &value) {
        (None, _) => value,
        (Some(most), Value::Exact(text)) => Value::exact(text::split_first(text, most).0),
        (Some(most), Value::Partial { prefix, .. }) => {
            let is_enough = text::length(prefix) >= most;
            if is_enough {
                Value::exact(text::split_first(prefix, most).0)
            } else {
                Value::partial(prefix, b"")
            }
        }
        (Some(_), Value::Piece(_)) => Value::unknown(),
    }
}

/// With spaces to the width, before it or, with a minus, after it.
fn padded(value: &Value, specifier: &Specifier<'_>) -> Value {
    let Some(width) = specifier.width else { return value.clone() };
    let left = specifier.flags.contains(&b'-');
    match value {
        Value::Exact(text) => {
            let spaces =
                Value::exact(&b" ".repeat(width.min(2 * LONGEST).saturating_sub(text::length(text))));
            if left { value.concat(&spaces) } else { spaces.concat(value) }
        }
        Value::Partial { prefix, .. } if left => Value::partial(prefix, b""),
        Value::Partial { suffix, .. } => Value::partial(b"", suffix),
        Value::Piece(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{exact, partial};
    use super::*;

    fn formatted(format: &str, arguments: &[&str]) -> Value {
        let arguments: Vec<Value> = arguments.iter().map(|argument| exact(argument)).collect();
        Value::of_format(&exact(format), &arguments)
    }

    #[test]
    fn known_arguments_give_known_strings() {
        assert_eq!(formatted("com.acme.%sImpl", &["Loader"]), exact("com.acme.LoaderImpl"));
        assert_eq!(formatted("%s.%s", &["a", "B"]), exact("a.B"));
        assert_eq!(formatted("%2$s%1$s%s%<s", &["a", "b"]), exact("baaa"));
        assert_eq!(formatted("V%d_%c", &["17", "x"]), exact("V17_x"));
        assert_eq!(formatted("100%%", &[]), exact("100%"));
        assert_eq!(formatted("%S", &["ab"]), exact("AB"));
        assert_eq!(formatted("plain", &["unused"]), exact("plain"));
    }

    #[test]
    fn widths_and_precisions() {
        assert_eq!(formatted("%4s|%-4s|%.2s|%4.1s", &["ab", "ab", "abc", "abc"]), exact("  ab|ab  |ab|   a"));
        let of = |format: &str, value: Value| Value::of_format(&exact(format), &[value]);
        assert_eq!(of("%9s", partial("a", "b")), partial("", "b"));
        assert_eq!(of("%-9s", partial("a", "b")), partial("a", ""));
        assert_eq!(of("%.1s", partial("ab", "b")), exact("a"));
        assert_eq!(of("%.2s", partial("ab", "b")), exact("ab"));
        assert_eq!(of("%.3s", partial("ab", "b")), partial("ab", ""));
        assert_eq!(
            of("%99999999s", exact("a")),
            partial(&" ".repeat(LONGEST), &(" ".repeat(LONGEST - 1) + "a"))
        );
    }

    #[test]
    fn what_is_unknown_leaves_the_ends() {
        assert_eq!(Value::of_format(&exact("get%sName"), &[Value::unknown()]), partial("get", "Name"));
        assert_eq!(formatted("a%nb", &[]), partial("a", "b"));
        assert_eq!(formatted("a%05db", &["7"]), partial("a", "b"));
        assert_eq!(formatted("a%cb", &["7"]), partial("a", "b"), "it may be the number 7");
        assert_eq!(formatted("a%tYb", &["7"]), partial("a", "b"));
        assert_eq!(formatted("a%sb", &[]), partial("a", "b"));
        assert_eq!(formatted("a%8.3fb", &["1.0"]), partial("a", "b"));
        assert_eq!(formatted("a%<sb", &["x"]), partial("a", "b"));
        for malformed in ["%", "a%", "a%!", "%5", "%t", "%1$"] {
            assert_eq!(formatted(malformed, &["x"]), Value::unknown(), "{malformed}");
        }
        assert_eq!(Value::of_format(&partial("a%s", ""), &[exact("x")]), Value::unknown());
    }
}
