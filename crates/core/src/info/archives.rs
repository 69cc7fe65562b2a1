//! Archives, the JDK, duplicates and jars that were not read.

use heliostat_index::{FastMap, Id};
use heliostat_input::{Entry, Inputs, Kind, Origin};
use serde::Serialize;

use super::origin_word;
use crate::{Opened, Problem};

/// The JDK in use.
#[derive(Debug, Clone, Serialize)]
pub struct JdkInfo {
    /// Its version, such as `17.0.15`, if it tells.
    pub version: Option<String>,
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
    /// How many classes it holds, with those that are hidden.
    pub classes: u32,
    /// How many other files it holds.
    pub resources: u32,
    /// Whether it is a multi-release jar.
    pub multi_release: bool,
    /// The manifest's `Main-Class`, as an internal name.
    pub main_class: Option<String>,
    /// The manifest's `Start-Class`, as an internal name.
    pub start_class: Option<String>,
    /// How many of its classes another one of the same name hides.
    pub duplicates: u32,
    /// How many entries of the manifest's `Class-Path` lead to no file.
    pub missing_class_path: u32,
    /// How many problems it has.
    pub problems: u32,
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
        home: jdk.home.display().to_string(),
        classes: archives.map(|archive| archive.counts.classes).sum(),
    })
}

pub(super) fn list(opened: &Opened, problems: &[Problem]) -> Vec<ArchiveInfo> {
    let inputs = &opened.inputs;
    // The reader of archives has counted its own problems, listed or not; they come first in the list.
    let mut in_classes: FastMap<&str, u32> = FastMap::default();
    for problem in problems.iter().skip(inputs.problems.len()) {
        *in_classes.entry(problem.archive.as_str()).or_default() += 1;
    }
    let describe = |archive: &heliostat_input::Archive| ArchiveInfo {
        name: archive.name.clone(),
        kind: kind_word(archive.kind),
        origin: origin_word(archive.origin),
        parent: archive.parent.map(Id::index),
        classes: archive.counts.classes,
        resources: archive.counts.resources,
        multi_release: archive.multi_release,
        main_class: archive.main_class.clone(),
        start_class: archive.start_class.clone(),
        duplicates: archive.counts.duplicates,
        missing_class_path: archive.counts.missing_class_path,
        problems: archive.counts.problems + in_classes.get(archive.name.as_str()).unwrap_or(&0),
    };
    inputs.archives.values().map(describe).collect()
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
