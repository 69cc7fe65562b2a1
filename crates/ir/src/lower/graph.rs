//! The control-flow graph: reachable blocks in reverse postorder, with their ways in and their handlers.

use heliostat_classfile::{Insn, Malformed, ValueKind};
use heliostat_index::{FastMap, IdVec, PackedOption};
use heliostat_program::TypeId;
use smallvec::{SmallVec, smallvec};

use super::scan::{Flow, Scan};
use super::{Source, bounds};
use crate::body::{edges_from, list_preds};
use crate::{Block, Catcher, Pred};

/// What a node of the graph stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NodeKind {
    /// Before the first instruction, where that is also a jump target.
    Entry,
    /// A stretch of bytecode.
    Code(u32),
    /// Where exceptions arrive that the stretch handles.
    Landing(u32),
}

impl NodeKind {
    /// Bytecode offset.
    fn start(self, scan: &Scan) -> u32 {
        match self {
            Self::Entry => 0,
            Self::Code(stretch) | Self::Landing(stretch) => scan.stretches[stretch as usize].start,
        }
    }
}

/// A node's identity: what it stands for, and in which copy of a subroutine.
type Key = (NodeKind, u32);

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// Bytecode offset.
    pub(super) start: u32,
    /// Where it goes without an exception: for a branch first the target, then the fall-through.
    pub(super) successors: SmallVec<[Block; 2]>,
    pub(super) catchers: (u32, u32),
    pub(super) preds: (u32, u32),
}

/// A call of a subroutine by `jsr`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Subroutine {
    /// The call that this one is nested in.
    outer: u32,
    /// Where the subroutine begins, and where it returns to.
    entry: u32,
    back: u32,
    /// The local variable that holds the return address.
    local: Option<u16>,
}

#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: IdVec<Block, Node>,
    pub(super) catchers: Vec<Catcher>,
    pub(super) preds: Vec<Pred>,
    /// Handlers of each stretch: (stretch of the handler, caught class), in `stretch_handlers`.
    stretch_handlers: Vec<(u32, PackedOption<TypeId>)>,
    handler_ranges: Vec<(u32, u32)>,
    subroutines: Vec<Subroutine>,
    subroutine_ids: FastMap<Subroutine, u32>,
    found: FastMap<Key, u32>,
    raw: Vec<RawNode>,
    postorder: Vec<u32>,
    /// Edges of expanded nodes, and the bytes of their code.
    edges: usize,
    bytes: usize,
}

#[derive(Debug)]
struct RawNode {
    key: Key,
    /// Whether the edges are known.
    expanded: bool,
    successors: SmallVec<[u32; 2]>,
    catchers: SmallVec<[(u32, PackedOption<TypeId>); 1]>,
}

impl Graph {
    pub(super) fn build(&mut self, source: &Source<'_>, scan: &Scan) -> Result<(), Malformed> {
        self.find_handlers(source, scan)?;
        self.walk(source, scan)?;
        self.number(scan);
        self.find_preds();
        Ok(())
    }

    /// Which handlers cover each stretch. Nothing gets past a handler that catches everything.
    fn find_handlers(&mut self, source: &Source<'_>, scan: &Scan) -> Result<(), Malformed> {
        self.stretch_handlers.clear();
        self.handler_ranges.clear();
        let handlers = &source.code.handlers;
        if handlers.len().saturating_mul(scan.stretches.len()) > bounds::HANDLER_TESTS {
            return Err(source.invalid(0, "too many exception handlers"));
        }
        // The last stretch that a target and class were listed for.
        let mut listed = FastMap::default();
        for stretch in &scan.stretches {
            let first = self.stretch_handlers.len();
            for handler in handlers.iter().filter(|h| (h.start..h.end).contains(&stretch.start)) {
                let ty = match handler.catch_type {
                    0 => None,
                    index => {
                        let class = source.linked.class(index);
                        Some(class.ok_or_else(|| source.invalid(handler.target, "caught class"))?)
                    }
                };
                let Some(target) = scan.stretch(handler.target) else { continue };
                let entry = (target, PackedOption::from(ty));
                if listed.insert(entry, stretch.start) != Some(stretch.start) {
                    self.stretch_handlers.push(entry);
                }
                if ty.is_none() {
                    break;
                }
            }
            if self.stretch_handlers.len() > bounds::EDGES {
                return Err(source.invalid(stretch.start, "too many exception handlers"));
            }
            self.handler_ranges.push((first as u32, self.stretch_handlers.len() as u32));
        }
        Ok(())
    }

