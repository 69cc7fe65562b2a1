//! Why edges are missed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heliostat_index::{FastMap, FastSet};
use serde::Serialize;

use super::makers::Makers;
use super::sides::{Recorded, RecordedCall, StaticRun, class_of};
use super::{Missed, Part, is_of_the_tracer};

/// Why an edge is missed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Cause {
    /// The analysis has the call site, and not this callee.
    CalleeMissing,
    /// The analysis reaches the method, and has no edge from this place in it.
    SiteUnknown,
    /// The analysis reaches the method, and nothing that makes what is called there: a constructor of its
    /// class, or the method around a lambda. `since` is the place, among the first causes, of the edge by
    /// which the maker was first lost.
    ReceiverNotMade {
        /// The place of that edge.
        since: usize,
    },
    /// The analysis does not reach the caller. `since` is the place, among the first causes, of the edge by
    /// which it was first lost; none if no way there is recorded.
    CallerNotReached {
        /// The place of that edge.
        since: Option<usize>,
    },
}

impl Cause {
    /// The same, with places for the numbers of edges.
    fn placed(self, places: &FastMap<usize, usize>) -> Self {
        let place = |number: usize| places.get(&number).copied();
        match self {
            Self::ReceiverNotMade { since } => Self::ReceiverNotMade { since: place(since).unwrap_or(since) },
            Self::CallerNotReached { since } => Self::CallerNotReached { since: since.and_then(place) },
            other => other,
        }
    }
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

impl RootCause {
    /// How many of the edges that it explains begin in the inputs.
    pub fn app_edges(&self) -> u64 {
        self.app_to_app + self.app_to_library
    }
}

/// What an edge explains: missed edges in all, those within the inputs, and those from there to libraries.
type Explained = (usize, [u64; 3]);

/// The first cause of each missed edge, and the causes in the order of what they explain.
pub(super) fn find(
    run: &StaticRun,
    recorded: &Recorded,
    missed: Vec<(Part, &RecordedCall)>,
) -> (Vec<Missed>, Vec<RootCause>) {
    let firsts = Firsts::new(run, recorded);
    let numbers: FastMap<*const RecordedCall, usize> =
        recorded.calls.iter().enumerate().map(|(number, call)| (std::ptr::from_ref(call), number)).collect();
    let mut explained: FastMap<usize, [u64; 3]> = FastMap::default();
    let mut all = Vec::with_capacity(missed.len());
    for (part, call) in missed {
        let number = numbers.get(&std::ptr::from_ref(call)).copied();
        let (cause, root) = firsts.cause(call, number);
        if let Some(root) = root {
            let counts = explained.entry(root).or_default();
            counts[0] += 1;
            counts[1] += u64::from(part == Part::AppToApp);
            counts[2] += u64::from(part == Part::AppToLibrary);
        }
        all.push(Missed { call: call.clone(), part, cause });
    }
    let ranked = ranked(explained);
    let places = ranked.iter().enumerate().map(|(place, &(number, _))| (number, place)).collect();
    for missed in &mut all {
        missed.cause = missed.cause.clone().placed(&places);
    }
    (all, ranked.into_iter().map(|explained| root_cause(run, recorded, explained)).collect())
}

/// Edges by the edges because of which they are missed.
struct Firsts<'a> {
    run: &'a StaticRun,
    recorded: &'a Recorded,
    makers: Makers<'a>,
    /// For each method that ran and is not reached, the edge by which a shortest way to it leaves what is
    /// reached.
    lost: FastMap<&'a str, usize>,
    /// The same on ways that do not begin with a call on an object that nothing reached makes.
    plainly_lost: FastMap<&'a str, usize>,
}

impl<'a> Firsts<'a> {
    fn new(run: &'a StaticRun, recorded: &'a Recorded) -> Self {
        let makers = Makers::new(run, recorded);
        let lost = lost_by(run, recorded, |_| true);
        let plainly_lost = lost_by(run, recorded, |call| makers.of(call).is_empty());
        Self { run, recorded, makers, lost, plainly_lost }
    }

    /// Why an edge is missed, and the number of the edge that is to blame.
    fn cause(&self, call: &RecordedCall, number: Option<usize>) -> (Cause, Option<usize>) {
        if let Some(caller) = call.caller.as_ref().filter(|caller| !self.run.reaches(caller)) {
            let since = self.lost.get(caller.as_str()).map(|&root| self.first(root));
            return (Cause::CallerNotReached { since }, since);
        }
        let root = number.map(|number| self.first(number));
        let cause = match root.filter(|_| root != number) {
            Some(since) => Cause::ReceiverNotMade { since },
            None if self.run.knows_site(call) => Cause::CalleeMissing,
            None => Cause::SiteUnknown,
        };
        (cause, root)
    }

