//! Dominators and post-dominators (Lengauer and Tarjan, "A fast algorithm for finding dominators in a
//! flowgraph", 1979; the simple variant). Iterating over the graph until nothing changes is as fast on real
//! methods, but takes hours on some hostile ones.

use heliostat_index::{Id, IdVec, Lists, PackedOption, id};

use crate::{Block, Body, Inst, Op};

id! {
    /// A node of a graph, 0 being the root.
    struct Node = "n";
}

/// A graph as lists of neighbours.
struct Neighbours(Lists<Node, u32>);

impl Neighbours {
    /// From pairs of a node and its neighbour.
    fn new(n: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        Self(Lists::new(n, pairs.map(|(of, neighbour)| (Node::from_u32(of), neighbour))))
    }

    fn of(&self, node: u32) -> &[u32] {
        self.0.of(Node::from_u32(node))
    }
}

/// Of a node that cannot be reached, or that is no one's child yet.
const NONE: u32 = u32::MAX;

/// A depth-first walk from the root: everything else goes by the numbers in which it meets the nodes.
struct Walk {
    order: Vec<u32>,
    number: Vec<u32>,
    parent: Vec<u32>,
}

impl Walk {
    fn new(n: usize, successors: &Neighbours) -> Self {
        let mut walk = Self { order: Vec::with_capacity(n), number: vec![NONE; n], parent: Vec::new() };
        walk.meet(0, 0);
        let mut stack = vec![(0, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let from = walk.number[*node as usize];
            let Some(&to) = successors.of(*node).get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            if walk.number[to as usize] == NONE {
                walk.meet(to, from);
                stack.push((to, 0));
            }
        }
        walk
    }

    fn meet(&mut self, node: u32, parent: u32) {
        self.number[node as usize] = self.order.len() as u32;
        self.order.push(node);
        self.parent.push(parent);
    }
}

/// The part of the walk's tree that is linked so far, searched for the least semidominator on a path.
struct Forest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(n: usize) -> Self {
        let all: Vec<u32> = (0..n as u32).collect();
        Self { ancestor: vec![NONE; n], label: all.clone(), semi: all, path: Vec::new() }
    }

    /// Of the nodes from `node` up to, not including, the root of its tree: one with the least semidominator.
    fn least(&mut self, node: u32) -> u32 {
        if self.ancestor[node as usize] == NONE {
            return node;
        }
        let mut at = node;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        // From the top down, every node takes the best of the one above, and its place below the root.
        while let Some(below) = self.path.pop() {
            let (above, own) = (self.label[at as usize], self.label[below as usize]);
            if self.semi[above as usize] < self.semi[own as usize] {
                self.label[below as usize] = above;
            }
            self.ancestor[below as usize] = self.ancestor[at as usize];
            at = below;
        }
        self.label[node as usize]
    }
}

/// A dominator tree, numbered so that a test is an interval test.
#[derive(Debug, Clone, Default)]
struct Tree {
    /// Preorder number and the last number below, per node; (0, 0) for nodes outside of the tree.
    intervals: Vec<(u32, u32)>,
}

impl Tree {
    fn new(n: usize, successors: &Neighbours, predecessors: &Neighbours) -> Self {
        if n == 0 {
            return Self::default();
        }
        let walk = Walk::new(n, successors);
        let idom = immediate_dominators(&walk, predecessors);
        Self { intervals: number(n, &walk.order, &idom) }
    }

    fn dominates(&self, above: u32, below: u32) -> bool {
        let (start, end) = self.intervals[above as usize];
        (start..end).contains(&self.intervals[below as usize].0)
    }
}

/// By the walk's numbers.
fn immediate_dominators(walk: &Walk, predecessors: &Neighbours) -> Vec<u32> {
    let n = walk.order.len();
    let mut forest = Forest::new(n);
    let mut idom = vec![0; n];
    // Nodes that wait for their semidominator's child to be linked, as lists.
    let (mut head, mut link) = (vec![NONE; n], vec![NONE; n]);
    for at in (1..n).rev() {
        let parent = walk.parent[at] as usize;
        for &pred in predecessors.of(walk.order[at]) {
            let pred = walk.number[pred as usize];
            if pred != NONE {
                let least = forest.least(pred);
                forest.semi[at] = forest.semi[at].min(forest.semi[least as usize]);
            }
        }
        let semi = forest.semi[at] as usize;
        link[at] = std::mem::replace(&mut head[semi], at as u32);
        forest.ancestor[at] = parent as u32;
        let mut waiting = std::mem::replace(&mut head[parent], NONE);
        while waiting != NONE {
            let node = waiting as usize;
            let least = forest.least(waiting);
            let is_lower = forest.semi[least as usize] < forest.semi[node];
            idom[node] = if is_lower { least } else { parent as u32 };
            waiting = link[node];
        }
    }
    for at in 1..n {
        if idom[at] != forest.semi[at] {
            idom[at] = idom[idom[at] as usize];
        }
    }
    idom
}

