//! Which class wins among several of one name.
//!
//! As in a JVM: the JDK's before any other; else that of the first archive on the class path; inside an archive
//! that of the highest release, and among equal entries the last, since that is the one `java.util.zip` finds.

use heliostat_index::{IdMap, Symbol};

use crate::{Duplicate, Entry};

/// The classes seen so far.
pub(crate) struct Selection {
    /// In class-path order; a class that the JDK hides leaves a hole.
    classes: Vec<Option<Candidate>>,
    winner: IdMap<Symbol, u32>,
    hidden: Vec<Entry>,
}

/// A class that may win.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) entry: Entry,
    /// The release of a multi-release jar that it is for.
    pub(crate) release: u16,
    /// Whether it is the JDK's.
    pub(crate) platform: bool,
}

const NOBODY: u32 = u32::MAX;

impl Selection {
    pub(crate) fn new() -> Self {
        Self { classes: Vec::new(), winner: IdMap::with_default(NOBODY), hidden: Vec::new() }
    }

    /// Adds a class; returns the one that is hidden by it or that hides it, if there are two.
    pub(crate) fn add(&mut self, new: Candidate) -> Option<Entry> {
        let index = self.winner[new.entry.name] as usize;
        let Some(old) = self.classes.get(index).copied().flatten() else {
            self.push(new);
            return None;
        };
        if new.entry.archive == old.entry.archive {
            if new.release >= old.release
                && let Some(slot) = self.classes.get_mut(index)
            {
                *slot = Some(new);
            }
            // Another release of the class is meant to be there: not a duplicate.
            return (new.release == old.release).then_some(old.entry);
        }
        if new.platform && !old.platform {
            if let Some(slot) = self.classes.get_mut(index) {
                *slot = None;
            }
            self.push(new);
            return Some(old.entry);
        }
        Some(new.entry)
    }

    fn push(&mut self, class: Candidate) {
        self.winner[class.entry.name] = self.classes.len() as u32;
        self.classes.push(Some(class));
    }

    /// Puts a hidden class on the list of duplicates.
    pub(crate) fn list(&mut self, hidden: Entry) {
        self.hidden.push(hidden);
    }

    /// The winners in class-path order, and the listed duplicates with the winner of each.
    pub(crate) fn finish(self) -> (Vec<Entry>, Vec<Duplicate>) {
        let with_winner = |&hidden: &Entry| {
            let kept = self.classes.get(self.winner[hidden.name] as usize)?.as_ref()?.entry;
            Some(Duplicate { kept, hidden })
        };
        let duplicates = self.hidden.iter().filter_map(with_winner).collect();
        (self.classes.iter().flatten().map(|class| class.entry).collect(), duplicates)
    }
}

#[cfg(test)]
mod tests {
    use heliostat_index::Id;

    use super::*;
    use crate::ArchiveId;

    fn class(archive: u32, place: u32, release: u16, platform: bool) -> Candidate {
        let entry = Entry { archive: ArchiveId::from_u32(archive), name: Symbol::new(0), place };
        Candidate { entry, release, platform }
    }

    fn winner(classes: &[Candidate]) -> (u32, u32) {
        let mut selection = Selection::new();
        for &class in classes {
            selection.add(class);
        }
        let (winners, _) = selection.finish();
        assert_eq!(winners.len(), 1);
        winners.first().map(|e| (e.archive.as_u32(), e.place)).unwrap_or_default()
    }

    #[test]
    fn first_archive_wins() {
        assert_eq!(winner(&[class(1, 0, 0, false), class(2, 0, 0, false)]), (1, 0));
        assert_eq!(winner(&[class(1, 0, 0, false), class(2, 0, 17, false)]), (1, 0));
    }

    #[test]
    fn the_jdk_wins_over_what_comes_before_it() {
        assert_eq!(winner(&[class(1, 0, 0, false), class(2, 0, 0, true)]), (2, 0));
        assert_eq!(winner(&[class(1, 0, 0, true), class(2, 0, 0, true)]), (1, 0));
    }

    #[test]
    fn inside_an_archive_the_highest_release_then_the_last() {
        assert_eq!(winner(&[class(1, 0, 11, false), class(1, 1, 9, false), class(1, 2, 0, false)]), (1, 0));
        assert_eq!(winner(&[class(1, 0, 0, false), class(1, 1, 0, false)]), (1, 1));
    }

    #[test]
    fn a_duplicate_names_the_final_winner() {
        let mut selection = Selection::new();
        for class in [class(1, 0, 0, false), class(2, 0, 0, false), class(3, 0, 0, true)] {
            if let Some(hidden) = selection.add(class) {
                selection.list(hidden);
            }
        }
        let (_, duplicates) = selection.finish();
        let pairs: Vec<_> =
            duplicates.iter().map(|d| (d.kept.archive.as_u32(), d.hidden.archive.as_u32())).collect();
        assert_eq!(pairs, [(3, 2), (3, 1)]);
    }
}
