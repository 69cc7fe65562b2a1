//! Runs the built binary as a user would.

mod analyze;
mod annotations;
mod broken;
mod callgraph;
mod compare;
mod contract;
mod datalog;
mod facts;
mod info;
mod ir;
mod library;
mod output;
mod reflection;
mod reflection_log;
mod sarif;
mod support;
mod trace;
mod uncovered;
mod why;
