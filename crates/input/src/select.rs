//! Which class wins among several of one name.
//!
//! As in a JVM: the JDK's before any other; else that of the first archive on the class path; inside an archive
//! the last, since that is the one `java.util.zip` finds. Other releases of a multi-release jar do not come here.

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
struct Candidate {
    entry: Entry,
    /// Whether it is the JDK's.
    platform: bool,
}

const NOBODY: u32 = u32::MAX;

impl Selection {
    pub(crate) fn new() -> Self {
        Self { classes: Vec::new(), winner: IdMap::with_default(NOBODY), hidden: Vec::new() }
    }

    /// Adds a class, of the JDK or not.
    pub(crate) fn add(&mut self, entry: Entry, platform: bool) {
        let new = Candidate { entry, platform };
        let index = self.winner[entry.name] as usize;
        let Some((slot, old)) = self.classes.get_mut(index).and_then(|slot| (*slot).map(|old| (slot, old)))
        else {
            return self.push(new);
        };
        if entry.archive == old.entry.archive {
            *slot = Some(new);
            self.hidden.push(old.entry);
        } else if platform && !old.platform {
            *slot = None;
            self.push(new);
            self.hidden.push(old.entry);
        } else {
            self.hidden.push(entry);
        }
    }

    fn push(&mut self, class: Candidate) {
        self.winner[class.entry.name] = self.classes.len() as u32;
        self.classes.push(Some(class));
    }

    /// The winners in class-path order, and all others with the winner of each.
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

    fn class(archive: u32, place: u32, platform: bool) -> Candidate {
        let entry = Entry { archive: ArchiveId::from_u32(archive), name: Symbol::new(0), place };
        Candidate { entry, platform }
    }

    fn winner(classes: &[Candidate]) -> (u32, u32) {
        let mut selection = Selection::new();
        for class in classes {
            selection.add(class.entry, class.platform);
        }
        let (winners, _) = selection.finish();
        assert_eq!(winners.len(), 1);
        winners.first().map(|e| (e.archive.as_u32(), e.place)).unwrap_or_default()
    }

    #[test]
    fn first_archive_wins() {
        assert_eq!(winner(&[class(1, 0, false), class(2, 0, false)]), (1, 0));
    }

    #[test]
    fn the_jdk_wins_over_what_comes_before_it() {
        assert_eq!(winner(&[class(1, 0, false), class(2, 0, true)]), (2, 0));
        assert_eq!(winner(&[class(1, 0, true), class(2, 0, true)]), (1, 0));
    }

    #[test]
    fn inside_an_archive_the_last_wins() {
        assert_eq!(winner(&[class(1, 0, false), class(1, 1, false)]), (1, 1));
    }

    #[test]
    fn a_duplicate_names_the_final_winner() {
        let mut selection = Selection::new();
        for class in [class(1, 0, false), class(2, 0, false), class(3, 0, true)] {
            selection.add(class.entry, class.platform);
        }
        let (_, duplicates) = selection.finish();
        let pairs: Vec<_> =
            duplicates.iter().map(|d| (d.kept.archive.as_u32(), d.hidden.archive.as_u32())).collect();
        assert_eq!(pairs, [(3, 2), (3, 1)]);
    }
}
