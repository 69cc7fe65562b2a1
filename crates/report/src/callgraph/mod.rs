//! The call graph.

pub mod dot;
pub mod json;
pub mod tsv;
