//! Dominators and post-dominators (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm").

use heliostat_index::{Id, IdVec, PackedOption};

use crate::{Block, Body, Inst, Op};

/// A dominator tree over `n` nodes, node 0 being the root, numbered so that a test is an interval test.
#[derive(Debug, Clone, Default)]
struct Tree {
    /// Preorder number and the last number below, per node; (0, 0) for nodes outside of the tree.
    intervals: Vec<(u32, u32)>,
}

impl Tree {
    /// `order` is a reverse postorder of the nodes reachable from the root, the root first;
    /// `preds` lists the ways into a node.
    fn new<'a>(n: usize, order: &[u32], preds: impl Fn(u32) -> &'a [u32]) -> Self {
        const NONE: u32 = u32::MAX;
        let mut position = vec![NONE; n];
        for (i, &node) in order.iter().enumerate() {
            position[node as usize] = i as u32;
        }
        // Immediate dominators, by position in `order`.
        let mut idom = vec![NONE; order.len()];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for (i, &node) in order.iter().enumerate().skip(1) {
                let mut new = NONE;
                for &pred in preds(node) {
                    let p = position[pred as usize];
                    if p == NONE || idom[p as usize] == NONE {
                        continue;
                    }
                    new = if new == NONE { p } else { intersect(&idom, p, new) };
                }
                if idom[i] != new {
                    idom[i] = new;
                    changed = true;
                }
            }
        }
        Self { intervals: number(n, order, &idom) }
    }

    fn dominates(&self, above: u32, below: u32) -> bool {
        let (start, end) = self.intervals[above as usize];
        (start..end).contains(&self.intervals[below as usize].0)
    }
}

fn intersect(idom: &[u32], a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while a != b {
        if a > b {
            a = idom[a as usize];
        } else {
            b = idom[b as usize];
        }
    }
    a
}

/// Sizes of subtrees bottom up, then starts top down: a parent's position is before its children's.
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
    /// The dominators of a body. Its blocks are in reverse postorder already.
    pub fn of(body: &Body) -> Self {
        let order: Vec<u32> = (0..body.blocks.len() as u32).collect();
        let mut starts = vec![0_usize];
        let mut preds = Vec::new();
        for block in body.block_ids() {
            preds.extend(body.preds(block).iter().map(|p| p.block.as_u32()));
            starts.push(preds.len());
        }
        let tree = Tree::new(order.len(), &order, |b| &preds[starts[b as usize]..starts[b as usize + 1]]);
        Self { tree }
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
        let graph = Reversed::of(body);
        let order = graph.order();
        let tree = Tree::new(graph.forward.len(), &order, |node| &graph.forward[node as usize]);
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

/// The graph from the exit backwards: node 0 is the exit, block `b` is node `b + 1`.
struct Reversed {
    /// Successors in the program, which are predecessors here.
    forward: Vec<Vec<u32>>,
    backward: Vec<Vec<u32>>,
}

impl Reversed {
    fn of(body: &Body) -> Self {
        let n = body.blocks.len() + 1;
        let (mut forward, mut backward) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for block in body.block_ids() {
            let node = block.as_u32() + 1;
            let returns = body.terminator(block).is_some_and(|i| body.insts[i].op == Op::Return);
            let successors = body.successors(block).into_iter().map(|b| b.as_u32() + 1);
            for to in successors.chain(returns.then_some(0)) {
                forward[node as usize].push(to);
                backward[to as usize].push(node);
            }
        }
        Self { forward, backward }
    }

    /// Reverse postorder of the walk against control flow, from the exit.
    fn order(&self) -> Vec<u32> {
        let mut seen = vec![false; self.backward.len()];
        let mut order = Vec::new();
        let mut stack = vec![(0_u32, 0)];
        seen[0] = true;
        while let Some((node, next)) = stack.last_mut() {
            let Some(&to) = self.backward[*node as usize].get(*next) else {
                order.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[to as usize], true) {
                stack.push((to, 0));
            }
        }
        order.reverse();
        order
    }
}
