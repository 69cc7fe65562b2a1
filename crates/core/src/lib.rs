//! The library door of Heliostat: open inputs, get a program and its problems.
//!
//! [`open`] reads everything that [`Settings`] name and indexes it; broken input comes back as
//! [`Problem`]s beside the program, never as an error. Nothing here prints or exits.

mod open;
mod problem;

pub use heliostat_input::{Environment, InputError, JdkChoice, Limits};
pub use heliostat_ir as ir;
pub use heliostat_program as program;
pub use open::{Opened, Settings, open};
pub use problem::Problem;
