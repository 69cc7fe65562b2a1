//! Cycles of unfiltered edges: their nodes have the same set, so one stands for all.

use heliostat_index::IdVec;

use crate::solver::{Edge, Node, Solver};
use crate::{FilterId, NodeId};

/// Tarjan's algorithm, with a stack of its own.
struct Search {
    /// The number by which a node was found, from 1; 0 if not found yet.
    found: IdVec<NodeId, u32>,
    /// The smallest number that can be reached within the component.
    low: IdVec<NodeId, u32>,
    on_path: IdVec<NodeId, bool>,
    path: Vec<NodeId>,
    calls: Vec<(NodeId, usize)>,
    count: u32,
}

impl Search {
    fn new(nodes: usize) -> Self {
        Self {
            found: vec![0; nodes].into(),
            low: vec![0; nodes].into(),
            on_path: vec![false; nodes].into(),
            path: Vec::new(),
            calls: Vec::new(),
            count: 0,
        }
    }

    fn enter(&mut self, node: NodeId) {
        self.count += 1;
        self.found[node] = self.count;
        self.low[node] = self.count;
        self.on_path[node] = true;
        self.path.push(node);
        self.calls.push((node, 0));
    }
}

impl<W: Copy> Solver<W> {
    /// Makes one node of each cycle of unfiltered edges.
    pub(crate) fn collapse_cycles(&mut self) {
        let mut search = Search::new(self.edges.len());
        let mut cycles = Vec::new();
        for root in self.edges.ids() {
            if search.found[root] == 0 && self.united.is_representative(root) {
                search.enter(root);
                self.search(&mut search, &mut cycles);
            }
        }
        for cycle in cycles {
            self.collapse(&cycle);
        }
    }

    fn search(&mut self, search: &mut Search, cycles: &mut Vec<Vec<NodeId>>) {
        while let Some((node, at)) = search.calls.last_mut() {
            let node = *node;
            let Some(&Edge { to, filter }) = self.edges[node].get(*at) else {
                search.calls.pop();
                if let Some(&(caller, _)) = search.calls.last() {
                    search.low[caller] = search.low[caller].min(search.low[node]);
                }
                leave(search, node, cycles);
                continue;
            };
            *at += 1;
            if filter != FilterId::ALL {
                continue;
            }
            let to = self.united.find(to);
            if search.found[to] == 0 {
                search.enter(to);
            } else if search.on_path[to] {
                search.low[node] = search.low[node].min(search.found[to]);
            }
        }
    }

    /// Makes one node of several. What not all of them have passed on yet, the one has to pass on still.
    fn collapse(&mut self, cycle: &[NodeId]) {
        let [into, rest @ ..] = cycle else { return };
        let into = *into;
        let Node { points_to: mut passed_on, pending, .. } = self.nodes[into];
        let mut all = self.sets.union(passed_on, pending);
        for &node in rest {
            let Node { points_to: theirs, pending, .. } = self.nodes[node];
            self.nodes[node] = Node::NEW;
            passed_on = self.sets.intersection(passed_on, theirs);
            all = self.sets.union(all, theirs);
            all = self.sets.union(all, pending);
            let edges = std::mem::take(&mut self.edges[node]);
            self.edges[into].extend(edges);
            let watches = std::mem::take(&mut self.watches[node]);
            self.watches[into].extend(watches);
            self.nodes[into].is_watched = !self.watches[into].is_empty();
            self.united.unite(node, into);
        }
        self.statistics.collapsed += rest.len() as u64;
        self.nodes[into].points_to = passed_on;
        self.nodes[into].pending = self.sets.minus(all, passed_on);
    }
}

/// Takes a component off the path if this node is its root.
fn leave(search: &mut Search, node: NodeId, cycles: &mut Vec<Vec<NodeId>>) {
    if search.low[node] != search.found[node] {
        return;
    }
    let start = search.path.iter().rposition(|&n| n == node).unwrap_or(0);
    for &member in &search.path[start..] {
        search.on_path[member] = false;
    }
    if search.path.len() > start + 1 {
        cycles.push(search.path[start..].to_vec());
    }
    search.path.truncate(start);
}
