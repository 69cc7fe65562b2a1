//! Phis that merge a single value, dropped.
//!
//! A phi stays as long as two of its operands differ. It watches two that do, and is looked at again only
//! when one of them is dropped; so that a phi with thousands of operands is not read anew for each.

use heliostat_index::PackedOption;

use super::bounds;
use super::ssa::{Origin, Phi, Ssa};
use crate::Value;

/// The end of a list.
const NONE: u32 = u32::MAX;

/// How far each phi has been read, and what it watches. Phi `p` has the nodes `2 * p` and `2 * p + 1`.
struct Watches {
    /// The value that all operands so far are, besides the phi itself.
    first: Vec<PackedOption<Value>>,
    /// The next operand to read.
    next: Vec<u32>,
    /// What each node watches.
    watched: Vec<PackedOption<Value>>,
    /// The nodes that watch each phi, as lists.
    head: Vec<u32>,
    link: Vec<u32>,
    waiting: Vec<bool>,
}

impl Watches {
    fn new(phis: &[Phi]) -> Self {
        let n = phis.len();
        Self {
            first: vec![PackedOption::none(); n],
            next: phis.iter().map(|phi| phi.args.0).collect(),
            watched: vec![PackedOption::none(); 2 * n],
            head: vec![NONE; n],
            link: vec![NONE; 2 * n],
            waiting: vec![true; n],
        }
    }

    /// Looks at `phi` again when `value` is dropped. Of the phi's two nodes, one is free or watches it already.
    fn watch(&mut self, phi: usize, value: Value, origin: Origin) {
        let nodes = [2 * phi, 2 * phi + 1];
        if nodes.iter().any(|&node| self.watched[node] == value.into()) {
            return;
        }
        let Some(&node) = nodes.iter().find(|&&node| self.watched[node].is_none()) else { return };
        self.watched[node] = value.into();
        if let Origin::Phi(watched) = origin {
            self.link[node] = std::mem::replace(&mut self.head[watched as usize], node as u32);
        }
    }

    /// A phi was dropped: those that watch it are to be looked at.
    fn wake(&mut self, dropped: usize, queue: &mut Vec<u32>) {
        let mut node = std::mem::replace(&mut self.head[dropped], NONE);
        while node != NONE {
            self.watched[node as usize] = PackedOption::none();
            let phi = node / 2;
            if !std::mem::replace(&mut self.waiting[phi as usize], true) {
                queue.push(phi);
            }
            node = self.link[node as usize];
        }
    }
}

impl Ssa {
    /// Replaces each phi all of whose operands are itself or one other value by that value.
    pub(super) fn drop_trivial_phis(&mut self) {
        self.replaced = self.types.ids().collect::<Vec<_>>().into();
        let mut watches = Watches::new(&self.phis);
        let mut queue: Vec<u32> = (0..self.phis.len() as u32).rev().collect();
        let mut steps = 0;
        while let Some(index) = queue.pop() {
            let at = index as usize;
            watches.waiting[at] = false;
            steps += 1;
            // A needless phi does no harm: better to keep some than to look for them forever.
            if steps > bounds::DROP_STEPS {
                break;
            }
            if self.is_dropped(&self.phis[at]) {
                continue;
            }
            if let Some(only) = self.only_operand(at, &mut watches) {
                let value = self.phis[at].value;
                self.replaced[value] = only;
                watches.wake(at, &mut queue);
            }
        }
        for index in 0..self.phis.len() {
            self.find(self.phis[index].value);
        }
    }

    /// The single value that a phi merges, if there is but one.
    fn only_operand(&mut self, at: usize, watches: &mut Watches) -> Option<Value> {
        let Phi { value, args: (_, end), .. } = self.phis[at];
        let first = watches.first[at].expand().map(|v| self.find(v));
        // If the one that all were was dropped for this phi, then all were this phi.
        let mut first = first.filter(|&v| v != value);
        let mut next = watches.next[at];
        while next < end {
            let arg = self.find(self.phi_args[next as usize]);
            if arg != value && *first.get_or_insert(arg) != arg {
                break;
            }
            next += 1;
        }
        (watches.first[at], watches.next[at]) = (first.into(), next);
        let only = first?;
        if next == end {
            return Some(only);
        }
        let other = self.find(self.phi_args[next as usize]);
        watches.watch(at, only, self.origin(only));
        watches.watch(at, other, self.origin(other));
        None
    }
}
