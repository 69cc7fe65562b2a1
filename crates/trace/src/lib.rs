//! What a run of a Java program did, as its traced processes tell: calls, classes, reflection.
//!
//! [`Reader`] makes sense of the log and the table of each process (`heliostat-weave` says what is in them) and puts all processes
//! together: a [`Trace`], in which methods are named as in class files, everything is there once, and all lists are sorted, so that the same
//! files give the same bytes. What a process could not note, or what was cut off, stands beside it in its [`Process`].
//!
//! A trace knows what ran, not what might: methods without code (natives) are not seen as callees, and neither are hidden
//! classes (lambdas, method handles): what they call seems to be called by whoever called them.
//!
//! [`tamiflex`] writes and reads the log of reflective actions that other tools know; [`annotations`] reads what users say of reflective calls. Nothing here touches a file, and every function returns
//! for every input.

mod action;
pub mod annotations;
mod call;
mod class;
mod explain;
mod kind;
mod made;
mod method;
mod process;
pub mod raw;
pub mod tamiflex;
mod trace;
pub mod types;

pub use action::{Action, Target};
pub use call::{Call, Site};
pub use class::Class;
pub use heliostat_weave::hooks::Api;
pub use kind::Kind;
pub use made::{Candidate, MadeClass, settled};
pub use method::{Method, TracedId};
pub use process::{Lost, Process, ProcessFiles, Table};
pub use trace::{Reader, Trace};
