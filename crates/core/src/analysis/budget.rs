//! When an analysis ends early: time, memory, or somebody who wants no more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::memory;

/// How long a look at the memory holds good: it takes the system some microseconds.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// When to end early.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Since when time counts.
    pub started: Instant,
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes of memory the process may take, where the system tells.
    pub memory: Option<u64>,
    /// Set by whoever wants no more.
    pub stop: Arc<AtomicBool>,
}

impl Default for Budget {
    /// No limit; time counts from now on.
    fn default() -> Self {
        Self { started: Instant::now(), time: None, memory: None, stop: Arc::default() }
    }
}

/// Why an analysis ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Its time was over.
    Time,
    /// It took too much memory.
    Memory,
    /// Somebody stopped it.
    Interrupt,
}

/// Looks after a budget. Cheap enough to be asked thousands of times a second.
pub(crate) struct Watch<'a> {
    budget: &'a Budget,
    next_look: Instant,
    pub(crate) ended: Option<Ended>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Self { budget, next_look: budget.started, ended: None }
    }

    /// Whether anything is left of the budget.
    pub(crate) fn keep_going(&mut self) -> bool {
        self.ended = self.ended.or_else(|| self.look());
        self.ended.is_none()
    }

    fn look(&mut self) -> Option<Ended> {
        if self.budget.stop.load(Ordering::Relaxed) {
            return Some(Ended::Interrupt);
        }
        let now = Instant::now();
        if self.budget.time.is_some_and(|time| now.duration_since(self.budget.started) >= time) {
            return Some(Ended::Time);
        }
        let limit = self.budget.memory.filter(|_| now >= self.next_look)?;
        self.next_look = now + BETWEEN_LOOKS;
        let taken = memory::resident()?;
        (taken > limit).then_some(Ended::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(budget: &Budget) -> Option<Ended> {
        let mut watch = Watch::new(budget);
        assert_eq!(watch.keep_going(), watch.ended.is_none());
        watch.ended
    }

    #[test]
    fn each_limit_ends_it() {
        assert_eq!(ended(&Budget::default()), None);
        assert_eq!(ended(&Budget { time: Some(Duration::ZERO), ..Budget::default() }), Some(Ended::Time));
        assert_eq!(ended(&Budget { time: Some(Duration::from_secs(900)), ..Budget::default() }), None);
        let stopped = Budget::default();
        stopped.stop.store(true, Ordering::Relaxed);
        assert_eq!(ended(&stopped), Some(Ended::Interrupt));
        if memory::resident().is_some() {
            assert_eq!(ended(&Budget { memory: Some(1), ..Budget::default() }), Some(Ended::Memory));
            assert_eq!(ended(&Budget { memory: Some(1 << 50), ..Budget::default() }), None);
        }
    }
}
