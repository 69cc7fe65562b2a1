//! Plain lists, each a file.

pub mod classes;
pub mod entries;
pub mod gaps;
pub mod methods;
pub mod missing;
pub mod natives;
pub mod reflection;
