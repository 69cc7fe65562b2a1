//! Runs the literate tests under `tests/md`: pages that explain a rule, show it on a small Java program, and
//! are checked. `crates/mdtest/README.md` explains how to write one.
//!
//! A [`Page`] is read into [`Section`]s, each a test of its own; [`compile`](compile::compile) turns the Java
//! programs of all of them into class files, with one start of the JVM; [`check`] reads the classes of
//! one section, with a [`Library`] behind them, and holds them against what the section says.

mod check;
pub mod compile;
mod expect;
mod failure;
pub mod files;
mod java;
mod library;
mod page;
mod pattern;
mod scene;

pub use check::check;
pub use failure::Failure;
pub use library::Library;
pub use page::{Page, Section};
