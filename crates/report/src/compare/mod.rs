//! What real runs did that the analysis does not have.

pub mod json;
pub mod text;
