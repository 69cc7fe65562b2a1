//! `reachability-metadata.json`, which GraalVM's native image reads: written, read, merged and checked.
//!
//! A file is a JSON value whose keys stay in their order, so that what others wrote is written as they did.

mod document;
mod layout;
mod legacy;
mod listing;
mod merge;
mod read;

pub use document::document;
pub use layout::write;
pub use listing::listing;
pub use merge::merge;
pub use read::{Read, read};

/// The name of the file.
pub const FILE: &str = "reachability-metadata.json";

/// How many reasons of an entry are told.
pub(crate) const MOST_REASONS: usize = 8;

/// Where a list of entries is.
const REFLECTION: &str = "reflection";
const RESOURCES: &str = "resources";

/// The first reasons, and how many more there are.
pub(crate) fn told(reasons: &[String]) -> Vec<String> {
    let mut told: Vec<String> = reasons.iter().take(MOST_REASONS).cloned().collect();
    let left = reasons.len() - told.len();
    if left > 0 {
        told.push(format!("… and {}", crate::text::counted(left, "more call")));
    }
    told
}
