//! The summary of an analysis.

pub mod json;
pub mod text;
