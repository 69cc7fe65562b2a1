//! Rules for shrinkers (ProGuard, R8): written and checked.

mod listing;
mod text;

pub use listing::listing;
pub use text::write;
