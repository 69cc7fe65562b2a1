//! How much was found, in numbers.

use heliostat_index::{Id, IdMap, SetId};
use heliostat_program::TypeId;
use heliostat_solve::NodeId;
use serde::Serialize;
use smallvec::SmallVec;

use crate::engine::InstanceId;
use crate::facts::{CodeId, Var};
use crate::solution::Solution;

/// Counts of a solution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Objects: allocation sites in contexts.
    pub objects: u64,
    /// Variables in contexts.
    pub vars: u64,
    /// Contexts.
    pub contexts: u64,
    /// Methods that have as many contexts as were asked for at most, and would have more.
    pub merged_methods: u64,
    /// Pairs of a variable and an object, each in contexts.
    pub var_points_to: u64,
    /// The same with contexts projected away: pairs of a variable and an allocation site.
    pub var_points_to_ci: u64,
    /// Those pairs, in contexts, whose object is a string.
    pub string_var_points_to: u64,
    /// Pairs of a field of an object and an object.
    pub heap_points_to: u64,
}

/// What is to be known of a set.
#[derive(Clone, Copy)]
struct Size {
    objects: u64,
    allocs: u64,
    strings: u64,
}

/// Counts sets, each once: most variables have the set of others.
struct Counter<'a> {
    solution: &'a Solution,
    sizes: IdMap<SetId, Option<Size>>,
    /// For each allocation site, the number of the latest count that met it.
    met: Vec<u32>,
    count: u32,
}

impl Solution {
    /// Counts of objects, variables and tuples.
    pub fn counts(&self) -> Counts {
        let mut counter = Counter {
            solution: self,
            sizes: IdMap::with_default(None),
            met: vec![0; self.facts.allocs().len()],
            count: 0,
        };
        let mut counts = Counts {
            objects: self.solver.objects() as u64,
            contexts: self.contexts.len() as u64,
            merged_methods: self.merged,
            ..Counts::default()
        };
        for (code, instances) in self.instances_by_code() {
            counter.add_code(code, &instances, &mut counts);
        }
        let mut nodes: Vec<NodeId> = self.fields.values().copied().collect();
        nodes.sort_unstable();
        counts.heap_points_to =
            nodes.into_iter().map(|node| counter.size(self.solver.set(node)).objects).sum();
        counts
    }
}

impl Counter<'_> {
    fn add_code(&mut self, code: CodeId, instances: &[InstanceId], counts: &mut Counts) {
        let vars = self.solution.facts.template(code).map_or(0, |t| t.vars);
        counts.vars += u64::from(vars) * instances.len() as u64;
        for var in (0..vars).map(Var::from_u32) {
            let sets = instances.iter().map(|&i| self.solution.solver.set(self.solution.node(i, var)));
            let mut sets: SmallVec<[SetId; 4]> = sets.collect();
            for &set in &sets {
                let size = self.size(set);
                counts.var_points_to += size.objects;
                counts.string_var_points_to += size.strings;
            }
            sets.sort_unstable();
            sets.dedup();
            counts.var_points_to_ci += match sets[..] {
                [only] => self.size(only).allocs,
                _ => self.allocs(&sets),
            };
        }
    }

    fn size(&mut self, set: SetId) -> Size {
        if let Some(known) = self.sizes[set] {
            return known;
        }
        let allocs = self.allocs(&[set]);
        let objects = self.solution.solver.objects_of(set);
        let is_string = |object: &_| self.solution.object_type(*object) == Some(TypeId::STRING);
        let (count, strings) = objects.fold((0, 0), |(n, s), o| (n + 1, s + u64::from(is_string(&o))));
        let size = Size { objects: count, allocs, strings };
        self.sizes[set] = Some(size);
        size
    }

    /// How many allocation sites sets have together.
    fn allocs(&mut self, sets: &[SetId]) -> u64 {
        self.count += 1;
        let mut allocs = 0;
        for object in sets.iter().flat_map(|&set| self.solution.solver.objects_of(set)) {
            let Some(alloc) = self.solution.object(object).map(|o| o.alloc) else { continue };
            if let Some(met) = self.met.get_mut(alloc.index()) {
                allocs += u64::from(*met != self.count);
                *met = self.count;
            }
        }
        allocs
    }
}