    /// The first of the edges that lead to an edge, each the one by which the maker of the next one's object
    /// was lost. If they lead in a circle, it is the one by which that is entered, or else the first of the
    /// run.
    fn first(&self, number: usize) -> usize {
        let mut chain = vec![number];
        let mut last = number;
        while let Some(before) = self.maker_lost_by(last, &self.lost) {
            if let Some(start) = chain.iter().position(|&other| other == before) {
                let mut circle = chain.split_off(start);
                circle.sort_unstable();
                let entered = circle.iter().find_map(|&edge| self.maker_lost_by(edge, &self.plainly_lost));
                return entered.unwrap_or(circle[0]);
            }
            chain.push(before);
            last = before;
        }
        last
    }

    /// The edge by which the maker of the object was lost that a call is made on.
    fn maker_lost_by(&self, number: usize, lost: &FastMap<&str, usize>) -> Option<usize> {
        let makers = self.makers.of(&self.recorded.calls[number]);
        makers.iter().filter_map(|maker| lost.get(maker).copied()).min()
    }
}

/// How far a way to an edge is, what matters most first: how many of its edges are no calls of the program's
/// own, how many it has, and the numbers of the first and of the last of them.
type Way = (usize, usize, usize, usize);

/// For each method that ran and is not reached: the edge by which a shortest way to it leaves what is
/// reached, of those that count. A way over calls of the program's own is shorter than any other; what calls
/// a method of a class of which nothing is reached has its initialiser run.
fn lost_by<'a>(
    run: &StaticRun,
    recorded: &'a Recorded,
    counts: impl Fn(&RecordedCall) -> bool,
) -> FastMap<&'a str, usize> {
    let mut by_caller: FastMap<&str, Vec<usize>> = FastMap::default();
    let initialisers = initialisers(run, recorded);
    let mut work: BinaryHeap<Reverse<Way>> = BinaryHeap::new();
    for (number, call) in recorded.calls.iter().enumerate() {
        match &call.caller {
            _ if is_of_the_tracer(&call.callee) => {}
            Some(caller) if !run.reaches(caller) => by_caller.entry(caller).or_default().push(number),
            _ if counts(call) => work.push(Reverse((usize::from(is_indirect(call)), 1, number, number))),
            _ => {}
        }
    }
    let mut lost: FastMap<&str, usize> = FastMap::default();
    while let Some(Reverse((indirect, length, root, number))) = work.pop() {
        let callee = recorded.calls[number].callee.as_str();
        if run.reaches(callee) || lost.contains_key(callee) {
            continue;
        }
        lost.insert(callee, root);
        let initialiser = initialisers.get(class_of(callee));
        work.extend(initialiser.map(|&number| Reverse((indirect, length + 1, root, number))));
        for &next in by_caller.get(callee).into_iter().flatten() {
            let indirect = indirect + usize::from(is_indirect(&recorded.calls[next]));
            work.push(Reverse((indirect, length + 1, root, next)));
        }
    }
    lost
}

/// Edges to the initialisers of classes of which nothing is reached, by these classes.
fn initialisers<'a>(run: &StaticRun, recorded: &'a Recorded) -> FastMap<&'a str, usize> {
    let reached: FastSet<&str> = run.methods().map(class_of).collect();
    let calls = recorded.calls.iter().enumerate().filter(|(_, call)| call.kind == "clinit");
    let classes = calls.map(|(number, call)| (class_of(&call.callee), number));
    classes.filter(|(class, _)| !reached.contains(class)).collect()
}

/// Whether it is the JVM or the JDK that calls, and not the program.
fn is_indirect(call: &RecordedCall) -> bool {
    matches!(call.kind.as_str(), "implicit" | "linkage" | "clinit")
}

/// Those first that explain most edges of the inputs, then those that explain most.
fn ranked(explained: FastMap<usize, [u64; 3]>) -> Vec<Explained> {
    let mut ranked: Vec<Explained> = explained.into_iter().collect();
    ranked.sort_unstable_by_key(|&(number, [edges, to_app, to_library])| {
        (Reverse(to_app + to_library), Reverse(edges), number)
    });
    ranked
}

fn root_cause(run: &StaticRun, recorded: &Recorded, (number, counts): Explained) -> RootCause {
    let call = recorded.calls[number].clone();
    let [edges, app_to_app, app_to_library] = counts;
    RootCause { site_known: run.knows_site(&call), call, edges, app_to_app, app_to_library }
}
