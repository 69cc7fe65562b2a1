//! A look at what is otherwise private to the analysis, for the `oracle` crate.

use crate::facts::{Facts, GlobalId};

impl Facts {
    /// The program-wide variable of a name, if something uses it.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals.find(&Box::from(name))
    }
}
