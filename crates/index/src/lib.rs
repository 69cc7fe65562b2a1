//! Typed dense ids, maps keyed by them, and interners.
//!
//! Every entity of the analyser (a type, a method, an SSA value) is a newtype over `u32`
//! made by [`id!`]. An [`IdVec`] *owns* entities and hands out their ids; an [`IdMap`]
//! *annotates* entities that something else owns. Nothing here knows what the ids mean.

mod blocks;
mod id;
mod intern;
mod lists;
mod map;
mod set;
mod sets;
mod unite;

pub use blocks::{BLOCK_IDS, BlockBits, intersection, minus, union};
pub use id::{Id, PackedOption};
pub use intern::{Interner, Symbol, Symbols};
pub use lists::Lists;
pub use map::{IdMap, IdVec, Ids};
pub use set::IdSet;
pub use sets::{SetId, Sets};
pub use unite::UnionFind;

/// Hash map with the fast, deterministic hasher used across the workspace.
pub type FastMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// Hash set with the fast, deterministic hasher used across the workspace.
pub type FastSet<K> = rustc_hash::FxHashSet<K>;
