//! Nodes, edges, and the loop that brings objects along them.

use std::collections::VecDeque;

use heliostat_index::{BlockBits, IdVec, SetId, Sets, UnionFind, id, intersection};
use smallvec::SmallVec;

use crate::filters::Filters;
use crate::objects::{GroupId, ObjectId, Objects};
use crate::order::FEW_EDGES;
use crate::worklist::Worklist;

id! {
    /// A node: what has a set of objects.
    pub struct NodeId = "n";
}
id! {
    /// What a client calls a filter; its numbers should be dense.
    pub struct FilterId = "filter";
}

impl FilterId {
    /// Everything passes.
    pub const ALL: Self = Self::from_u32(0);
}

/// An edge out of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub to: NodeId,
    /// What passes.
    pub filter: FilterId,
}

/// Who tells the solver what things mean.
pub trait Client {
    /// What the client remembers for a node it watches.
    type Watch: Copy;

    /// Objects that are new at a watched node. An object may come more than once.
    fn arrived(&mut self, solver: &mut Solver<Self::Watch>, watch: Self::Watch, objects: &[BlockBits]);

    /// Whether a filter lets the objects of a group pass. The answer must not change.
    fn admits(&self, filter: FilterId, group: GroupId) -> bool;

    /// Asked now and then: whether there is time and memory left.
    fn keep_going(&mut self, solver: &Solver<Self::Watch>) -> bool;
}

/// How solving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing more follows.
    Complete,
    /// The client said to stop; what is there is true but not all.
    Stopped,
}

/// What the solver did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How often a node passed something on.
    pub steps: u64,
    /// How often something went along an edge.
    pub flows: u64,
    /// How many edges were added.
    pub edges: u64,
    /// How often the order was made anew.
    pub orders: u64,
    /// How many nodes became part of another.
    pub collapsed: u64,
    /// How often sets out of use were dropped.
    pub cleanings: u64,
}

/// What could not be done at once because it needs the client.
#[derive(Clone, Copy)]
enum Late<W> {
    Watch(NodeId, W),
    Edge(NodeId, Edge),
}

/// What a node has, side by side: an object that goes along an edge looks at all of it.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) points_to: SetId,
    /// What has arrived and was not passed on yet.
    pub(crate) pending: SetId,
    /// Its place in the order.
    pub(crate) rank: u32,
    /// Whether a client watches it: most nodes nobody does, and a look at the list of watches would miss the cache.
    pub(crate) is_watched: bool,
}

impl Node {
    /// A node that nothing has reached, last in the order.
    pub(crate) const NEW: Self =
        Self { points_to: SetId::EMPTY, pending: SetId::EMPTY, rank: u32::MAX, is_watched: false };
}

/// The constraint system and its solution so far. `W` is what the client remembers for a watched node.
pub struct Solver<W> {
    pub(crate) united: UnionFind<NodeId>,
    pub(crate) sets: Sets<ObjectId>,
    pub(crate) nodes: IdVec<NodeId, Node>,
    pub(crate) edges: IdVec<NodeId, SmallVec<[Edge; 2]>>,
    pub(crate) watches: IdVec<NodeId, SmallVec<[W; 2]>>,
    pub(crate) worklist: Worklist,
    objects: Objects,
    filters: Filters,
    late: VecDeque<Late<W>>,
    /// How many blocks the sets may have before those that are out of use are dropped.
    cost_limit: usize,
    pub(crate) edges_since_order: u64,
    /// How many new edges are too few for another order.
    pub(crate) few_edges: u64,
    pub(crate) statistics: Statistics,
}

/// How many steps go by between two questions whether to keep going.
const STEPS_BETWEEN_QUESTIONS: u64 = 256;

/// Sets of so few blocks are not worth cleaning up.
const LEAST_COST: usize = 1 << 23;

/// Of sets with so many blocks, a filter looks for those that pass; of smaller ones it looks at each.
const MANY_BLOCKS: usize = 1024;

/// How many edges a list is searched for a double; doubles in longer lists go when the order is made anew.
const SEARCHED_EDGES: usize = 8;

