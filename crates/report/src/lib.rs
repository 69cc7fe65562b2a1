//! What Heliostat found, as text and files: one source file per format.
//!
//! Everything takes findings of `heliostat-core` and a writer. Nothing here analyses, prints or exits; what comes out depends on
//! the findings alone, byte for byte. [`Files`] makes files appear whole or not at all.

pub mod callgraph;
pub mod compare;
mod difference;
pub mod facts;
mod files;
pub mod keep;
pub mod lists;
pub mod metadata;
mod names;
pub mod reflection;
pub mod summary;
pub mod text;
pub mod trace;
mod tsv;
pub mod why;

pub use difference::{Difference, Listing};
pub use files::{Files, Finished};
