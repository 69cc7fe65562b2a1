//! Values put together: `concat`, `append`, `join`, `repeat` and the recipes of string concatenation.

use super::value::{LONGEST, Value};

/// What stands for the next argument in a recipe.
const ARGUMENT: u8 = 1;
/// What stands for the next constant in a recipe.
const CONSTANT: u8 = 2;

impl Value {
    /// This and then another: `a.concat(b)`, `a + b`, and appending to a builder. What is known of an end goes before what is
    /// known to be inside.
    #[must_use]
    pub fn concat(&self, next: &Self) -> Self {
        if let (Self::Exact(first), Self::Exact(second)) = (self, next) {
            return Self::exact(&[&**first, second].concat());
        }
        let prefix = match self {
            Self::Exact(first) => [first, next.known_prefix()].concat(),
            _ => self.known_prefix().to_vec(),
        };
        let suffix = match next {
            Self::Exact(second) => [self.known_suffix(), second].concat(),
            _ => next.known_suffix().to_vec(),
        };
        if prefix.is_empty() && suffix.is_empty() { self.seam(next) } else { Self::partial(&prefix, &suffix) }
    }

    /// What two strings with open outer ends have inside.
    fn seam(&self, next: &Self) -> Self {
        let seam = [self.known_suffix(), next.known_prefix()].concat();
        match (self, next) {
            (Self::Piece(_), _) => self.clone(),
            (_, Self::Piece(_)) => next.clone(),
            _ => Self::piece(&seam),
        }
    }

    /// All of them, one after the other.
    pub fn concat_all<'a>(values: impl IntoIterator<Item = &'a Self>) -> Self {
        values.into_iter().fold(Self::exact(b""), |all, value| all.concat(value))
    }

    /// `String.join(delimiter, elements)`.
    pub fn join(delimiter: &Self, elements: &[Self]) -> Self {
        let mut all = Self::exact(b"");
        for (number, element) in elements.iter().enumerate() {
            if number > 0 {
                all = all.concat(delimiter);
            }
            all = all.concat(element);
        }
        all
    }

    /// `String.repeat(count)`, by a count that may be unknown.
    #[must_use]
    pub fn repeat(&self, count: Option<usize>) -> Self {
        let Some(count) = count else {
            // Only the empty string is the same whatever the count.
            return if self.as_exact() == Some(b"") { self.clone() } else { Self::unknown() };
        };
        match self {
            _ if count == 0 => Self::exact(b""),
            Self::Exact(text) => Self::exact(&repeated(text, count)),
            Self::Partial { .. } | Self::Piece(_) => self.clone(),
        }
    }

    /// What a recipe of `StringConcatFactory.makeConcatWithConstants` makes of arguments and constants. Arguments are values as
    /// `String.valueOf` gives them; what lacks is unknown.
    pub fn of_recipe(recipe: &[u8], arguments: &[Self], constants: &[Self]) -> Self {
        let (mut arguments, mut constants) = (arguments.iter(), constants.iter());
        let mut all = Self::exact(b"");
        for part in recipe.split_inclusive(|&byte| matches!(byte, ARGUMENT | CONSTANT)) {
            let (literal, next) = match part {
                [literal @ .., ARGUMENT] => (literal, arguments.next()),
                [literal @ .., CONSTANT] => (literal, constants.next()),
                literal => {
                    all = all.concat(&Self::exact(literal));
                    continue;
                }
            };
            all = all.concat(&Self::exact(literal)).concat(next.unwrap_or(&Self::unknown()));
        }
        all
    }
}

/// A text so many times; long before the end of memory, only ends count.
fn repeated(text: &[u8], count: usize) -> Vec<u8> {
    text.repeat(count.min(LONGEST + 1))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{exact, partial};
    use super::*;

    #[test]
    fn ends_stay_known() {
        assert_eq!(exact("a.").concat(&exact("B")), exact("a.B"));
        assert_eq!(exact("set").concat(&Value::unknown()), partial("set", ""));
        assert_eq!(Value::unknown().concat(&exact("Impl")), partial("", "Impl"));
        assert_eq!(exact("a").concat(&partial("b", "c")), partial("ab", "c"));
        assert_eq!(partial("a", "b").concat(&exact("c")), partial("a", "bc"));
        assert_eq!(partial("a", "b").concat(&partial("c", "d")), partial("a", "d"));
        assert_eq!(partial("", "b").concat(&partial("c", "")), Value::piece(b"bc"));
        assert_eq!(Value::unknown().concat(&Value::unknown()), Value::unknown());
    }

    #[test]
    fn pieces_stay_unless_an_end_is_known() {
        let piece = Value::piece(b"Name");
        assert_eq!(piece.concat(&Value::unknown()), piece);
        assert_eq!(Value::unknown().concat(&piece), piece);
        assert_eq!(exact("").concat(&piece), piece);
        assert_eq!(piece.concat(&exact("")), piece);
        assert_eq!(exact("get").concat(&piece), partial("get", ""));
        assert_eq!(piece.concat(&exact("s")), partial("", "s"));
    }

    #[test]
    fn joining_and_repeating() {
        let all = [exact("a"), exact("b"), exact("c")];
        assert_eq!(Value::join(&exact("."), &all), exact("a.b.c"));
        assert_eq!(Value::join(&Value::unknown(), &all), partial("a", "c"));
        assert_eq!(Value::join(&exact("."), &[]), exact(""));
        assert_eq!(Value::concat_all(&all), exact("abc"));
        assert_eq!(exact("ab").repeat(Some(2)), exact("abab"));
        assert_eq!(exact("ab").repeat(None), Value::unknown());
        assert_eq!(partial("a", "b").repeat(Some(3)), partial("a", "b"));
        assert_eq!(partial("a", "b").repeat(Some(0)), exact(""));
        let many = exact("ab").repeat(Some(usize::MAX));
        assert_eq!(many, partial(&"ab".repeat(LONGEST / 2), &"ab".repeat(LONGEST / 2)));
    }

    #[test]
    fn recipes_take_arguments_and_constants_in_turn() {
        let made = |recipe: &str, arguments: &[Value], constants: &[Value]| {
            Value::of_recipe(recipe.as_bytes(), arguments, constants)
        };
        assert_eq!(made("a\u{1}b\u{2}c", &[exact("1")], &[exact("2")]), exact("a1b2c"));
        assert_eq!(made("get\u{1}", &[Value::unknown()], &[]), partial("get", ""));
        assert_eq!(made("\u{1}\u{1}", &[exact("x")], &[]), partial("x", ""));
        assert_eq!(made("", &[], &[]), exact(""));
    }
}
