//! What was opened: archives, classes, resources, duplicates and problems.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use heliostat_index::{IdVec, Symbol, Symbols};

use crate::directory::Files;
use crate::jimage::Image;
use crate::problem::Defect;
use crate::zip::Zip;
use crate::{ArchiveId, Jdk, Limits, Problem};

/// Everything on the class path, listed; [`read`](Self::read) fetches the bytes of one entry.
#[derive(Default)]
pub struct Inputs {
    /// The archives in class-path order: inputs, class path, JDK; nested jars and those that a manifest's
    /// `Class-Path` names follow the jar that has them.
    pub archives: IdVec<ArchiveId, Archive>,
    /// The classes that a JVM would load: one per name, in the order of their archives.
    pub classes: Vec<Entry>,
    /// All other files, all of them: `getResources` finds every resource of a name, not just the first.
    pub resources: Vec<Entry>,
    /// The `module-info.class` files.
    pub modules: Vec<Entry>,
    /// Jars inside archives that are not on the class path, hence not read.
    pub unread_jars: Vec<Entry>,
    /// Classes that another class of the same name hides; at most [`Limits::listed`] per archive.
    pub duplicates: Vec<Duplicate>,
    /// What could not be read; at most [`Limits::listed`] per archive and one line on the rest.
    pub problems: Vec<Problem>,
    /// The JDK in use.
    pub jdk: Option<Jdk>,
    pub(crate) stores: IdVec<ArchiveId, Store>,
    pub(crate) names: Symbols,
    pub(crate) limits: Limits,
}

/// One place that classes come from.
#[derive(Clone, Debug)]
pub struct Archive {
    /// As the user wrote it; a nested jar as `outer.jar!/BOOT-INF/lib/inner.jar`.
    pub name: String,
    /// Its format, found from the content.
    pub kind: Kind,
    /// Why it is on the class path.
    pub origin: Origin,
    /// The archive that holds it, for a nested jar.
    pub parent: Option<ArchiveId>,
    /// The manifest's `Main-Class`, as an internal name.
    pub main_class: Option<String>,
    /// The manifest's `Start-Class`, as an internal name: the main class of a Spring Boot application.
    pub start_class: Option<String>,
    /// Whether the manifest says `Multi-Release: true`.
    pub multi_release: bool,
    /// How much is in it.
    pub counts: Counts,
    /// How many of its classes each archive hides, itself among them; together [`Counts::duplicates`].
    pub hidden_by: BTreeMap<ArchiveId, u32>,
    /// Entries of the manifest's `Class-Path` that were not opened, as written there, with the reason in brackets
    /// unless they just lead to no file; at most [`Limits::listed`].
    pub missing_class_path: Vec<String>,
}

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A zip file: jar, WAR or the like.
    Jar,
    /// A directory.
    Directory,
    /// A lone class file.
    ClassFile,
    /// A `.jmod`.
    Jmod,
    /// A JDK's modules image.
    Image,
    /// None of the above; there is a problem that says so.
    Unknown,
}

/// Why an archive is on the class path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is, or is nested in, something to analyse.
    Input,
    /// It is a library, from the class path or from a manifest's `Class-Path`.
    ClassPath,
    /// It is part of the JDK.
    Jdk,
}

/// How much is in an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Classes, without those of other releases of a multi-release jar, with those that are hidden: as many as
    /// [`Inputs::classes`] has from this archive and [`duplicates`](Self::duplicates) together.
    pub classes: u32,
    /// Resources, without those of other releases.
    pub resources: u32,
    /// Classes of this archive that one of the same name hides, listed or not.
    pub duplicates: u32,
    /// Problems, listed or not.
    pub problems: u32,
    /// Entries of the manifest's `Class-Path` that were not opened, listed or not. That one leads to no file is common
    /// and harmless.
    pub missing_class_path: u32,
}

/// A class, resource, module descriptor or jar inside an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it is.
    pub archive: ArchiveId,
    pub(crate) name: Symbol,
    pub(crate) place: u32,
}

/// Two classes of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The one that a JVM would load.
    pub kept: Entry,
    /// The one that it hides.
    pub hidden: Entry,
}

/// The content of an archive.
#[derive(Default)]
pub(crate) enum Store {
    Zip(Zip),
    Image(Image),
    Files(Files),
    /// A lone class file.
    Class(Bytes),
    #[default]
    Nothing,
}

