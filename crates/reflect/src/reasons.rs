//! Why a reflective call does what it does: the rule, and what it was applied to.

use heliostat_index::Symbol;
use heliostat_program::TypeId;
use heliostat_pta::reflection::Mirror;

/// How a call was found to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A string constant is the name.
    Constant,
    /// All members are asked for.
    All,
    /// The class, method, constructor or field is given as an object.
    Object,
}

/// What a rule was applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clue {
    /// This string.
    String(Symbol),
    /// The class object of this type.
    Class(TypeId),
    /// The object that stands for this member.
    Mirror(Mirror),
}

/// Why a call does something: the first way that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// How it was found.
    pub rule: Rule,
    /// From what: the class first, if there are two.
    pub clues: [Option<Clue>; 2],
    /// How many reasons came before.
    pub(crate) order: u32,
}
