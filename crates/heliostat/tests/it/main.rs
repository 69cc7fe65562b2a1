//! Runs the built binary as a user would.

mod contract;
mod info;
mod ir;
mod support;
