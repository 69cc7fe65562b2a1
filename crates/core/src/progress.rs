//! How far a long job is, for whoever waits.

/// A step of a long job.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Part of something whose size is known is done.
    Part {
        /// What is being done, as in `reading classes`.
        doing: &'static str,
        /// How much of it is done.
        done: usize,
        /// How much there is to do.
        total: usize,
    },
    /// The analysis has come so far; nobody knows how far it is.
    Reached {
        /// Methods reached.
        methods: usize,
        /// Call edges found, in contexts.
        edges: usize,
    },
}

/// Receives every step; it decides which are worth telling.
pub type Progress<'a> = dyn FnMut(Step) + 'a;
