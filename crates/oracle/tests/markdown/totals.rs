//! How much was compared.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::subject::Compared;

/// The pages have more programs than this, even for a JDK that is too old for some …
const FEWEST_PROGRAMS: usize = 220;
/// … of which each relation has more tuples than this.
const FEWEST_TUPLES: usize = 20_000;

/// What all tests have compared so far.
#[derive(Default)]
pub(crate) struct Totals(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    programs: usize,
    results: usize,
    /// Results with a part of the JDK only.
    partial: usize,
    /// Tuples by relation.
    tuples: BTreeMap<&'static str, usize>,
}

impl Totals {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the results of a program.
    pub(crate) fn add(&self, results: &[Compared]) {
        let mut counts = self.counts();
        counts.programs += 1;
        counts.results += results.len();
        counts.partial += results.iter().filter(|result| !result.is_whole).count();
        for relation in results.iter().flat_map(|result| &result.report.relations) {
            *counts.tuples.entry(relation.name).or_default() += relation.expected;
        }
    }

    #[expect(clippy::print_stdout, reason = "a run says how much it compared")]
    pub(crate) fn print(&self) {
        let Counts { programs, results, partial, ref tuples } = *self.counts();
        println!("equal: {results} results of {programs} programs, {partial} with a part of the JDK");
        for (relation, count) in tuples {
            println!("{count:>12} {relation}");
        }
    }

    /// Whether it was as much as a run of all tests compares, with at least three flavours each.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Counts { programs, results, ref tuples, .. } = *self.counts();
        let fewest = tuples.values().min().copied().unwrap_or_default();
        if programs >= FEWEST_PROGRAMS && results >= 3 * programs && fewest >= FEWEST_TUPLES {
            return Ok(());
        }
        Err("this is less than there is to compare".to_owned())
    }
}
