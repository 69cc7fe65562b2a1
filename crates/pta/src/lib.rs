//! Points-to sets and call graph of Java programs, found together.
//!
//! [`analyse`] starts from entry points and what the JVM itself does, lowers each method when it is first reached, turns it
//! into [`facts`] once, and runs those facts on the solver in every *context* in which the method is reached. Java's features are
//! where their names say: [`facts`] (the vocabulary), `extract` (from IR to facts), `heap` (what is one object),
//! `contexts` (what tells two calls of a method apart), `engine` (what facts mean), `models` (what natives and the JVM do).

mod calls;
mod casts;
mod contexts;
mod counts;
mod doing;
mod engine;
mod extract;
pub mod facts;
mod heap;
mod inspect;
mod logged;
mod meetings;
mod model_code;
mod models;
mod open;
mod options;
pub mod reflection;
mod solution;
mod types;
pub mod why;

pub use calls::{Call, VirtualSite};
pub use casts::ReachedCast;
pub use contexts::{ContextElement, ContextId, Flavour, Kind};
pub use counts::Counts;
pub use engine::{CallEdge, ClinitEdge, InstanceId, Object, Status, analyse};
pub use heap::is_instantiable;
pub use heliostat_solve::ObjectId;
pub use logged::{Acting, At, Done, Logged, LoggedCall, ReflectionLog};
pub use meetings::{Making, Meetings};
pub use open::{OTHER_TYPES, OWN_TYPES};
pub use options::{Entry, HeapOptions, Options, Selector, Service};
pub use solution::Solution;
pub use types::{Types, What};
