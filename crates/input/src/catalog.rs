//! The inputs under construction: archives, their entries and their problems, within limits.

use heliostat_index::{FastMap, Symbol};

use crate::inputs::Store;
use crate::layout::{Placed, Role, modified_utf8};
use crate::problem::Defect;
use crate::select::{Candidate, Selection};
use crate::{Archive, ArchiveId, Entry, Inputs, Limits, Problem};

/// All names together lie in one buffer, which must stay addressable by 32 bits.
const NAME_BYTES: usize = 1 << 31;

/// Collects what the loader finds.
pub(crate) struct Catalog {
    inputs: Inputs,
    selection: Selection,
    name_bytes: usize,
    entries_left: usize,
}

/// What was found in one archive besides its classes.
#[derive(Default)]
pub(crate) struct Listing {
    resources: Vec<(Entry, u16)>,
    modules: Vec<(Entry, u16)>,
    /// The places of the jars that are on the class path.
    pub(crate) jars: Vec<u32>,
}

impl Catalog {
    pub(crate) fn new(limits: Limits, problems: Vec<Problem>) -> Self {
        Self {
            inputs: Inputs { problems, limits, ..Inputs::default() },
            selection: Selection::new(),
            name_bytes: 0,
            entries_left: limits.entries as usize,
        }
    }

    /// Adds an archive, still empty.
    pub(crate) fn add(&mut self, archive: Archive) -> ArchiveId {
        self.inputs.stores.push(Store::Nothing);
        self.inputs.archives.push(archive)
    }

    #[expect(clippy::indexing_slicing, reason = "ids come from `add`, and archives are never removed")]
    pub(crate) fn archive(&self, id: ArchiveId) -> &Archive {
        &self.inputs.archives[id]
    }

    #[expect(clippy::indexing_slicing, reason = "ids come from `add`, and archives are never removed")]
    pub(crate) fn archive_mut(&mut self, id: ArchiveId) -> &mut Archive {
        &mut self.inputs.archives[id]
    }

    /// Whether a JDK is among what was found so far, as an image or as jmods.
    pub(crate) fn has_platform(&self) -> bool {
        let has_root = self.inputs.names.find(b"java/lang/Object").is_some();
        has_root && self.inputs.archives.values().any(Archive::is_platform)
    }

    pub(crate) fn store(&self, id: ArchiveId) -> Option<&Store> {
        self.inputs.stores.get(id)
    }

    /// How many entries may still be listed.
    pub(crate) fn entries_left(&self) -> usize {
        self.entries_left
    }

    /// Notes that an archive lists this many entries, whatever they are.
    pub(crate) fn spend_entries(&mut self, count: usize) {
        self.entries_left = self.entries_left.saturating_sub(count);
    }

    /// Counts a problem of an archive, and lists it unless there are too many.
    pub(crate) fn problem(&mut self, id: ArchiveId, path: Option<&[u8]>, defect: Defect) {
        let counts = &mut self.archive_mut(id).counts;
        counts.problems += 1;
        if counts.problems <= self.inputs.limits.listed {
            let archive = self.archive(id).name.clone();
            self.inputs.problems.push(Problem {
                archive,
                entry: path.map(|path| String::from_utf8_lossy(path).into_owned()),
                offset: defect.offset,
                message: defect.message,
            });
        }
    }

    /// Adds a problem that no archive has.
    pub(crate) fn general_problem(&mut self, problem: Problem) {
        self.inputs.problems.push(problem);
    }

    /// Notes the entry at `place` of an archive.
    pub(crate) fn record(&mut self, id: ArchiveId, place: u32, placed: &Placed<'_>, listing: &mut Listing) {
        let release = placed.release;
        match placed.role {
            Role::Class(name) => self.record_class(id, place, &modified_utf8(name), release),
            Role::Resource(name) => {
                self.archive_mut(id).counts.resources += 1;
                listing.resources.extend(self.entry(id, place, name).map(|entry| (entry, release)));
            }
            Role::ModuleInfo => {
                listing.modules.extend(self.entry(id, place, b"module-info").map(|entry| (entry, release)));
            }
            Role::ClassPathJar => listing.jars.push(place),
            Role::OtherJar(path) => {
                let entry = self.entry(id, place, path);
                self.inputs.unread_jars.extend(entry);
            }
            Role::Ignored => {}
        }
    }

    fn record_class(&mut self, id: ArchiveId, place: u32, name: &[u8], release: u16) {
        let archive = self.archive_mut(id);
        let platform = archive.is_platform();
        archive.counts.classes += 1;
        let Some(entry) = self.entry(id, place, name) else { return };
        let Some(hidden) = self.selection.add(Candidate { entry, release, platform }) else { return };
        let duplicates = &mut self.archive_mut(hidden.archive).counts.duplicates;
        *duplicates += 1;
        if *duplicates <= self.inputs.limits.listed {
            self.selection.list(hidden);
        }
    }

    fn entry(&mut self, archive: ArchiveId, place: u32, name: &[u8]) -> Option<Entry> {
        self.name_bytes += name.len();
        if self.name_bytes > NAME_BYTES {
            self.problem(archive, Some(name), Defect::new("the names of all entries are too long together"));
            return None;
        }
        let name = self.inputs.names.intern(name);
        Some(Entry { archive, name, place })
    }

    /// Closes an archive: its content stays, to be read from.
    #[expect(clippy::indexing_slicing, reason = "ids come from `add`, which makes room")]
    pub(crate) fn close(&mut self, id: ArchiveId, store: Store, listing: &Listing) {
        self.inputs.stores[id] = store;
        self.inputs.resources.extend(latest(&listing.resources));
        self.inputs.modules.extend(latest(&listing.modules));
    }

    /// What was collected, with a line on the problems that were not listed.
    pub(crate) fn finish(self) -> Inputs {
        let Self { mut inputs, selection, .. } = self;
        let listed = inputs.limits.listed;
        for archive in inputs.archives.values().filter(|archive| archive.counts.problems > listed) {
            inputs.problems.push(Problem {
                archive: archive.name.clone(),
                entry: None,
                offset: None,
                message: format!("{} more problems", archive.counts.problems - listed),
            });
        }
        (inputs.classes, inputs.duplicates) = selection.finish();
        inputs
    }
}

/// Of each name the entries of the highest release, in order.
fn latest(found: &[(Entry, u16)]) -> Vec<Entry> {
    let mut highest: FastMap<Symbol, u16> = FastMap::default();
    for (entry, release) in found.iter().filter(|(_, release)| *release > 0) {
        let known = highest.entry(entry.name).or_default();
        *known = (*known).max(*release);
    }
    let kept = found.iter().filter(|(entry, release)| highest.get(&entry.name).unwrap_or(&0) == release);
    kept.map(|(entry, _)| *entry).collect()
}
