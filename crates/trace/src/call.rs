//! Calls, and where they are.

use crate::{Kind, TracedId};

/// A place in a program that other code is run from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The method; none for the JVM itself, as when it starts a thread or the program.
    pub caller: Option<TracedId>,
    /// The bytecode offset; none where the caller is traced as a whole, being too long for more.
    pub offset: Option<u32>,
    /// The source line, if the class says.
    pub line: Option<u16>,
}

/// An edge of the dynamic call graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// Where it is from. If the JVM has called (see [`Kind::Implicit`]), the last site that was passed before.
    pub site: Site,
    /// The method called.
    pub callee: TracedId,
    /// In which way.
    pub kind: Kind,
    /// How often; somewhat less where threads called at the same time. Of a reflective edge is only known that it is there: 1.
    pub count: u64,
}
