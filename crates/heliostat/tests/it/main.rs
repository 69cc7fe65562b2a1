//! Runs the built binary as a user would.

mod analyze;
mod broken;
mod callgraph;
mod contract;
mod datalog;
mod facts;
mod info;
mod ir;
mod support;
mod why;
