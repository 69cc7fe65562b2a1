//! The largest set of strings that all conflict with one another in one class, as far as it is counted.

use heliostat_index::{FastSet, Id, IdMap, IdSet};
use heliostat_program::{ClassId, Program};

use super::members::{Name, Selected, Selection};

/// How many strings conflict with one another in each class.
///
/// Of the strings that select one and the same single name in a class, one counts. A string that selects several names in some
/// classes counts only there, since there may be some below one where it selects a single name.
#[derive(Default)]
pub(super) struct Cliques {
    /// Names that some string matches as its only one.
    only: IdSet<Name>,
    /// Other names that strings select as the single one, and where.
    single: FastSet<(Name, ClassId)>,
}

impl Cliques {
    /// The number of strings of the largest clique. Each string comes with where it selects something.
    pub(super) fn largest<'s>(
        mut self,
        program: &Program,
        strings: impl Iterator<Item = &'s [Selection]> + Clone,
    ) -> usize {
        // What a class adds to its superclass.
        let mut more = IdMap::sized(program.classes().len(), 0_usize);
        for selections in strings.clone() {
            if only_name(selections).is_some_and(|name| self.only.insert(name)) {
                for one in selections {
                    more[one.class] += 1;
                }
            }
        }
        for selections in strings.filter(|selections| only_name(selections).is_none()) {
            let has_several = selections.iter().any(|one| one.selected == Selected::SEVERAL);
            for one in selections {
                let counts = match one.selected.one() {
                    Some(name) => {
                        !has_several && !self.only.contains(name) && self.single.insert((name, one.class))
                    }
                    None => true,
                };
                more[one.class] += usize::from(counts);
            }
        }
        let count = |class| program.super_classes(class).map(|class| more[class]).sum();
        program.classes().ids().map(count).max().unwrap_or(0)
    }
}

/// The name that a string selects wherever it selects any.
fn only_name(selections: &[Selection]) -> Option<Name> {
    let name = selections.first()?.selected.one()?;
    let is_same = |one: &Selection| one.selected.one().is_some_and(|other| other.index() == name.index());
    selections.iter().all(is_same).then_some(name)
}
