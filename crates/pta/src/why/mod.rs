//! Why something is so: searched backwards in the solution when somebody asks. Nothing is stored for it.
//!
//! A method is reached along call edges from the root. A variable points to an object because of a chain of assignments, loads, stores
//! and calls that leads from the allocation to the variable; each place on the chain has the object.

mod flow;
mod index;
mod reach;

use heliostat_program::FieldId;
use heliostat_solve::ObjectId;

use crate::engine::{CallEdge, ClinitEdge, InstanceId};
use crate::facts::{FieldKey, GlobalId, Stmt, Var};

pub use index::Why;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "self-explanatory")]
pub enum Place {
    /// In a variable of code in a context.
    Var { instance: InstanceId, var: Var },
    /// In a field, or among the elements, of an object.
    Field { object: ObjectId, field: FieldKey },
    /// In a static field.
    Static(FieldId),
    /// In a variable of the models.
    Global(GlobalId),
}

/// How an object came to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It was made there, by this statement of the instance.
    Made(InstanceId, Stmt),
    /// By this statement of the instance, from the place before.
    Moved(InstanceId, Stmt),
    /// As an argument, from the place before.
    Argument(CallEdge),
    /// As a receiver, from the place before.
    Receiver(CallEdge),
    /// As a result, from the place before.
    Returned(CallEdge),
    /// As an exception, from the place before.
    Thrown(CallEdge),
}

/// One place on the way of an object, and how it came there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The place.
    pub place: Place,
    /// How the object came there.
    pub how: How,
}

/// One call on the way to a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// An ordinary call.
    Call(CallEdge),
    /// A class is initialised.
    Clinit(ClinitEdge),
}
