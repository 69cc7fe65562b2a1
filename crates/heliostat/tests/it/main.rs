//! Runs the built binary as a user would.

mod analyze;
mod annotations;
mod broken;
mod callgraph;
mod compare;
mod contract;
mod datalog;
mod every_target;
mod facts;
mod info;
mod ir;
mod keep;
mod library;
mod metadata;
mod output;
mod reflection;
mod reflection_log;
mod reflective;
mod sarif;
mod schema;
mod support;
mod trace;
mod uncovered;
mod why;