impl<W: Copy> Solver<W> {
    /// An empty system.
    pub fn new() -> Self {
        Self {
            united: UnionFind::new(),
            sets: Sets::new(),
            nodes: IdVec::new(),
            edges: IdVec::new(),
            watches: IdVec::new(),
            worklist: Worklist::default(),
            objects: Objects::default(),
            filters: Filters::default(),
            late: VecDeque::new(),
            cost_limit: LEAST_COST,
            edges_since_order: 0,
            few_edges: FEW_EDGES,
            statistics: Statistics::default(),
        }
    }

    /// A new group of objects.
    pub fn new_group(&mut self) -> GroupId {
        self.objects.new_group()
    }

    /// A new object of a group.
    pub fn new_object(&mut self, group: GroupId) -> ObjectId {
        self.objects.new_object(group)
    }

    /// The group of an object.
    pub fn group(&self, object: ObjectId) -> GroupId {
        self.objects.group(object)
    }

    /// The group of a block of objects.
    pub fn block_group(&self, block: BlockBits) -> GroupId {
        self.objects.group_of_block(block.block())
    }

    /// How many objects there are.
    pub fn objects(&self) -> usize {
        self.objects.len()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// So many new nodes, with consecutive numbers from the returned one on.
    pub fn new_nodes(&mut self, count: usize) -> NodeId {
        let first = self.nodes.next_id();
        for _ in 0..count {
            self.nodes.push(Node::NEW);
            self.edges.push(SmallVec::new());
            self.watches.push(SmallVec::new());
        }
        self.united.grow(self.nodes.len());
        first
    }

    /// The objects that have arrived at a node.
    pub fn points_to(&self, node: NodeId) -> impl Iterator<Item = ObjectId> + '_ {
        self.sets.iter(self.set(node))
    }

