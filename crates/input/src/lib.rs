//! Finds and reads the classes and resources of jars, directories and JDKs.
//!
//! [`open`] turns what the user named into [`Inputs`]: every archive on the class path, the class
//! that wins for each name, the resources, and a list of what could not be read. Listing reads
//! directories and indexes only; the bytes of one entry are fetched by [`Inputs::read`].
//!
//! Nothing is unpacked to disk. Files are mapped into memory, so a stored zip entry or a class of
//! the JDK's image is a slice of the map. Broken input is data: it becomes a [`Problem`] and the
//! rest is read. This is the only library of Heliostat that opens files; it prints nothing and
//! reads no environment variable.

#![warn(clippy::indexing_slicing)]

mod catalog;
mod class_name;
mod class_path;
mod directory;
mod file;
mod format;
mod inflate;
mod inputs;
mod jdk;
mod jimage;
mod layout;
mod listing;
mod loader;
mod manifest;
mod problem;
mod recover;
mod request;
mod select;
mod zip;

pub use inputs::{Archive, Counts, Duplicate, Entry, Inputs, Kind, Origin};
pub use jdk::Jdk;
pub use loader::open;
pub use problem::{InputError, Problem};
pub use request::{Environment, JdkChoice, Limits, MemoryFile, Request};

heliostat_index::id! {
    /// An archive of the class path: a jar, a nested jar, a directory, a class file, a JDK image.
    pub struct ArchiveId = "archive";
}
