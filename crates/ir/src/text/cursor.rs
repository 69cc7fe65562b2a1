//! A cursor over the text form, with the line number for messages.

use std::fmt;

use heliostat_program::is_name_byte;

/// Why a text is not the text form of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// What was expected or is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Bytes that descriptors may have without quotes.
pub(super) fn is_descriptor_byte(b: u8) -> bool {
    is_name_byte(b) || matches!(b, b';' | b'[' | b'(' | b')')
}

/// One line at a time, without its comment.
pub(super) struct Cursor<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    rest: &'a str,
    line: usize,
}

pub(super) type Parsed<T> = Result<T, ParseError>;

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { lines: text.lines().enumerate(), rest: "", line: 0 }
    }

    /// Goes to the next line that is not empty; false at the end.
    pub(super) fn next_line(&mut self) -> bool {
        for (i, line) in self.lines.by_ref() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                (self.rest, self.line) = (line, i + 1);
                return true;
            }
        }
        false
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError { line: self.line, message: message.into() })
    }

    /// Takes `token` if it comes next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    pub(super) fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) {
            Ok(())
        } else {
            self.error(format!("expected `{token}` before `{}`", self.rest))
        }
    }

    /// Nothing but a comment may follow.
    pub(super) fn end(&mut self) -> Parsed<()> {
        self.rest = self.rest.trim_start();
        if self.at_end() { Ok(()) } else { self.error(format!("unexpected `{}`", self.rest)) }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.is_empty() || self.rest.starts_with('#')
    }

    /// The longest run of bytes that `is_part` accepts.
    fn run(&mut self, is_part: impl Fn(u8) -> bool) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self.rest.bytes().position(|b| !is_part(b)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// A keyword or a number: up to a space or a comma, colon, brace.
    pub(super) fn word(&mut self) -> &'a str {
        self.run(|b| !b.is_ascii_whitespace() && !matches!(b, b',' | b':' | b'{' | b'}'))
    }

    /// Everything up to the next space.
    pub(super) fn until_space(&mut self) -> &'a str {
        self.run(|b| !b.is_ascii_whitespace() && b != b',')
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self, what: &str) -> Parsed<T> {
        let word = self.word();
        match word.parse() {
            Ok(n) => Ok(n),
            Err(_) => self.error(format!("expected {what}, found `{word}`")),
        }
    }

    /// A number after a prefix, as in `v12`.
    pub(super) fn id(&mut self, prefix: &str) -> Parsed<u32> {
        self.expect(prefix)?;
        let digits = self.run(|b| b.is_ascii_digit());
        match digits.parse() {
            Ok(n) => Ok(n),
            Err(_) => self.error(format!("expected a number after `{prefix}`")),
        }
    }

    /// Whether a value such as `v12` comes next. No operation's name begins like one.
    pub(super) fn sees_value(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        matches!(self.rest.as_bytes(), [b'v', digit, ..] if digit.is_ascii_digit())
    }

    /// A name, plain or in quotes.
    pub(super) fn name(&mut self) -> Parsed<Vec<u8>> {
        self.text(is_name_byte, "a name")
    }

    /// A descriptor, plain or in quotes.
    pub(super) fn descriptor(&mut self) -> Parsed<Vec<u8>> {
        self.text(is_descriptor_byte, "a descriptor")
    }

    fn text(&mut self, is_part: impl Fn(u8) -> bool, what: &str) -> Parsed<Vec<u8>> {
        if self.rest.trim_start().starts_with('"') {
            return self.quoted();
        }
        let run = self.run(is_part);
        if run.is_empty() {
            self.error(format!("expected {what} before `{}`", self.rest))
        } else {
            Ok(run.into())
        }
    }

    /// A string in quotes, with the escapes of [`heliostat_program::quote`].
    pub(super) fn quoted(&mut self) -> Parsed<Vec<u8>> {
        self.expect("\"")?;
        let mut out = Vec::new();
        let mut bytes = self.rest.bytes().enumerate();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(out);
                }
                b'\\' => match bytes.next() {
                    Some((_, b'n')) => out.push(b'\n'),
                    Some((_, b'x')) => {
                        let digits = self.rest.get(at + 2..at + 4).unwrap_or("");
                        let Ok(byte) = u8::from_str_radix(digits, 16) else {
                            return self.error("bad escape");
                        };
                        out.push(byte);
                        bytes.nth(1);
                    }
                    Some((_, other)) => out.push(other),
                    None => break,
                },
                _ => out.push(byte),
            }
        }
        self.error("string without end")
    }
}
