//! Weaves tracing into Java class files, so that a running program tells who calls whom.
//!
//! Every call site and every method gets a number. Woven code keeps, per thread, the number of the site that was last passed (a field that
//! [`weave`] adds to `java.lang.Thread`):
//!
//! - before each instruction that may run other code (calls, and whatever may initialise a class), the site's number is put there;
//! - so it is where an exception is caught, since the frame that it came from has put nothing back;
//! - on entry a method takes that number, which says who called, and notes the pair of both numbers in a table;
//! - before it returns, it puts the number back, so that code which is not woven (natives, hidden classes) may call again and is
//!   still taken for what it was called from.
//!
//! The table lies outside of the Java heap ([`table`]), so that it outlives the program, however that ends.
//! What the classes of the library do by reflection is noted by their own methods ([`hooks`]).
//!
//! Every function returns for every input: a class or a method that cannot be woven stays as it is, and is told.
#![warn(clippy::indexing_slicing)]

mod code;
mod frames;
pub mod hooks;
mod landings;
mod layout;
pub mod log;
mod pool;
mod runtime;
mod splice;
pub mod table;
mod tables;
mod weave;

pub use runtime::{HOST, LIVE, NATIVE, Runtime, SITE_HOLDER};
pub use weave::{Depth, Numbers, Woven, WovenMethod, WovenSite, class_name, weave};
