//! The call graph by names, in their order.

use heliostat_index::IdMap;
use heliostat_program::{MethodId, Program};
use heliostat_pta::Call;
use heliostat_pta::facts::Facts;

use super::place::Lines;

/// The call graph by names: methods in the order of their names, edges in the order of their callers, offsets and callees.
pub struct CallGraph<'a> {
    program: &'a Program,
    facts: &'a Facts,
    methods: Vec<(String, MethodId)>,
    /// The place of each method in the order.
    ranks: IdMap<MethodId, u32>,
    calls: Vec<Call>,
}

/// A call edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge<'a> {
    /// The method that calls.
    pub caller: Node<'a>,
    /// The bytecode offset of the call; if a model stands for the caller, the number of its statement.
    pub offset: u32,
    /// Its source line, if the class file tells and it is the bytecode that calls.
    pub line: Option<u16>,
    /// The method that is called.
    pub callee: Node<'a>,
    /// How it is called, as in `virtual`.
    pub kind: &'static str,
}

/// A method of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node<'a> {
    /// Its place in the order of methods.
    pub number: u32,
    /// Its name, as `pkg/Class.name(I)V`.
    pub name: &'a str,
}

impl<'a> CallGraph<'a> {
    /// Of some reached methods and some calls; what those lead from and to is in the graph, too.
    pub(super) fn new(
        program: &'a Program,
        facts: &'a Facts,
        methods: impl Iterator<Item = MethodId>,
        mut calls: Vec<Call>,
    ) -> Self {
        let mut ids: Vec<MethodId> = methods.collect();
        ids.extend(calls.iter().flat_map(|call| [call.caller, call.callee]));
        ids.sort_unstable();
        ids.dedup();
        let mut methods: Vec<_> = ids.into_iter().map(|id| (program.method_name(id), id)).collect();
        methods.sort_unstable();
        let mut ranks = IdMap::with_default(0);
        for (rank, &(_, method)) in (0..).zip(&methods) {
            ranks[method] = rank;
        }
        calls.sort_unstable_by_key(|c| (ranks[c.caller], c.offset, ranks[c.callee], c.kind));
        Self { program, facts, methods, ranks, calls }
    }

    /// The names of all methods.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = &str> {
        self.methods.iter().map(|(name, _)| name.as_str())
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = Edge<'_>> {
        let mut last = None;
        let mut lines = Lines::default();
        self.calls.iter().map(move |call| {
            if last.replace(call.caller) != Some(call.caller) {
                lines = self.lines(call.caller);
            }
            Edge {
                caller: self.node(call.caller),
                offset: call.offset,
                line: lines.at(call.offset),
                callee: self.node(call.callee),
                kind: call.kind.name(),
            }
        })
    }

    fn lines(&self, method: MethodId) -> Lines {
        let is_modelled = self.facts.is_modelled(Facts::code(method));
        if is_modelled { Lines::default() } else { Lines::of(self.program, method) }
    }

    fn node(&self, method: MethodId) -> Node<'_> {
        let number = self.ranks[method];
        let name = self.methods.get(number as usize).map_or("", |(name, _)| name.as_str());
        Node { number, name }
    }
}
