//! The library door of Heliostat: open inputs, get a program and its problems.
//!
//! [`open`] reads everything that [`Settings`] name and indexes it; broken input comes back as
//! [`Problem`]s beside the program, never as an error. [`info()`] tells what was read,
//! [`Opened::methods_like`] finds methods by name and [`Opened::lower`] gives the IR of one. Nothing
//! here prints or exits.

mod find;
pub mod info;
mod lower;
mod open;
mod pattern;
mod problem;
mod progress;

pub use heliostat_input::{Environment, InputError, JdkChoice, Kind, Limits, MemoryFile, Origin};
pub use heliostat_ir as ir;
pub use heliostat_program as program;
pub use info::{Info, info};
pub use open::{Opened, Settings, open, open_watched};
pub use pattern::MethodPattern;
pub use problem::Problem;
pub use progress::{Progress, Step};
