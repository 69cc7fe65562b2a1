//! Runs the literate tests under `tests/md`: pages that explain a rule, show it on a small Java program, and
//! are checked. `crates/mdtest/README.md` explains how to write one.
//!
//! A [`Page`] is read into [`Section`]s, each a test of its own; [`compile`](compile::compile) turns the Java
//! programs of all of them into class files, with one start of the JVM; a [`Suite`] is all pages, read and compiled.
//! [`check`] reads the classes of one section, with a [`Library`] behind them, and holds them against what the section
//! says. Sections that expect something of the points-to analysis share one program, the [`Stage`].

mod check;
pub mod compile;
mod declared;
mod expect;
mod failure;
mod files;
mod java;
mod jdk;
mod library;
mod page;
mod patch;
mod pattern;
mod scene;
mod stage;
mod suite;
mod wanted;

pub use check::{Setting, check, options};
pub use failure::Failure;
pub use jdk::Jdk;
pub use library::Library;
pub use page::{Page, Section};
pub use stage::Stage;
pub use suite::{Suite, Test};
pub use wanted::Context;
