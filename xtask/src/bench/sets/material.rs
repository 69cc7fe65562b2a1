//! The points-to sets of a solution, and pairs of variables of which one flows into the other.

use heliostat_core::pta::facts::Var;
use heliostat_core::pta::{CallEdge, InstanceId, ObjectId, Solution};
use heliostat_index::{Id, IdMap, SetId, Sets};
use serde::{Deserialize, Serialize};

use super::representations::blocks;

/// The most flows that are taken.
const MOST_FLOWS: usize = 300_000;

/// A variable of an instance, by its number among all.
type Variable = u32;

/// What a program gives to measure on.
pub(super) struct Material {
    /// Each set once; the numbers are dense.
    sets: Sets<ObjectId>,
    /// How many variables have each set.
    pub(super) uses: Vec<u64>,
    /// By the variable that is flowed into.
    pub(super) flows: Vec<Flow>,
    /// Of all flows, those that differ in their sets, each once: as if all variables with equal sets were one.
    pub(super) different: Vec<Flow>,
    pub(super) counts: Counts,
}

/// All that one variable has goes to another. Sets are meant by their place among [`Material::sets`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) into: Variable,
    /// What flows.
    pub(super) from: usize,
    /// What `into` has in the end.
    pub(super) to: usize,
}

/// How much there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) variables: u64,
    /// Of the variables, those that point to nothing.
    pub(super) empty: u64,
    pub(super) distinct_sets: u64,
    /// The sizes of all variables' sets together.
    pub(super) points_to: u64,
    /// The size of the largest set.
    pub(super) largest: u64,
    /// One more than the highest number of an object in a set.
    pub(super) numbers: u64,
    /// Between variables, along call edges.
    pub(super) flows: u64,
    /// Of these, what is measured.
    pub(super) taken: u64,
    /// Of all flows, and of those taken, how many differ in their sets.
    pub(super) different: u64,
    pub(super) different_taken: u64,
}

impl Material {
    pub(super) fn of(solution: &Solution) -> Self {
        let mut sets = Sets::new();
        let (mut has, mut ids): (Vec<SetId>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut first: IdMap<InstanceId, Variable> = IdMap::with_default(0);
        for (instance, code, _) in solution.instances() {
            first[instance] = has.len() as u32;
            let vars = solution.facts.template(code).map_or(0, |template| template.vars);
            for var in (0..vars).map(Var::from_u32) {
                ids.clear();
                ids.extend(solution.points_to(instance, var).map(ObjectId::as_u32));
                has.push(sets.intern(&blocks(&ids)));
            }
        }
        let mut pairs = Vec::new();
        for edge in solution.edges() {
            along(solution, edge, |(instance, var), (into_instance, into)| {
                let variable = |instance, var: Var| first[instance] + var.as_u32();
                pairs.push((variable(into_instance, into), variable(instance, var)));
            });
        }
        pairs.retain(|&(into, from)| into != from && has[from as usize] != SetId::EMPTY);
        pairs.sort_unstable();
        pairs.dedup();
        Self::new(sets, &has, &pairs)
    }

    /// From the set of each variable, and pairs of a variable and one that flows into it, sorted.
    fn new(sets: Sets<ObjectId>, has: &[SetId], pairs: &[(Variable, Variable)]) -> Self {
        let set = |variable: Variable| has[variable as usize].index();
        let flow = |&(into, from): &(Variable, Variable)| Flow { into, from: set(from), to: set(into) };
        let flows: Vec<Flow> = chosen(pairs, MOST_FLOWS).map(flow).collect();
        let different = different(pairs.iter().map(flow));
        let mut uses = vec![0; has.iter().map(|set| set.index() + 1).max().unwrap_or(0)];
        for set in has {
            uses[set.index()] += 1;
        }
        let (variables, all) = (has.len() as u64, pairs.len() as u64);
        let counts = Counts { variables, flows: all, different: different.len() as u64, ..Counts::default() };
        let different = chosen(&different, MOST_FLOWS).copied().collect();
        let mut this = Self { sets, uses, flows, different, counts };
        this.count();
        this
    }

    fn count(&mut self) {
        let counts = &mut self.counts;
        for (set, &uses) in (0..).map(SetId::from_u32).zip(&self.uses) {
            let size = self.sets.len(set) as u64;
            counts.distinct_sets += u64::from(uses > 0);
            counts.empty += if size == 0 { uses } else { 0 };
            counts.points_to += size * uses;
            counts.largest = counts.largest.max(size);
            let last = self.sets.blocks(set).last().and_then(|block| block.ids::<ObjectId>().last());
            counts.numbers = counts.numbers.max(last.map_or(0, |last| u64::from(last.as_u32()) + 1));
        }
        counts.taken = self.flows.len() as u64;
        counts.different_taken = different(self.flows.iter().copied()).len() as u64;
    }

    /// The objects of each set, in order.
    pub(super) fn sets(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        (0..self.uses.len()).map(|set| self.sets.iter(SetId::new(set)).map(ObjectId::as_u32).collect())
    }
}

/// What a call edge passes: arguments, results and exceptions, as the engine does it. Receivers are left out: each
/// callee gets only those that select it.
fn along(solution: &Solution, edge: CallEdge, mut pass: impl FnMut((InstanceId, Var), (InstanceId, Var))) {
    let CallEdge { caller, site, callee } = edge;
    let call = &solution.facts.sites()[site];
    let Some(template) = solution.facts.template(solution.code_of(callee)) else { return };
    for (arg, param) in call.args.iter().zip(&template.params) {
        if let (Some(arg), Some(param)) = (arg.expand(), param.expand()) {
            pass((caller, arg), (callee, param));
        }
    }
    for (from, to) in [(template.result, call.result), (template.thrown, call.thrown)] {
        if let (Some(from), Some(to)) = (from.expand(), to.expand()) {
            pass((callee, from), (caller, to));
        }
    }
}

/// Those that differ in their sets; variables are no more told apart than by what they have in the end.
fn different(flows: impl Iterator<Item = Flow>) -> Vec<Flow> {
    let mut pairs: Vec<(usize, usize)> = flows.map(|flow| (flow.to, flow.from)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into_iter().map(|(to, from)| Flow { into: to as Variable, from, to }).collect()
}

/// At most so many, at even distances.
fn chosen<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let count = all.len().min(most);
    (0..count).map(move |at| &all[at * all.len() / count])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Three variables: a small and a large one flow into the third.
    pub(in super::super) fn material() -> Material {
        let mut sets = Sets::new();
        let all: Vec<u32> = (0..100).chain([4000]).collect();
        let has = [&all[3..5], &all[4..], &all[3..], &[]].map(|ids| sets.intern(&blocks(ids)));
        Material::new(sets, &has, &[(2, 0), (2, 1)])
    }

    #[test]
    fn sets_are_counted() {
        let material = material();
        let expected = Counts {
            variables: 4,
            empty: 1,
            distinct_sets: 4,
            points_to: 2 + 97 + 98,
            largest: 98,
            numbers: 4001,
            flows: 2,
            taken: 2,
            different: 2,
            different_taken: 2,
        };
        assert_eq!(material.counts, expected);
        let sizes: Vec<usize> = material.sets().map(|ids| ids.len()).collect();
        assert_eq!(sizes, [0, 2, 97, 98]);
    }

    #[test]
    fn choice_is_even() {
        let all: Vec<usize> = (0..10).collect();
        assert!(chosen(&all, 5).eq(&[0, 2, 4, 6, 8]));
        assert!(chosen(&all, 20).eq(&all));
        assert_eq!(chosen(&all[..0], 5).count(), 0);
    }
}
