//! Tables with tabs between the columns.

use std::borrow::Cow;
use std::io::{self, Write};

/// A text without what would end a column or a row: those characters, and the backslash, are written as in Java.
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    if !text.contains(['\t', '\n', '\r', '\\']) {
        return Cow::Borrowed(text);
    }
    let escaped = text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
    Cow::Owned(escaped)
}

/// The last line of a list that an ended analysis gave; none of a complete one. What reads the rows before it needs no
/// change, and what reads all of them sees that something is wrong.
pub(crate) fn end(complete: bool, out: &mut impl Write) -> io::Result<()> {
    if complete { Ok(()) } else { writeln!(out, "# incomplete: the analysis was ended early") }
}

/// A number, or nothing.
pub(crate) fn optional(number: Option<u16>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_break_a_row_is_escaped() {
        assert_eq!(field("a/B.c()V"), "a/B.c()V");
        assert_eq!(field("a\tb\nc\r\\"), "a\\tb\\nc\\r\\\\");
        assert_eq!((optional(None), optional(Some(7))), (String::new(), "7".to_owned()));
    }
}
