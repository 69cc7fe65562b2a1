//! Runs the built binary as a user would.

mod analyze;
mod broken;
mod callgraph;
mod contract;
mod info;
mod ir;
mod support;
