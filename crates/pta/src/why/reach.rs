//! Why code is reached: the shortest way from the root.

use std::collections::VecDeque;

use heliostat_index::FastMap;

use super::Reach;
use super::index::Why;
use crate::facts::{CodeId, MadeUp};

impl Why<'_> {
    /// The calls that lead from what runs first to a piece of code, first call first; none if it is not reached.
    pub fn reached(&self, code: CodeId) -> Option<Vec<Reach>> {
        let before = self.shortest_ways();
        let mut way = Vec::new();
        let mut at = code;
        if !self.instances.contains_key(&code) {
            return None;
        }
        while let Some(&(from, reach)) = before.get(&at) {
            way.push(reach);
            at = from;
        }
        way.reverse();
        Some(way)
    }

    /// For each code that something calls: who does on a shortest way from the root, and how.
    fn shortest_ways(&self) -> FastMap<CodeId, (CodeId, Reach)> {
        let callees = self.callees();
        let mut before: FastMap<CodeId, (CodeId, Reach)> = FastMap::default();
        let mut roots: Vec<CodeId> = self.roots();
        roots.sort_unstable();
        let mut work: VecDeque<CodeId> = roots.iter().copied().collect();
        while let Some(code) = work.pop_front() {
            for &(callee, reach) in callees.get(&code).map_or(&[][..], |list| list) {
                if !before.contains_key(&callee) && !roots.contains(&callee) {
                    before.insert(callee, (code, reach));
                    work.push_back(callee);
                }
            }
        }
        before
    }

    /// Code that nothing calls: the root, and what makes providers of services.
    fn roots(&self) -> Vec<CodeId> {
        let is_root = |code: &CodeId| {
            matches!(self.solution.facts.made_up(*code), Some(MadeUp::Root | MadeUp::Provider(_)))
        };
        self.solution.instances_by_code().into_iter().map(|(code, _)| code).filter(is_root).collect()
    }

    fn callees(&self) -> FastMap<CodeId, Vec<(CodeId, Reach)>> {
        let mut callees: FastMap<CodeId, Vec<(CodeId, Reach)>> = FastMap::default();
        let code_of = |instance| self.solution.code_of(instance);
        for edge in self.solution.edges() {
            callees.entry(code_of(edge.caller)).or_default().push((code_of(edge.callee), Reach::Call(edge)));
        }
        for &edge in self.solution.clinit_edges() {
            let callee = crate::facts::Facts::code(edge.callee);
            callees.entry(edge.code).or_default().push((callee, Reach::Clinit(edge)));
        }
        callees
    }
}
