//! A look at what is otherwise private to the analysis, for the `oracle` crate and for dumps.

use heliostat_program::TypeId;
use heliostat_solve::FilterId;

use crate::facts::{AllocId, AllocKind, Facts, Filter, GlobalId};

impl Facts {
    /// The program-wide variable of a name, if something uses it.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals.find(&Box::from(name))
    }

    /// All program-wide variables, with their names.
    pub fn globals(&self) -> impl Iterator<Item = (GlobalId, &str)> {
        self.globals.values().iter().map(|(id, name)| (id, &**name))
    }

    /// The allocation site of a kind, if something is made there.
    pub fn find_alloc(&self, kind: AllocKind) -> Option<AllocId> {
        self.heap.find(kind)
    }

    /// The filter for a type, if something uses it.
    pub fn find_type_filter(&self, ty: TypeId) -> Option<FilterId> {
        if ty == TypeId::OBJECT { Some(FilterId::ALL) } else { self.filters.find(&Filter::Type(ty)) }
    }
}
