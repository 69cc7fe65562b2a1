//! What a receiver's type decides, asked once for each group of objects that are alike.

use heliostat_program::{MethodId, TypeId};
use heliostat_solve::{FilterId, GroupId};

use super::Engine;
use crate::facts::{CodeId, MadeUp};
use crate::types::{Types, What};

impl Engine<'_> {
    /// What types decide.
    pub(super) fn types(&self) -> Types<'_> {
        Types { program: self.program, facts: &self.facts }
    }

    /// The code that a call of a method runs on objects of a group.
    pub(super) fn select(&mut self, resolved: MethodId, group: GroupId) -> Option<CodeId> {
        if let Some(&known) = self.selected.get(&(resolved, group)) {
            return known;
        }
        let what = self.groups[group];
        if let What::Handle(handle) = what
            && self.types().is_invocation(resolved)
        {
            // A handle's code is made up when it is first invoked.
            self.facts.make_up(MadeUp::Handle(handle));
        }
        let code = self.types().selected(resolved, what);
        self.selected.insert((resolved, group), code);
        code
    }

    /// Whether objects of a group pass a filter.
    pub(super) fn admits_group(&self, filter: FilterId, group: GroupId) -> bool {
        self.types().admits(filter, self.groups[group])
    }

    /// The type of the objects of a group, as far as there is one.
    pub(crate) fn group_type(&self, group: GroupId) -> TypeId {
        self.types().type_of(self.groups[group])
    }
}
