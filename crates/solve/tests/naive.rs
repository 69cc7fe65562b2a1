//! The solver against the plainest algorithm there is, on random systems: edges and filters given before or found on the way.

use std::collections::{BTreeMap, BTreeSet};

use heliostat_index::{BlockBits, Id};
use heliostat_solve::{Client, FilterId, GroupId, NodeId, ObjectId, Outcome, Solver};

/// A small generator of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as usize
    }
}

const GROUPS: usize = 5;

/// A system: `load`s are edges that begin at the field of each object that arrives at a base.
struct System {
    nodes: usize,
    /// The group of each object; each has one field.
    objects: Vec<usize>,
    given: Vec<(usize, usize)>,
    edges: Vec<(usize, usize, usize)>,
    loads: Vec<(usize, usize)>,
    stores: Vec<(usize, usize)>,
}

impl System {
    fn random(random: &mut Numbers) -> Self {
        let (nodes, objects) = (2 + random.below(40), 1 + random.below(120));
        let mut pairs = |count: usize, a: usize, b: usize| -> Vec<(usize, usize)> {
            (0..count).map(|_| (random.below(a as u64), random.below(b as u64))).collect()
        };
        let given = pairs(objects, nodes, objects);
        let plain = pairs(nodes * 2, nodes, nodes);
        let loads = pairs(nodes / 3, nodes, nodes);
        let stores = pairs(nodes / 3, nodes, nodes);
        let edges = plain.into_iter().map(|(a, b)| (a, b, random.below(6).saturating_sub(3))).collect();
        let objects = (0..objects).map(|_| random.below(GROUPS as u64)).collect();
        Self { nodes, objects, given, edges, loads, stores }
    }

    /// The smallest solution, by repeating every rule until nothing changes. Fields follow the nodes.
    fn naive(&self) -> Vec<BTreeSet<usize>> {
        let mut sets = vec![BTreeSet::new(); self.nodes + self.objects.len()];
        for &(node, object) in &self.given {
            sets[node].insert(object);
        }
        loop {
            let before = sets.clone();
            for &(from, to, filter) in &self.edges {
                let passing = before[from].iter().filter(|&&o| admits(filter, self.objects[o]));
                sets[to].extend(passing);
            }
            for &(base, to) in &self.loads {
                for &object in &before[base] {
                    sets[to].extend(&before[self.nodes + object]);
                }
            }
            for &(base, from) in &self.stores {
                for &object in &before[base] {
                    sets[self.nodes + object].extend(&before[from]);
                }
            }
            if sets == before {
                return sets;
            }
        }
    }
}

/// Filter 0 admits everything; the others all groups but one or two.
fn admits(filter: usize, group: usize) -> bool {
    filter == 0 || group % 3 != filter % 3
}

#[derive(Clone, Copy)]
enum Waiting {
    Load { to: NodeId },
    Store { from: NodeId },
}

struct Plain<'a> {
    system: &'a System,
    numbers: BTreeMap<ObjectId, usize>,
}

impl Client for Plain<'_> {
    type Watch = Waiting;

    fn arrived(&mut self, solver: &mut Solver<Waiting>, waiting: Waiting, objects: &[BlockBits]) {
        for object in objects.iter().flat_map(|b| b.ids::<ObjectId>()) {
            let field = NodeId::new(self.system.nodes + self.numbers[&object]);
            match waiting {
                Waiting::Load { to } => solver.add_edge(field, to),
                Waiting::Store { from } => solver.add_edge(from, field),
            }
        }
    }

    fn admits(&self, filter: FilterId, group: GroupId) -> bool {
        admits(filter.index(), group.index())
    }

    fn keep_going(&mut self, _: &Solver<Waiting>) -> bool {
        true
    }
}

#[test]
fn agrees_with_the_naive_algorithm() {
    let mut random = Numbers(7);
    let mut collapsed = 0;
    for _ in 0..400 {
        let system = System::random(&mut random);
        let mut solver = Solver::new();
        let groups: Vec<GroupId> = (0..GROUPS).map(|_| solver.new_group()).collect();
        let objects: Vec<ObjectId> = system.objects.iter().map(|&g| solver.new_object(groups[g])).collect();
        solver.new_nodes(system.nodes + objects.len());
        for &(base, to) in &system.loads {
            solver.watch(NodeId::new(base), Waiting::Load { to: NodeId::new(to) });
        }
        for &(base, from) in &system.stores {
            solver.watch(NodeId::new(base), Waiting::Store { from: NodeId::new(from) });
        }
        for &(node, object) in &system.given {
            solver.add_object(NodeId::new(node), objects[object]);
        }
        for &(from, to, filter) in &system.edges {
            solver.add_filtered_edge(NodeId::new(from), NodeId::new(to), FilterId::new(filter));
        }
        let numbers: BTreeMap<_, _> = objects.iter().enumerate().map(|(n, &o)| (o, n)).collect();
        let mut client = Plain { system: &system, numbers };
        // An order now and then, as large systems get one; it must change nothing.
        solver.order_every(1 + random.below(40) as u64);
        assert_eq!(solver.solve(&mut client), Outcome::Complete);
        for (node, expected) in system.naive().iter().enumerate() {
            let found: BTreeSet<usize> =
                solver.points_to(NodeId::new(node)).map(|o| client.numbers[&o]).collect();
            assert_eq!(&found, expected, "node {node}");
        }
        collapsed += solver.statistics().collapsed;
    }
    assert!(collapsed > 100, "the systems have hardly any cycles: {collapsed}");
}
