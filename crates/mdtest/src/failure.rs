//! What is wrong, and on which line of the page.

use std::fmt;

/// Something that a page says wrongly, or that is not as the page says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The line of the page.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl Failure {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    /// The failure with the page that it is about.
    pub fn on(&self, page: &str) -> String {
        format!("{page}:{self}")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}
