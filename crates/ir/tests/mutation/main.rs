//! Real classes, mutated 200,000 times: no panic, bounded memory, bounded time, and whatever is lowered all
//! the same is as the IR's specification says.
//!
//! A mutant is determined by its number alone. When one fails, its bytes are written to a file, to be
//! looked at or to be put into `fuzz/corpus`.
#![allow(clippy::panic, clippy::print_stdout, reason = "a test; the counts are its result")]
#![allow(missing_docs, unreachable_pub, dead_code, reason = "support is shared among tests")]

#[path = "../support/asm.rs"]
mod asm;
mod corpus;
#[path = "../support/jdk.rs"]
mod jdk;
#[path = "../support/meter.rs"]
mod meter;
mod mutate;
mod random;
#[path = "../support/round.rs"]
mod round;
mod subject;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bytes::Bytes;
use heliostat_ir::Lowerer;

use corpus::Corpus;
use meter::Cost;
use mutate::mutate;
use random::Random;
use round::{Tally, round};

/// The mutants of all tests of this file together.
const MUTANTS: u64 = 202_000;

/// The most memory that one mutant may take. The lowering's own tables may grow to 32 MiB for one that claims
/// thousands of local variables (`CELLS` in `lower/bounds.rs`); the classes themselves are 2 KiB.
const MAX_PEAK: usize = 64 << 20;

/// The most time: some thousand times the average, for machines that do something else as well.
const MAX_TIME: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Totals {
    mutants: u64,
    lowered: u64,
    refused: u64,
    peak: usize,
    largest: usize,
    time: Duration,
}

impl Totals {
    fn add(&mut self, tally: Tally, cost: Cost) {
        self.mutants += 1;
        self.lowered += u64::from(tally.lowered);
        self.refused += u64::from(tally.refused);
        self.peak = self.peak.max(cost.peak);
        self.largest = self.largest.max(cost.largest);
        self.time = self.time.max(cost.time);
    }
}

/// Each mutant alone, and with intact classes around it that it may inherit from, or clash with.
fn survive(numbers: std::ops::Range<u64>) {
    let expected = numbers.end - numbers.start;
    let corpus = Corpus::new();
    let mut lowerer = Lowerer::new();
    let mut totals = Totals::default();
    for number in numbers {
        let mut random = Random::new(number);
        let subject = &corpus.subjects[random.below(corpus.subjects.len())];
        let other = &corpus.subjects[random.below(corpus.subjects.len())];
        let mutant = Bytes::from(mutate(subject, other, &mut random));
        let mut around = corpus.companions.clone();
        around.extend([subject.bytes.clone(), other.bytes.clone()]);
        let mut attempt = || {
            let alone = round(&mutant, &[], &mut lowerer);
            round(&mutant, &around, &mut lowerer);
            alone
        };
        let (outcome, cost) = meter::measure(|| catch_unwind(AssertUnwindSafe(&mut attempt)));
        let what = || format!("mutant {number} of {}, now in {},", subject.name, keep(number, &mutant));
        let Ok(tally) = outcome else { panic!("{} panics", what()) };
        assert!(cost.peak <= MAX_PEAK, "{} costs {cost:?}", what());
        // Once more, in case it was the machine that had something else to do.
        assert!(cost.time <= MAX_TIME || meter::measure(attempt).1.time <= MAX_TIME, "{} takes long", what());
        totals.add(tally, cost);
    }
    println!(
        "{} mutants, {} methods lowered, {} refused, 0 panics, worst allocation {} bytes (peak {} bytes), worst time {:?}",
        totals.mutants, totals.lowered, totals.refused, totals.largest, totals.peak, totals.time
    );
    assert_eq!(totals.mutants, expected);
    assert!(totals.lowered > totals.mutants, "most mutants must get as far as to be lowered");
}

/// Writes a mutant to a file; returns its path.
fn keep(number: u64, mutant: &[u8]) -> String {
    let path = std::env::temp_dir().join(format!("heliostat-mutant-{number}.class"));
    match std::fs::write(&path, mutant) {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("no file: {error}"),
    }
}

const _: () = assert!(MUTANTS >= 200_000);

#[test]
fn the_meter_counts() {
    let (bytes, cost) = meter::measure(|| drop((vec![0_u8; 3 << 20], vec![0_u8; 1 << 20])));
    assert_eq!((bytes, cost.peak, cost.largest), ((), 4 << 20, 3 << 20));
}

#[test]
fn first_half_survives() {
    survive(0..MUTANTS / 2);
}

#[test]
fn second_half_survives() {
    survive(MUTANTS / 2..MUTANTS);
}
