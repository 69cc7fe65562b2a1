//! Inclusion constraints, solved: the engine under every points-to analysis here.
//!
//! A [`Solver`] holds *nodes* (variables, fields), each with a set of *objects*, and *edges* along which sets flow, all
//! of a set or what a filter admits. What else a program means, loads and calls for example, depends on what arrives
//! at a node: a [`Client`] *watches* such nodes, is told of each object (of some again, when cycles collapse), and adds edges and nodes as it learns more.
//! Objects belong to *groups* (their types, say); a filter admits groups as a whole. Nothing here knows what any of it
//! stands for.
//!
//! How it works: each node keeps what has arrived and what is still to be passed on, and passes on only the latter
//! (difference propagation). Nodes are taken in topological order of the edges, as far as there is one, and cycles of
//! unfiltered edges become one node. The order depends on nothing but the order of the calls, so that two runs are alike.

mod cycles;
mod filters;
mod objects;
mod order;
mod solver;
mod worklist;

pub use heliostat_index::BlockBits;
pub use objects::{GroupId, ObjectId};
pub use solver::{Client, Edge, FilterId, NodeId, Outcome, Solver, Statistics};