/// Intervals of the tree: sizes of subtrees bottom up, then starts top down: a parent's position is before its children's.
fn number(n: usize, order: &[u32], idom: &[u32]) -> Vec<(u32, u32)> {
    let mut size = vec![1_u32; order.len()];
    for i in (1..order.len()).rev() {
        size[idom[i] as usize] += size[i];
    }
    let mut next = vec![0_u32; order.len()];
    let mut intervals = vec![(0, 0); n];
    // Number 0 is kept for nodes that are not in the tree.
    next[0] = 2;
    intervals[order[0] as usize] = (1, 1 + size[0]);
    for i in 1..order.len() {
        let parent = idom[i] as usize;
        let start = next[parent];
        next[parent] += size[i];
        next[i] = start + 1;
        intervals[order[i] as usize] = (start, start + size[i]);
    }
    intervals
}

/// Which blocks every path from the entry to a block goes through; exceptional edges count.
#[derive(Debug, Clone)]
pub struct Dominators {
    tree: Tree,
}

impl Dominators {
    /// The dominators of a body.
    pub fn of(body: &Body) -> Self {
        let n = body.blocks.len();
        let pairs =
            body.block_ids().flat_map(|block| body.preds(block).iter().map(move |p| (p.block, block)));
        let pairs = pairs.map(|(from, to)| (from.as_u32(), to.as_u32()));
        let predecessors = Neighbours::new(n, pairs.clone().map(|(from, to)| (to, from)));
        Self { tree: Tree::new(n, &Neighbours::new(n, pairs), &predecessors) }
    }

    /// Whether every path from the entry to `below` goes through `above`. A block dominates itself.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        self.tree.dominates(above.as_u32(), below.as_u32())
    }
}

/// Which blocks every path from a block to a normal return goes through; exceptions are not considered.
#[derive(Debug, Clone)]
pub struct PostDominators {
    tree: Tree,
    block_of: IdVec<Inst, PackedOption<Block>>,
}

impl PostDominators {
    /// The post-dominators of a body.
    pub fn of(body: &Body) -> Self {
        let n = body.blocks.len() + 1;
        let edges = edges_to_exit(body);
        let edges = edges.iter().copied();
        let backward = Neighbours::new(n, edges.clone().map(|(from, to)| (to, from)));
        let tree = Tree::new(n, &backward, &Neighbours::new(n, edges));
        let mut block_of = IdVec::with_capacity(body.insts.len());
        for block in body.block_ids() {
            for _ in body.block_insts(block) {
                block_of.push(block.into());
            }
        }
        Self { tree, block_of }
    }

    /// Whether every path from `above` that returns goes through `below`.
    pub fn post_dominates(&self, below: Block, above: Block) -> bool {
        self.tree.dominates(below.as_u32() + 1, above.as_u32() + 1)
    }

    /// Whether instruction `later` runs on every returning path after `earlier`.
    pub fn inst_post_dominates(&self, later: Inst, earlier: Inst) -> bool {
        match (self.block_of[later].expand(), self.block_of[earlier].expand()) {
            (Some(a), Some(b)) if a == b => later.index() > earlier.index(),
            (Some(a), Some(b)) => self.post_dominates(a, b),
            _ => false,
        }
    }
}

/// The edges of a body without exceptions: node 0 is the exit, block `b` is node `b + 1`.
fn edges_to_exit(body: &Body) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for block in body.block_ids() {
        let node = block.as_u32() + 1;
        let returns = body.terminator(block).is_some_and(|i| body.insts[i].op == Op::Return);
        let successors = body.successors(block).into_iter().map(|b| b.as_u32() + 1);
        edges.extend(successors.chain(returns.then_some(0)).map(|to| (node, to)));
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By definition: what cannot be reached from the root any more when `above` is taken out.
    fn dominates(n: usize, successors: &Neighbours, above: u32, below: u32) -> bool {
        let mut seen = vec![false; n];
        let mut stack: Vec<u32> = (above != 0).then_some(0).into_iter().collect();
        while let Some(node) = stack.pop() {
            if node != above && !std::mem::replace(&mut seen[node as usize], true) {
                stack.extend_from_slice(successors.of(node));
            }
        }
        !seen[below as usize]
    }

    #[test]
    fn of_nothing() {
        let none = || Neighbours::new(0, std::iter::empty());
        assert!(Tree::new(0, &none(), &none()).intervals.is_empty());
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut state = 1_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % bound as u32
        };
        for round in 0..400 {
            let n = 2 + round % 13;
            let edges: Vec<_> = (0..n * 2).map(|_| (below(n), below(n))).collect();
            let successors = Neighbours::new(n, edges.iter().copied());
            let predecessors = Neighbours::new(n, edges.iter().map(|&(from, to)| (to, from)));
            let reached = Walk::new(n, &successors).order;
            let tree = Tree::new(n, &successors, &predecessors);
            for &a in &reached {
                for &b in &reached {
                    assert_eq!(tree.dominates(a, b), dominates(n, &successors, a, b), "{a} {b} in {edges:?}");
                }
            }
        }
    }
}
