//! Strings as names of classes and members.
//!
//! A [`Value`] is what is known of a string at run time: the whole, its ends, or a piece; the operations of `java.lang.String` and its
//! builders take values to values (`combine.rs`, `cut.rs`, `change.rs`, `replace.rs`, `format.rs`, `split.rs`). [`Names`] holds all names of a program, sorted from
//! both ends, and a [`Resolver`] finds the ones that a value may be. [`Telling`] says which string constants are worth being told
//! apart, and a [`Colouring`] merges those of them that never select different members of one class.
//!
//! All texts are modified UTF-8, as in class files. APLAS'15 is "More Sound Static Handling of Java Reflection", ECOOP'18 is "Efficient
//! Reflection String Analysis via Graph Coloring".

mod change;
mod colouring;
mod combine;
mod cut;
mod format;
mod names;
mod replace;
mod resolve;
mod split;
mod table;
mod telling;
#[cfg(test)]
mod testing;
mod text;
mod value;

pub use colouring::{Colour, Colouring, Statistics};
pub use cut::Position;
pub use names::{Kind, Lengths, NamedClass, Names};
pub use resolve::{Bounds, Candidates, Resolver};
pub use split::Parts;
pub use telling::{Matching, Telling, Told};
pub use value::{LONGEST, Value};
