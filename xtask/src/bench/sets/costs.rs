//! What each representation takes and how long it needs.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Result, ensure};
use heliostat_index::SetId;
use serde::{Deserialize, Serialize};

use super::material::{Flow, Material};
use super::representations::{Blocks, Dense, Hashed, KeptOnce, Representation, Roaring, Sorted};
use crate::bench::clock::timed;

/// How often each representation is timed; the middle one counts.
const ROUNDS: usize = 3;

/// What a representation costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Costs {
    pub(super) representation: String,
    /// All variables, each with a set of its own; none if there are no such sets.
    pub(super) own_bytes: Option<u64>,
    /// Each set once, and its number for each variable.
    pub(super) once_bytes: u64,
    pub(super) growing_s: f64,
    pub(super) settled_s: f64,
    pub(super) different_s: f64,
    /// Each round: growing, settled, different.
    pub(super) rounds: Vec<[f64; 3]>,
}

/// A representation that is measured, whatever its type.
struct Candidate {
    name: &'static str,
    /// Whether each variable can have a set of its own.
    is_own: bool,
    round: fn(&Material) -> Round,
}

/// What one round finds.
struct Round {
    own_bytes: u64,
    once_bytes: u64,
    /// Growing, settled, different.
    times: [Duration; 3],
    /// How often something new arrived in each.
    news: [u64; 3],
}

const CANDIDATES: [Candidate; 6] = [
    Candidate { name: "sorted `Vec<u32>`", is_own: true, round: round::<Sorted> },
    Candidate { name: "32-id blocks", is_own: true, round: round::<Blocks> },
    Candidate { name: "32-id blocks, once, remembered", is_own: false, round: round::<KeptOnce> },
    Candidate { name: "roaring", is_own: true, round: round::<Roaring> },
    Candidate { name: "hash set", is_own: true, round: round::<Hashed> },
    Candidate { name: "dense bits", is_own: true, round: round::<Dense> },
];

/// Measures every representation. Rounds go over all of them in turn, so that other work on the machine hits all alike.
pub(super) fn of_all(material: &Material) -> Result<Vec<Costs>> {
    let mut rounds: Vec<Vec<Round>> = CANDIDATES.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for (candidate, rounds) in CANDIDATES.iter().zip(&mut rounds) {
            rounds.push((candidate.round)(material));
        }
    }
    let mut all = rounds.iter().flatten().map(|round| round.news);
    let first = all.next().unwrap_or_default();
    ensure!(all.all(|news| news == first), "representations disagree on what is new");
    ensure!(first[1] == 0, "{} flows bring something new to settled sets", first[1]);
    Ok(CANDIDATES.iter().zip(&rounds).map(|(candidate, rounds)| costs(candidate, rounds)).collect())
}

fn costs(candidate: &Candidate, rounds: &[Round]) -> Costs {
    let seconds = |round: &Round| round.times.map(|time| time.as_secs_f64());
    let rounds_s: Vec<[f64; 3]> = rounds.iter().map(seconds).collect();
    let [growing_s, settled_s, different_s] = [0, 1, 2].map(|at| middle(rounds_s.iter().map(|s| s[at])));
    let (own, once) = rounds.first().map_or((0, 0), |round| (round.own_bytes, round.once_bytes));
    Costs {
        representation: candidate.name.to_owned(),
        own_bytes: candidate.is_own.then_some(own),
        once_bytes: once,
        growing_s,
        settled_s,
        different_s,
        rounds: rounds_s,
    }
}