impl Inputs {
    /// The name that a class loader would ask for: of a class its internal name in modified UTF-8, as in
    /// `com/acme/Loader`; of another file its path from the root of the class-path entry.
    pub fn name(&self, entry: &Entry) -> &[u8] {
        self.names.bytes(entry.name)
    }

    /// The whole path inside the archive, such as `BOOT-INF/classes/com/acme/Loader.class`, with what is not
    /// UTF-8 replaced. Empty for a lone class file, which is its own archive.
    pub fn path(&self, entry: &Entry) -> Cow<'_, str> {
        match self.stores.get(entry.archive) {
            Some(Store::Zip(zip)) => String::from_utf8_lossy(zip.path(entry.place as usize)),
            Some(Store::Files(files)) => Cow::Borrowed(files.path(entry.place as usize)),
            Some(Store::Image(image)) => Cow::Owned(image_path(image, entry.place)),
            Some(Store::Class(_) | Store::Nothing) | None => Cow::Borrowed(""),
        }
    }

    /// The module that the JDK keeps this entry in; nothing for other archives.
    pub fn module(&self, entry: &Entry) -> Option<&[u8]> {
        let archive = self.archives.get(entry.archive)?;
        match self.stores.get(entry.archive)? {
            Store::Image(image) => image.location(entry.place).ok().map(|location| location.module),
            Store::Zip(_) if archive.kind == Kind::Jmod => {
                let file = archive.name.rsplit(['/', '\\']).next()?;
                Some(file.strip_suffix(".jmod").unwrap_or(file).as_bytes())
            }
            _ => None,
        }
    }

    /// The bytes of an entry, without a copy where it is stored as it is.
    pub fn read(&self, entry: &Entry) -> Result<Bytes, Problem> {
        let place = entry.place as usize;
        let bytes = match self.stores.get(entry.archive) {
            Some(Store::Zip(zip)) => zip.read(place, &self.limits),
            Some(Store::Image(image)) => image.read(entry.place, &self.limits),
            Some(Store::Files(files)) => files.read(place, &self.limits),
            Some(Store::Class(bytes)) => Ok(bytes.clone()),
            Some(Store::Nothing) | None => Err(Defect::new("no such entry")),
        };
        bytes.map_err(|defect| self.problem(entry, defect))
    }

    /// What is wrong with bytes that [`read`](Self::read) gave: a zip file declares another CRC for them. Java's class
    /// loaders do not look at it, so they are to be used, and the user is to be told.
    pub fn damage(&self, entry: &Entry, bytes: &[u8]) -> Option<Problem> {
        match self.stores.get(entry.archive)? {
            Store::Zip(zip) => {
                zip.damage(entry.place as usize, bytes).map(|defect| self.problem(entry, defect))
            }
            _ => None,
        }
    }

    /// Whether the bytes of an entry are part of what is open already, so that [`read`](Self::read) takes no memory
    /// for them.
    pub fn is_mapped(&self, entry: &Entry) -> bool {
        match self.stores.get(entry.archive) {
            Some(Store::Zip(zip)) => zip.is_stored(entry.place as usize),
            Some(Store::Image(image)) => image.is_stored(entry.place),
            Some(Store::Class(_)) => true,
            Some(Store::Files(_) | Store::Nothing) | None => false,
        }
    }

    fn problem(&self, entry: &Entry, defect: Defect) -> Problem {
        Problem {
            archive: self.archives.get(entry.archive).map(|archive| archive.name.clone()).unwrap_or_default(),
            entry: Some(self.path(entry).into_owned()).filter(|path| !path.is_empty()),
            offset: defect.offset,
            message: defect.message,
        }
    }
}

fn image_path(image: &Image, place: u32) -> String {
    let Ok(location) = image.location(place) else { return String::new() };
    let mut path = vec![b'/'];
    path.extend_from_slice(location.module);
    path.push(b'/');
    location.write_name(&mut path);
    String::from_utf8_lossy(&path).into_owned()
}

impl Archive {
    /// Whether its classes win over those of other archives: a JVM asks the JDK first.
    pub(crate) fn is_platform(&self) -> bool {
        self.origin == Origin::Jdk || matches!(self.kind, Kind::Image | Kind::Jmod)
    }
}
