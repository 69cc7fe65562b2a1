//! The order in which nodes are taken: topological, as far as the edges allow.

use heliostat_index::{IdVec, SetId};

use crate::NodeId;
use crate::solver::{Edge, Solver};

/// The order is made anew when so many edges have been added since, at least.
pub(crate) const FEW_EDGES: u64 = 1 << 12;

impl<W: Copy> Solver<W> {
    /// Whether so many edges are new that another order is worth its price: a share of all that were, so that the
    /// price stays in proportion to the edges.
    pub(crate) fn is_order_stale(&self) -> bool {
        self.edges_since_order > self.few_edges.max(self.statistics.edges / 3)
    }

    /// Makes the order anew whenever so many edges are new, at least: for tests, whose systems are small.
    pub fn order_every(&mut self, edges: u64) {
        self.few_edges = edges;
    }

    /// Collapses cycles, drops double edges, and numbers the nodes in reverse postorder.
    pub(crate) fn make_order(&mut self) {
        self.statistics.orders += 1;
        self.edges_since_order = 0;
        self.collapse_cycles();
        self.tidy_edges();
        self.number_nodes();
        self.worklist.clear();
        for (id, node) in self.nodes.iter() {
            if node.pending != SetId::EMPTY {
                self.worklist.push(node.rank, id);
            }
        }
    }

    /// Lets edges lead to representatives, each once.
    fn tidy_edges(&mut self) {
        for node in self.edges.ids() {
            let mut edges = std::mem::take(&mut self.edges[node]);
            if edges.len() > 1 {
                for edge in &mut edges {
                    edge.to = self.united.find(edge.to);
                }
                edges.retain(|edge| edge.to != node);
                // Most of them are in order from the last time, which this kind of sorting makes use of.
                edges.sort_by_key(|edge| (edge.to, edge.filter));
                edges.dedup();
                if edges.capacity() > 2 * edges.len() + 8 {
                    edges.shrink_to_fit();
                }
            }
            self.edges[node] = edges;
        }
    }

    fn number_nodes(&mut self) {
        let count = self.edges.len();
        let mut seen: IdVec<NodeId, bool> = vec![false; count].into();
        let mut rank = count as u32;
        let mut stack: Vec<(NodeId, usize)> = Vec::new();
        for root in self.edges.ids() {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            stack.push((root, 0));
            while let Some((node, at)) = stack.last_mut() {
                let Some(&Edge { to, .. }) = self.edges[*node].get(*at) else {
                    self.nodes[*node].rank = rank;
                    rank -= 1;
                    stack.pop();
                    continue;
                };
                *at += 1;
                let to = self.united.find(to);
                if !seen[to] {
                    seen[to] = true;
                    stack.push((to, 0));
                }
            }
        }
        debug_assert_eq!(rank, 0);
    }
}