fn middle(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

fn round<R: Representation>(material: &Material) -> Round {
    let (own_bytes, once_bytes) = bytes::<R>(material);
    let timings = [
        run::<R>(material, |representation, sets| grow(representation, sets, &material.flows)),
        run::<R>(material, |representation, sets| settle(representation, sets, &material.flows)),
        run::<R>(material, |representation, sets| grow(representation, sets, &material.different)),
    ];
    Round { own_bytes, once_bytes, times: timings.map(|(_, time)| time), news: timings.map(|(news, _)| news) }
}

/// Of all variables' own sets, and of each set once.
fn bytes<R: Representation>(material: &Material) -> (u64, u64) {
    let (representation, sets) = built::<R>(material);
    let bytes = |set: &R::Set| representation.bytes(set) as u64;
    let own = sets.iter().zip(&material.uses).map(|(set, uses)| bytes(set) * uses).sum();
    let numbers = material.counts.variables * size_of::<SetId>() as u64;
    (own, sets.iter().map(bytes).sum::<u64>() + numbers)
}

/// Each with sets of its own making, so that nothing is remembered from one to the other.
fn run<R: Representation>(
    material: &Material,
    work: impl FnOnce(&mut R, &[R::Set]) -> u64,
) -> (u64, Duration) {
    let (mut representation, sets) = built::<R>(material);
    timed(|| work(&mut representation, &sets))
}

fn built<R: Representation>(material: &Material) -> (R, Vec<R::Set>) {
    let mut representation = R::default();
    let sets = material.sets().map(|ids| representation.set(&ids)).collect();
    (representation, sets)
}

/// Every variable begins empty, and gets what flows into it, one after the other. Counts how often something is new.
fn grow<R: Representation>(representation: &mut R, sets: &[R::Set], flows: &[Flow]) -> u64 {
    let mut news = 0;
    for into_one in flows.chunk_by(|a, b| a.into == b.into) {
        let mut to = R::Set::default();
        for flow in into_one {
            let fresh = representation.minus(&sets[flow.from], &to);
            if !representation.is_empty(&fresh) {
                news += 1;
                representation.unite(&mut to, &fresh);
            }
        }
        black_box(&to);
    }
    news
}

/// Every variable has all that it gets in the end, so that nothing is new.
fn settle<R: Representation>(representation: &mut R, sets: &[R::Set], flows: &[Flow]) -> u64 {
    let mut news = 0;
    for flow in flows {
        let fresh = representation.minus(&sets[flow.from], &sets[flow.to]);
        news += u64::from(!representation.is_empty(&fresh));
        black_box(&fresh);
    }
    news
}

#[cfg(test)]
mod tests {
    use super::super::material::tests::material;
    use super::*;

    #[test]
    fn all_representations_are_measured_and_agree() {
        let costs = of_all(&material()).unwrap();
        assert_eq!(costs.len(), CANDIDATES.len());
        let bytes = |name: &str| {
            let found = costs.iter().find(|costs| costs.representation == name).unwrap();
            (found.own_bytes, found.once_bytes)
        };
        // Four sets with 197 numbers and 1 + 5 + 5 blocks, no set twice; a number for each of the four variables.
        assert_eq!(bytes("sorted `Vec<u32>`"), (Some(4 * 24 + 4 * 197), 4 * 24 + 4 * 197 + 16));
        assert_eq!(bytes("32-id blocks"), (Some(4 * 24 + 8 * 11), 4 * 24 + 8 * 11 + 16));
        assert_eq!(bytes("32-id blocks, once, remembered").0, None);
    }

    fn check<R: Representation>() {
        let mut representation = R::default();
        let odd: Vec<u32> = (0..900).filter(|n| n % 2 == 1).collect();
        let (few, more) = ([3, 4, 70_000], [3, 4, 5, 70_000]);
        let all: Vec<u32> = odd.iter().copied().chain([900, 70_000]).collect();
        for (a, b) in
            [(&few[..], &odd[..]), (&odd, &few), (&[], &few), (&few, &[]), (&few, &more), (&all, &odd)]
        {
            let [mut x, y] = [a, b].map(|ids| representation.set(ids));
            let left: Vec<u32> = a.iter().copied().filter(|id| !b.contains(id)).collect();
            let mut both = [a, b].concat();
            both.sort_unstable();
            both.dedup();
            let found = representation.minus(&x, &y);
            assert_same(&mut representation, &found, &left);
            representation.unite(&mut x, &y);
            assert_same(&mut representation, &x, &both);
        }
    }

    fn assert_same<R: Representation>(representation: &mut R, found: &R::Set, expected: &[u32]) {
        let expected = representation.set(expected);
        for (a, b) in [(found, &expected), (&expected, found)] {
            let left = representation.minus(a, b);
            assert!(representation.is_empty(&left));
        }
    }

    #[test]
    fn representations_are_sets() {
        check::<Sorted>();
        check::<Blocks>();
        check::<KeptOnce>();
        check::<Roaring>();
        check::<Hashed>();
        check::<Dense>();
    }
}
