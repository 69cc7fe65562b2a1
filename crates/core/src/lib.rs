//! The library door of Heliostat: open inputs, get a program and its problems.
//!
//! [`open`] reads everything that [`Settings`] name and indexes it; broken input comes back as
//! [`Problems`] beside the program, never as an error. [`info()`] tells what was read,
//! [`Opened::check_bodies`] looks into every method, [`Opened::methods_like`] finds methods by name
//! and [`Opened::lower`] gives the IR of one. [`analyse`] finds call graph and points-to sets.
//! [`metadata`] is what native images and shrinkers have to be told of reflection. [`trace`] reads
//! what real runs did. Nothing here prints or exits.

pub mod analysis;
pub mod compare;
mod find;
pub mod info;
mod likeness;
mod lower;
pub mod metadata;
mod no_match;
mod open;
mod pattern;
mod platform;
mod problem;
mod progress;
mod readable;
pub mod trace;

pub use analysis::{Analysis, AnalysisSettings, NoEntry, analyse};
pub use heliostat_input::{
    Archive, ArchiveId, Entry, Environment, InputError, Inputs, Jdk, JdkChoice, Kind, Limits, MemoryFile,
    Origin, Request as Settings,
};
pub use heliostat_program::MethodId;
pub use heliostat_trace::types;
pub use info::{Info, info};
pub use lower::Bodies;
pub use no_match::NoMatch;
pub use open::{Opened, find_jdk, open, open_watched, open_within};
pub use pattern::MethodPattern;
pub use platform::is_platform_name;
pub use problem::{Problem, Problems};
pub use progress::{Progress, Step};

// What the tests and tools of this workspace look into: no part of what this library promises.
#[doc(hidden)]
pub use heliostat_ir as ir;
#[doc(hidden)]
pub use heliostat_program as program;
#[doc(hidden)]
pub use heliostat_pta as pta;
#[doc(hidden)]
pub use heliostat_reflect as reflect;
