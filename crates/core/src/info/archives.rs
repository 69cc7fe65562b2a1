//! Archives, the JDK, duplicates and jars that were not read.

use heliostat_index::{Id, IdMap};
use heliostat_input::{ArchiveId, Entry, Inputs, Kind, Origin};
use serde::Serialize;

use super::origin_word;
use crate::Opened;

/// The JDK in use.
#[derive(Debug, Clone, Serialize)]
pub struct JdkInfo {
    /// Its version, such as `17.0.15`, if it tells.
    pub version: Option<String>,
    /// The feature version, such as 17, if it tells.
    pub feature: Option<u16>,
    /// Its home, or what was named in its place.
    pub home: String,
    /// How many classes its archives hold.
    pub classes: u32,
}

/// One place that classes come from.
#[derive(Debug, Clone, Serialize)]
pub struct ArchiveInfo {
    /// As the user wrote it; a nested jar as `outer.jar!/BOOT-INF/lib/inner.jar`.
    pub name: String,
    /// Its format: `jar`, `directory`, `class`, `jmod`, `image` or `unknown`.
    pub kind: &'static str,
    /// Why it is there: `input`, `class_path` or `jdk`.
    pub origin: &'static str,
    /// The position in the list of the archive that holds it, for a nested jar.
    pub parent: Option<usize>,
    /// How many of its classes are in use; over all archives of an origin they add up to its total.
    pub classes: u32,
    /// How many of its classes another one of the same name hides.
    pub hidden: u32,
    /// How many of its classes could not be read.
    pub unreadable: u32,
    /// How many other files it holds.
    pub resources: u32,
    /// Whether it is a multi-release jar.
    pub multi_release: bool,
    /// The manifest's `Main-Class`, as an internal name.
    pub main_class: Option<String>,
    /// The manifest's `Start-Class`, as an internal name.
    pub start_class: Option<String>,
    /// The entries of the manifest's `Class-Path` that lead to no file; at most `Limits::listed`.
    pub missing_class_path: Vec<String>,
    /// How many of them there are.
    pub missing_class_path_count: u32,
    /// How many problems it has, listed or not.
    pub problems: u64,
}

/// Two classes of one name.
#[derive(Debug, Clone, Serialize)]
pub struct DuplicateInfo {
    /// Their internal name.
    pub class: String,
    /// The archive whose class is used.
    pub kept: String,
    /// The archive whose class is hidden.
    pub hidden: String,
}

/// A file in an archive.
#[derive(Debug, Clone, Serialize)]
pub struct Place {
    /// The archive.
    pub archive: String,
    /// The path in it.
    pub path: String,
}

pub(super) fn jdk(opened: &Opened) -> Option<JdkInfo> {
    let jdk = opened.inputs.jdk.as_ref()?;
    let archives = opened.inputs.archives.values().filter(|archive| archive.origin == Origin::Jdk);
    Some(JdkInfo {
        version: jdk.version.clone(),
        feature: jdk.feature,
        home: jdk.home.display().to_string(),
        classes: archives.map(|archive| archive.counts.classes).sum(),
    })
}

pub(super) fn list(opened: &Opened) -> Vec<ArchiveInfo> {
    let inputs = &opened.inputs;
    let mut entries: IdMap<ArchiveId, u32> = IdMap::with_default(0);
    for entry in opened.sources().values() {
        entries[entry.archive] += 1;
    }
    let mut used: IdMap<ArchiveId, u32> = IdMap::with_default(0);
    for class in opened.program.classes().ids() {
        used[opened.archive_id(class)] += 1;
    }
    let describe = |(id, archive): (ArchiveId, &heliostat_input::Archive)| ArchiveInfo {
        name: archive.name.clone(),
        kind: kind_word(archive.kind),
        origin: origin_word(archive.origin),
        parent: archive.parent.map(Id::index),
        classes: used[id],
        hidden: archive.counts.duplicates,
        unreadable: entries[id] - used[id],
        resources: archive.counts.resources,
        multi_release: archive.multi_release,
        main_class: archive.main_class.clone(),
        start_class: archive.start_class.clone(),
        missing_class_path: archive.missing_class_path.clone(),
        missing_class_path_count: archive.counts.missing_class_path,
        problems: opened.problems.of_archive(id),
    };
    inputs.archives.iter().map(describe).collect()
}

pub(super) fn duplicates(opened: &Opened) -> Vec<DuplicateInfo> {
    let inputs = &opened.inputs;
    let describe = |duplicate: &heliostat_input::Duplicate| DuplicateInfo {
        class: heliostat_classfile::mutf8::decode_lossy(inputs.name(&duplicate.kept)),
        kept: archive_name(inputs, &duplicate.kept),
        hidden: archive_name(inputs, &duplicate.hidden),
    };
    inputs.duplicates.iter().map(describe).collect()
}

pub(super) fn unread_jars(opened: &Opened) -> Vec<Place> {
    opened.inputs.unread_jars.iter().map(|jar| place(&opened.inputs, jar)).collect()
}

pub(super) fn place(inputs: &Inputs, entry: &Entry) -> Place {
    Place { archive: archive_name(inputs, entry), path: inputs.path(entry).into_owned() }
}

fn archive_name(inputs: &Inputs, entry: &Entry) -> String {
    inputs.archives[entry.archive].name.clone()
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Jar => "jar",
        Kind::Directory => "directory",
        Kind::ClassFile => "class",
        Kind::Jmod => "jmod",
        Kind::Image => "image",
        Kind::Unknown => "unknown",
    }
}
