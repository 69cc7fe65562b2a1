//! Which node comes next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::NodeId;

/// Nodes with something to pass on, taken in rounds: each round goes once through the order, and what is due at a place that the
/// round has passed waits for the next one. So a node is taken when what comes before it has been.
#[derive(Default)]
pub(crate) struct Worklist {
    round: BinaryHeap<Reverse<(u32, NodeId)>>,
    next: Vec<(u32, NodeId)>,
    /// How far the round has come.
    at: u32,
}

impl Worklist {
    /// Adds a node that is not in the list, at its place in the order.
    pub(crate) fn push(&mut self, rank: u32, node: NodeId) {
        if rank > self.at {
            self.round.push(Reverse((rank, node)));
        } else {
            self.next.push((rank, node));
        }
    }

    /// Takes the next node.
    pub(crate) fn pop(&mut self) -> Option<NodeId> {
        if self.round.is_empty() {
            self.round = std::mem::take(&mut self.next).into_iter().map(Reverse).collect();
        }
        let Reverse((rank, node)) = self.round.pop()?;
        self.at = rank;
        Some(node)
    }

    /// Empties the list; a new order is about to hold.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