    /// The objects of a set.
    pub fn objects_of(&self, set: SetId) -> impl Iterator<Item = ObjectId> + '_ {
        self.sets.iter(set)
    }

    /// Whether an object has arrived at a node.
    pub fn contains(&self, node: NodeId, object: ObjectId) -> bool {
        self.sets.contains(self.set(node), object)
    }

    /// The same, by blocks.
    pub fn blocks(&self, node: NodeId) -> &[BlockBits] {
        self.sets.blocks(self.set(node))
    }

    /// The number of the set of objects that have arrived at a node: equal sets have equal numbers.
    pub fn set(&self, node: NodeId) -> SetId {
        self.nodes[self.united.representative(node)].points_to
    }

    /// The node that stands for this one, and for all that are equal to it by cycles.
    pub fn representative(&self, node: NodeId) -> NodeId {
        self.united.representative(node)
    }

    /// Puts an object into a node's set.
    pub fn add_object(&mut self, node: NodeId, object: ObjectId) {
        self.add_objects(node, &[BlockBits::of(object)]);
    }

    /// Puts objects into a node's set.
    pub fn add_objects(&mut self, node: NodeId, objects: &[BlockBits]) {
        let node = self.united.find(node);
        if self.sets.has_all(self.nodes[node].points_to, objects) {
            return;
        }
        let objects = self.sets.intern(objects);
        self.receive(node, objects);
    }

    /// Everything that arrives at `from` goes on to `to`.
    pub fn add_edge(&mut self, from: NodeId, to: NodeId) {
        let (from, to) = (self.united.find(from), self.united.find(to));
        if from != to && self.push_edge(from, Edge { to, filter: FilterId::ALL }) {
            self.receive(to, self.nodes[from].points_to);
        }
    }

    /// Of what arrives at `from`, what the filter admits goes on to `to`.
    pub fn add_filtered_edge(&mut self, from: NodeId, to: NodeId, filter: FilterId) {
        if filter == FilterId::ALL {
            return self.add_edge(from, to);
        }
        let (from, to) = (self.united.find(from), self.united.find(to));
        let edge = Edge { to, filter };
        if from != to && self.push_edge(from, edge) && self.nodes[from].points_to != SetId::EMPTY {
            self.late.push_back(Late::Edge(from, edge));
        }
    }

    /// Tells the client of everything that has arrived and will arrive at a node.
    pub fn watch(&mut self, node: NodeId, watch: W) {
        let node = self.united.find(node);
        self.watches[node].push(watch);
        self.nodes[node].is_watched = true;
        if self.nodes[node].points_to != SetId::EMPTY {
            self.late.push_back(Late::Watch(node, watch));
        }
    }

    /// Whether the edge is new.
    fn push_edge(&mut self, from: NodeId, edge: Edge) -> bool {
        let edges = &mut self.edges[from];
        if edges.len() <= SEARCHED_EDGES && edges.contains(&edge) {
            return false;
        }
        edges.push(edge);
        self.edges_since_order += 1;
        self.statistics.edges += 1;
        true
    }

    /// Notes what of these objects is new at a node that represents itself.
    fn receive(&mut self, node: NodeId, objects: SetId) {
        self.statistics.flows += 1;
        let Node { points_to, pending, rank, .. } = self.nodes[node];
        let fresh = self.sets.minus(objects, points_to);
        if fresh == SetId::EMPTY {
            return;
        }
        if pending == SetId::EMPTY {
            self.worklist.push(rank, node);
        }
        self.nodes[node].pending = self.sets.union(pending, fresh);
    }

    /// Drops the sets that no node has any more.
    fn drop_sets(&mut self) {
        self.sets.retain(self.nodes.values().flat_map(|node| [node.points_to, node.pending]));
        self.cost_limit = LEAST_COST.max(2 * self.sets.cost());
        self.statistics.cleanings += 1;
    }

    /// What of a set passes a filter.
    fn passing<C: Client<Watch = W>>(&mut self, objects: SetId, filter: FilterId, client: &C) -> SetId {
        if filter == FilterId::ALL {
            return objects;
        }
        let (mask, numbers) = (self.filters.mask(filter), &self.objects);
        let decide = |block| client.admits(filter, numbers.group_of_block(block));
        self.sets.filtered(objects, filter.as_u32(), |content, passing| {
            if content.len() < MANY_BLOCKS {
                passing.extend(content.iter().filter(|b| mask.admits(b.block(), decide)));
            } else {
                intersection(content, mask.list(numbers.blocks(), decide), passing);
            }
        })
    }

    /// Brings everything along until nothing more follows, or the client wants no more.
    pub fn solve<C: Client<Watch = W>>(&mut self, client: &mut C) -> Outcome {
        let mut questions = 0;
        loop {
            questions += 1;
            if questions % STEPS_BETWEEN_QUESTIONS == 0 && !client.keep_going(self) {
                return Outcome::Stopped;
            }
            if let Some(late) = self.late.pop_front() {
                self.catch_up(late, client);
                continue;
            }
            if self.is_order_stale() {
                self.make_order();
            }
            if self.sets.cost() > self.cost_limit {
                self.drop_sets();
            }
            let Some(node) = self.worklist.pop() else { return Outcome::Complete };
            self.step(node, client);
        }
    }

    fn catch_up<C: Client<Watch = W>>(&mut self, late: Late<W>, client: &mut C) {
        match late {
            Late::Watch(node, watch) => {
                let arrived = self.sets.shared_blocks(self.set(node));
                client.arrived(self, watch, &arrived);
            }
            Late::Edge(from, edge) => {
                let (from, to) = (self.united.find(from), self.united.find(edge.to));
                if from != to {
                    let passing = self.passing(self.nodes[from].points_to, edge.filter, client);
                    self.receive(to, passing);
                }
            }
        }
    }

    /// Passes on what is pending at a node.
    fn step<C: Client<Watch = W>>(&mut self, node: NodeId, client: &mut C) {
        if !self.united.is_representative(node) {
            return;
        }
        self.statistics.steps += 1;
        let fresh = std::mem::replace(&mut self.nodes[node].pending, SetId::EMPTY);
        self.nodes[node].points_to = self.sets.union(self.nodes[node].points_to, fresh);
        for i in 0..self.edges[node].len() {
            let Edge { to, filter } = self.edges[node][i];
            let to = self.united.find(to);
            if to != node {
                let passing = self.passing(fresh, filter, client);
                self.receive(to, passing);
            }
        }
        if !self.nodes[node].is_watched {
            return;
        }
        let fresh = self.sets.shared_blocks(fresh);
        for i in 0..self.watches[node].len() {
            let watch = self.watches[node][i];
            client.arrived(self, watch, &fresh);
        }
    }
}

impl<W: Copy> Default for Solver<W> {
    fn default() -> Self {
        Self::new()
    }
}
