//! Text for people.

mod missing;
pub(crate) mod report;
pub(crate) mod style;
