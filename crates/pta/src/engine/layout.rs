//! Which node a variable is: one per context, or one for all.

use heliostat_index::{Id, IdMap, IdSet, PackedOption};
use heliostat_solve::NodeId;

use super::instances::Instance;
use crate::contexts::ContextId;
use crate::facts::{CodeId, Var};

/// The variables that are the same in all contexts of their code.
pub(crate) struct Layout {
    insensitive: IdMap<CodeId, IdSet<Var>>,
    /// The nodes of each code's variables in the empty context, which are those of all contexts for such variables.
    shared: IdMap<CodeId, PackedOption<NodeId>>,
}

impl Layout {
    pub(super) fn new() -> Self {
        Self {
            insensitive: IdMap::with_default(IdSet::new()),
            shared: IdMap::with_default(PackedOption::none()),
        }
    }

    /// Says which variables of a code are the same in all contexts.
    pub(super) fn set_insensitive(&mut self, code: CodeId, vars: IdSet<Var>) {
        self.insensitive[code] = vars;
    }

    /// The nodes of a code's variables in the empty context, if there are any yet.
    pub(super) fn shared(&self, code: CodeId) -> Option<NodeId> {
        self.shared[code].expand()
    }

    pub(super) fn set_shared(&mut self, code: CodeId, nodes: NodeId) {
        self.shared[code] = nodes.into();
    }

    /// The node of a variable of an instance.
    pub(crate) fn node(&self, instance: Instance, var: Var) -> NodeId {
        let Instance { code, context, nodes } = instance;
        let first = if context != ContextId::EMPTY && self.insensitive[code].contains(var) {
            self.shared(code).unwrap_or(nodes)
        } else {
            nodes
        };
        NodeId::new(first.index() + var.index())
    }
}