    /// Depth-first from the entry; fills `raw` and `postorder`.
    fn walk(&mut self, source: &Source<'_>, scan: &Scan) -> Result<(), Malformed> {
        self.found.clear();
        self.raw.clear();
        self.postorder.clear();
        (self.edges, self.bytes) = (0, 0);
        self.subroutine_ids.clear();
        self.subroutines.clear();
        self.subroutines.push(Subroutine { outer: 0, entry: 0, back: 0, local: None });
        let entry = if scan.entry_is_target { NodeKind::Entry } else { NodeKind::Code(0) };
        let mut stack = vec![(self.node((entry, 0)), 0)];
        self.expand(0, source, scan)?;
        while let Some((node, next)) = stack.last_mut() {
            let raw = &self.raw[*node as usize];
            // Last successor first, so that reverse postorder lists the fall-through next.
            let edges = raw.successors.len() + raw.catchers.len();
            let Some(at) = edges.checked_sub(*next + 1) else {
                self.postorder.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = match raw.successors.get(at) {
                Some(&to) => to,
                None => raw.catchers[at - raw.successors.len()].0,
            };
            if self.expand(to, source, scan)? {
                stack.push((to, 0));
            }
        }
        Ok(())
    }

    /// The raw node of a key, made if need be.
    fn node(&mut self, key: Key) -> u32 {
        let next = self.raw.len() as u32;
        let id = *self.found.entry(key).or_insert(next);
        if id == next {
            let (successors, catchers) = (SmallVec::new(), SmallVec::new());
            self.raw.push(RawNode { key, expanded: false, successors, catchers });
        }
        id
    }

    /// Works out the edges of a node, once; true if this was the time.
    fn expand(&mut self, node: u32, source: &Source<'_>, scan: &Scan) -> Result<bool, Malformed> {
        let raw = &mut self.raw[node as usize];
        if std::mem::replace(&mut raw.expanded, true) {
            return Ok(false);
        }
        let (kind, within) = raw.key;
        let mut successors = SmallVec::new();
        let mut catchers = SmallVec::new();
        match kind {
            NodeKind::Entry => successors.push(self.node((NodeKind::Code(0), within))),
            NodeKind::Landing(stretch) => successors.push(self.node((NodeKind::Code(stretch), within))),
            NodeKind::Code(stretch) => {
                for (pc, within) in self.targets(stretch, within, source, scan)? {
                    let to =
                        scan.stretch(pc).ok_or_else(|| source.invalid(pc, "code ends without a return"))?;
                    successors.push(self.node((NodeKind::Code(to), within)));
                }
                let (start, end) = self.handler_ranges[stretch as usize];
                for i in start..end {
                    let (handler, ty) = self.stretch_handlers[i as usize];
                    catchers.push((self.node((NodeKind::Landing(handler), within)), ty));
                }
            }
        }
        self.edges += successors.len() + catchers.len();
        let raw = &mut self.raw[node as usize];
        (raw.successors, raw.catchers) = (successors, catchers);
        let start = kind.start(scan);
        if self.edges > bounds::EDGES {
            return Err(source.invalid(start, "too many jumps and exception handlers"));
        }
        if self.raw.len() > bounds::BLOCKS || self.bytes > bounds::CODE {
            return Err(source.invalid(start, "too many copies of subroutines"));
        }
        Ok(true)
    }

    /// Where a stretch goes: bytecode offsets, each with the subroutine call it is in.
    fn targets(
        &mut self,
        stretch: u32,
        within: u32,
        source: &Source<'_>,
        scan: &Scan,
    ) -> Result<SmallVec<[(u32, u32); 2]>, Malformed> {
        let stretch = scan.stretches[stretch as usize];
        self.bytes += (stretch.end - stretch.start) as usize;
        Ok(match stretch.flow {
            Flow::Fall => smallvec![(stretch.end, within)],
            Flow::Jump(to) => smallvec![(to, within)],
            Flow::Branch(to) => smallvec![(to, within), (stretch.end, within)],
            Flow::Switch(start, end) => {
                scan.targets[start as usize..end as usize].iter().map(|&to| (to, within)).collect()
            }
            Flow::Exit => SmallVec::new(),
            Flow::Jsr(entry) => smallvec![(entry, self.enter(within, entry, stretch.end, source)?)],
            Flow::Ret(local) => smallvec![self.leave(within, local, stretch.start, source)?],
        })
    }

    /// The copy of a subroutine for one of its calls.
    fn enter(&mut self, outer: u32, entry: u32, back: u32, source: &Source<'_>) -> Result<u32, Malformed> {
        let local = match source.code.instructions.at(entry)? {
            (Insn::Store(ValueKind::Ref, local), _) => Some(local),
            _ => None,
        };
        let call = Subroutine { outer: self.still_active(outer, entry), entry, back, local };
        if let Some(&known) = self.subroutine_ids.get(&call) {
            return Ok(known);
        }
        if self.subroutines.len() > bounds::SUBROUTINES {
            return Err(source.invalid(entry, "too many subroutine calls"));
        }
        let id = self.subroutines.len() as u32;
        self.subroutines.push(call);
        self.subroutine_ids.insert(call, id);
        Ok(id)
    }

    /// The calls that a call of the subroutine at `entry` is nested in. No subroutine is in there twice: an
    /// exception handler that calls the one it came from has abandoned that call, and all within it. (For
    /// a subroutine that calls itself, which no JVM takes, that makes a loop.)
    fn still_active(&self, outer: u32, entry: u32) -> u32 {
        let mut above = outer;
        while above != 0 {
            let call = self.subroutines[above as usize];
            if call.entry == entry {
                return call.outer;
            }
            above = call.outer;
        }
        outer
    }

    /// Where `ret` goes: out of the innermost subroutine that keeps its return address in `local`.
    fn leave(&self, within: u32, local: u16, pc: u32, source: &Source<'_>) -> Result<(u32, u32), Malformed> {
        let mut current = within;
        while current != 0 {
            let call = self.subroutines[current as usize];
            if call.local == Some(local) {
                return Ok((call.back, call.outer));
            }
            current = call.outer;
        }
        Err(source.invalid(pc, "ret without its jsr"))
    }

    fn number(&mut self, scan: &Scan) {
        let n = self.raw.len();
        let mut number = vec![Block::from_u32(0); n];
        for (i, &raw) in self.postorder.iter().rev().enumerate() {
            number[raw as usize] = Block::from_u32(i as u32);
        }
        self.nodes.clear();
        self.catchers.clear();
        for &raw in self.postorder.iter().rev() {
            let raw = &mut self.raw[raw as usize];
            let start = self.catchers.len() as u32;
            let catcher = |&(to, ty): &(u32, _)| Catcher { block: number[to as usize], ty };
            self.catchers.extend(raw.catchers.iter().map(catcher));
            self.nodes.push(Node {
                kind: raw.key.0,
                start: raw.key.0.start(scan),
                successors: raw.successors.iter().map(|&to| number[to as usize]).collect(),
                catchers: (start, self.catchers.len() as u32),
                preds: (0, 0),
            });
        }
    }

    fn find_preds(&mut self) {
        let mut edges: Vec<(Block, Pred)> = Vec::new();
        for (block, node) in self.nodes.iter() {
            let (start, end) = node.catchers;
            let catchers = &self.catchers[start as usize..end as usize];
            edges.extend(edges_from(block, node.successors.iter().copied(), catchers));
        }
        let (preds, ranges) = list_preds(edges, self.nodes.len());
        self.preds = preds;
        for (node, range) in self.nodes.values_mut().zip(ranges) {
            node.preds = (range.start, range.end);
        }
    }

    pub(super) fn preds(&self, block: Block) -> &[Pred] {
        let (start, end) = self.nodes[block].preds;
        &self.preds[start as usize..end as usize]
    }
}
