//! Why edges are missed.

use std::collections::VecDeque;

use heliostat_index::{FastMap, FastSet};
use serde::Serialize;

use super::sides::{Recorded, RecordedCall, StaticRun};
use super::{Missed, Part};

/// Why an edge is missed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Cause {
    /// The analysis has the call site, and not this callee.
    CalleeMissing,
    /// The analysis reaches the method, and has no edge from this place in it.
    SiteUnknown,
    /// The analysis does not reach the caller. `since` is the number, among all calls of the run, of the edge by which it was first lost;
    /// none if no way there is recorded.
    CallerNotReached {
        /// The number of that edge.
        since: Option<usize>,
    },
}

/// An edge because of which others are missed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RootCause {
    /// The edge.
    pub call: RecordedCall,
    /// Whether the analysis knows its call site.
    pub site_known: bool,
    /// How many missed edges it explains, itself among them if it is one.
    pub edges: u64,
    /// How many of these are from the inputs to the inputs.
    pub app_to_app: u64,
    /// How many of these are from the inputs to something else.
    pub app_to_library: u64,
}

/// The first cause of each missed edge, and the causes in the order of what they explain.
pub(super) fn find(
    run: &StaticRun,
    recorded: &Recorded,
    missed: Vec<(Part, &RecordedCall)>,
) -> (Vec<Missed>, Vec<RootCause>) {
    let lost = lost_by(run, recorded);
    let numbers: FastMap<*const RecordedCall, usize> =
        recorded.calls.iter().enumerate().map(|(number, call)| (std::ptr::from_ref(call), number)).collect();
    let mut explained: FastMap<usize, [u64; 3]> = FastMap::default();
    let mut all = Vec::with_capacity(missed.len());
    for (part, call) in missed {
        let cause = cause(run, call, &lost);
        let root = match cause {
            Cause::CallerNotReached { since } => since,
            Cause::CalleeMissing | Cause::SiteUnknown => numbers.get(&std::ptr::from_ref(call)).copied(),
        };
        if let Some(root) = root {
            let counts = explained.entry(root).or_default();
            counts[0] += 1;
            counts[1] += u64::from(part == Part::AppToApp);
            counts[2] += u64::from(part == Part::AppToLibrary);
        }
        all.push(Missed { call: call.clone(), part, cause });
    }
    (all, ranked(run, recorded, explained))
}

fn cause(run: &StaticRun, call: &RecordedCall, lost: &FastMap<&str, usize>) -> Cause {
    match &call.caller {
        Some(caller) if !run.reaches(caller) => {
            Cause::CallerNotReached { since: lost.get(caller.as_str()).copied() }
        }
        _ if run.knows_site(call) => Cause::CalleeMissing,
        _ => Cause::SiteUnknown,
    }
}

/// For each method that ran and is not reached: the edge by which a shortest way to it leaves what is reached.
fn lost_by<'a>(run: &StaticRun, recorded: &'a Recorded) -> FastMap<&'a str, usize> {
    let mut by_caller: FastMap<&str, Vec<usize>> = FastMap::default();
    let mut work: VecDeque<(usize, usize)> = VecDeque::new();
    for (number, call) in recorded.calls.iter().enumerate() {
        match &call.caller {
            Some(caller) if !run.reaches(caller) => by_caller.entry(caller).or_default().push(number),
            _ => work.push_back((number, number)),
        }
    }
    let mut lost: FastMap<&str, usize> = FastMap::default();
    let mut seen: FastSet<&str> = FastSet::default();
    while let Some((number, root)) = work.pop_front() {
        let callee = recorded.calls[number].callee.as_str();
        if !run.reaches(callee) && seen.insert(callee) {
            lost.insert(callee, root);
            work.extend(by_caller.get(callee).into_iter().flatten().map(|&next| (next, root)));
        }
    }
    lost
}

fn ranked(run: &StaticRun, recorded: &Recorded, explained: FastMap<usize, [u64; 3]>) -> Vec<RootCause> {
    let mut roots: Vec<(usize, [u64; 3])> = explained.into_iter().collect();
    roots.sort_unstable_by_key(|&(number, [edges, ..])| (std::cmp::Reverse(edges), number));
    let root = |(number, [edges, app_to_app, app_to_library]): (usize, [u64; 3])| {
        let call = recorded.calls[number].clone();
        let site_known = run.knows_site(&call);
        RootCause { call, site_known, edges, app_to_app, app_to_library }
    };
    roots.into_iter().map(root).collect()
}
