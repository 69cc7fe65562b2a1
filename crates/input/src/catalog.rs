//! The inputs under construction: archives, their entries and their problems, within limits.

use heliostat_index::{FastMap, Symbol};

use crate::inputs::Store;
use crate::layout::{Placed, Role, modified_utf8};
use crate::problem::Defect;
use crate::select::Selection;
use crate::{Archive, ArchiveId, Entry, Inputs, Limits, Origin, Problem};

/// What the names of all entries together may take, also if many entries share one: a bound on memory and time.
const NAME_BYTES: usize = 1 << 30;
/// What every JDK has and no other archive has both of.
const ROOTS: [&[u8]; 2] = [b"java/lang/Object", b"java/lang/String"];

/// Collects what the loader finds.
pub(crate) struct Catalog {
    inputs: Inputs,
    selection: Selection,
    name_bytes: usize,
    entries_left: usize,
    /// Whether an input has what only a JDK has, whatever its format.
    input_is_jdk: bool,
}

/// What was found in one archive, with the release of a multi-release jar that each is for.
#[derive(Default)]
pub(crate) struct Listing {
    classes: Vec<(Entry, u16)>,
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
            input_is_jdk: false,
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

    /// Whether a JDK is among what was found so far: as an image, as jmods, or as an input such as `rt.jar`.
    pub(crate) fn has_platform(&self) -> bool {
        let has_root = self.inputs.names.find(b"java/lang/Object").is_some();
        self.input_is_jdk || has_root && self.inputs.archives.values().any(Archive::is_platform)
    }

    /// Whether there is no room for the name of another entry.
    pub(crate) fn is_full(&self) -> bool {
        self.name_bytes > NAME_BYTES
    }

    /// Counts an entry of an archive's `Class-Path` that was not opened, and lists it unless there are too many.
    pub(crate) fn missing_class_path(&mut self, id: ArchiveId, what: String) {
        let listed = self.inputs.limits.listed;
        let archive = self.archive_mut(id);
        archive.counts.missing_class_path += 1;
        if archive.counts.missing_class_path <= listed {
            archive.missing_class_path.push(what);
        }
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
            Role::Class(name) => {
                let entry = self.entry(id, place, &modified_utf8(name));
                listing.classes.extend(entry.map(|entry| (entry, release)));
            }
            Role::Resource(name) => {
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

    fn entry(&mut self, archive: ArchiveId, place: u32, name: &[u8]) -> Option<Entry> {
        self.name_bytes += name.len();
        if self.is_full() {
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
        let classes = latest(&listing.classes);
        let resources = latest(&listing.resources);
        let roots = ROOTS.map(|root| self.inputs.names.find(root));
        let has_roots = || roots.iter().all(|&root| classes.iter().any(|class| Some(class.name) == root));
        self.input_is_jdk |= self.archive(id).origin == Origin::Input && has_roots();
        let archive = self.archive_mut(id);
        let platform = archive.is_platform();
        archive.counts.classes = classes.len() as u32;
        archive.counts.resources = resources.len() as u32;
        for entry in classes {
            self.selection.add(entry, platform);
        }
        self.inputs.resources.extend(resources);
        self.inputs.modules.extend(latest(&listing.modules));
    }

    /// What was collected, with a line on the problems that were not listed.
    #[expect(clippy::indexing_slicing, reason = "entries are made with ids from `add`")]
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
        let (classes, duplicates) = selection.finish();
        inputs.classes = classes;
        for duplicate in duplicates {
            let archive = &mut inputs.archives[duplicate.hidden.archive];
            archive.counts.duplicates += 1;
            *archive.hidden_by.entry(duplicate.kept.archive).or_default() += 1;
            if archive.counts.duplicates <= listed {
                inputs.duplicates.push(duplicate);
            }
        }
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
