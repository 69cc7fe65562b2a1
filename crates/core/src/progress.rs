//! How far a long job is, for whoever waits.

/// A step of a long job.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// What is being done, as in `reading classes`.
    pub doing: &'static str,
    /// How much of it is done.
    pub done: usize,
    /// How much there is to do.
    pub total: usize,
}

/// Receives every step; it decides which are worth telling.
pub type Progress<'a> = dyn FnMut(Step) + 'a;
