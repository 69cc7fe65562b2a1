//! Explanations, and answers that need none.

pub mod json;
pub mod no;
pub mod text;

use heliostat_core::analysis::{Explanations, Unanswered};

/// What is answered to a question.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The explanations, or why there are none.
    pub found: Result<&'a Explanations, &'a Unanswered>,
    /// Whether the analysis came to its end; otherwise what was not found might have come.
    pub complete: bool,
    /// What to know about the methods that the question names.
    pub remarks: &'a [String],
    /// How many reflective calls of reached code it does not follow: what they do, nobody has looked at.
    pub reflective_calls: usize,
    /// How many of these are in the inputs.
    pub app_reflective_calls: usize,
}
