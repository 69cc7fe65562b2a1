//! Where a frame goes on after an exception.
//!
//! The thread is then still at the site that the exception came from, in a frame that is gone; so handlers
//! begin with a site of their own.

use std::collections::BTreeSet;

use heliostat_classfile::Handler;

/// The offsets where handlers begin at which a site can be put. It cannot where a failure to put it there, as
/// the stack has no room left, might lead to the same handler again and again: where a handler at or before
/// the place covers it. One whose range begins there does not count, since what is put before the first
/// instruction is left out of its range ([`crate::layout`]).
pub(crate) fn landings(handlers: &[Handler]) -> BTreeSet<u32> {
    let mut by_start: Vec<&Handler> = handlers.iter().collect();
    by_start.sort_unstable_by_key(|handler| handler.start);
    let mut waiting = by_start.into_iter().peekable();
    // Targets and ends of the ranges that have begun before.
    let mut begun: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut landings: BTreeSet<u32> = handlers.iter().map(|handler| handler.target).collect();
    landings.retain(|&at| {
        while let Some(handler) = waiting.next_if(|handler| handler.start < at) {
            begun.insert((handler.target, handler.end));
        }
        while begun.first().is_some_and(|&(_, end)| end <= at) {
            begun.pop_first();
        }
        begun.first().is_none_or(|&(target, _)| target > at)
    });
    landings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn landings_of(handlers: &[(u32, u32, u32)]) -> Vec<u32> {
        let handler = |&(start, end, target)| Handler { start, end, target, catch_type: 0 };
        landings(&handlers.iter().map(handler).collect::<Vec<_>>()).into_iter().collect()
    }

    #[test]
    fn handlers_are_landed_at() {
        assert_eq!(landings_of(&[]), []);
        // One after the other, and one within what another covers.
        assert_eq!(landings_of(&[(0, 4, 10), (20, 24, 30)]), [10, 30]);
        assert_eq!(landings_of(&[(0, 4, 10), (0, 14, 20)]), [10, 20]);
        // What a compiler makes of `finally`: the handler covers its own beginning.
        assert_eq!(landings_of(&[(0, 4, 10), (0, 4, 20), (10, 14, 20), (20, 22, 20)]), [10, 20]);
    }

    #[test]
    fn nothing_leads_to_the_same_handler_again() {
        assert_eq!(landings_of(&[(0, 12, 10)]), []);
        assert_eq!(landings_of(&[(0, 24, 10), (0, 24, 20)]), []);
        assert_eq!(landings_of(&[(8, 12, 20), (18, 22, 10)]), [10]);
        // The first range has ended by then, the second has not.
        assert_eq!(landings_of(&[(0, 8, 5), (0, 20, 6), (0, 4, 9), (0, 4, 30)]), [30]);
    }
}
