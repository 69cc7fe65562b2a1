//! Opens what is on the class path, in its order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use bytes::Bytes;
use heliostat_index::FastSet;

use crate::catalog::Catalog;
use crate::class_path::{self, Spec};
use crate::directory::Files;
use crate::format::{Format, JMOD_MAGIC};
use crate::inputs::Store;
use crate::listing::{list_class, list_files, list_image, list_zip, read_zip_manifest};
use crate::problem::Defect;
use crate::zip::Zip;
use crate::{
    Archive, ArchiveId, Counts, InputError, Inputs, JdkChoice, Kind, Limits, MemoryFile, Origin, Problem,
    Request,
};
use crate::{file, jdk};

/// Opens what the request names. Fails only if something the user named himself cannot be used at all;
/// whatever else is wrong is in [`Inputs::problems`].
pub fn open(request: &Request) -> Result<Inputs, InputError> {
    let (found, problems) = jdk::choose(&request.jdk, &request.environment)?;
    let inputs = class_path::expand_inputs(&request.inputs)?;
    let class_path = class_path::expand_class_paths(&request.class_path)?;
    let (jdk, jdk_archives) = found.map(|found| (found.jdk, found.archives)).unzip();
    let mut loader = Loader {
        catalog: Catalog::new(request.limits, problems),
        limits: request.limits,
        release: jdk.as_ref().and_then(|jdk| jdk.feature).unwrap_or(u16::MAX),
        named: inputs.iter().filter_map(|spec| fs::canonicalize(&spec.path).ok()).collect(),
        seen: FastSet::default(),
        nested_left: request.limits.nested_bytes,
        jobs: Vec::new(),
    };
    loader.run(inputs, Origin::Input)?;
    for MemoryFile { name, bytes } in &request.memory {
        loader.open_file(None, bytes.clone(), empty_archive(name.clone(), Origin::Input, None));
        loader.finish_jobs()?;
    }
    loader.run(class_path, Origin::ClassPath)?;
    // A JDK that is itself the input needs no other behind it, unless the user says so.
    if request.jdk == JdkChoice::Auto && loader.catalog.has_platform() {
        return Ok(loader.catalog.finish());
    }
    let required = matches!(request.jdk, JdkChoice::Home(_));
    let jdk_archives = jdk_archives.into_iter().flatten().map(|path| Spec { path, required });
    loader.run(jdk_archives.collect(), Origin::Jdk)?;
    Ok(Inputs { jdk, ..loader.catalog.finish() })
}

struct Loader {
    catalog: Catalog,
    limits: Limits,
    /// The feature version by which multi-release jars choose.
    release: u16,
    /// What the user named as input, resolved: it stays an input if a manifest leads to it first.
    named: FastSet<PathBuf>,
    /// What was opened, resolved: nothing is opened twice.
    seen: FastSet<PathBuf>,
    /// How many bytes nested jars may still be inflated to.
    nested_left: u64,
    /// A stack, not recursion: a chain of manifests may be long.
    jobs: Vec<Job>,
}

/// Something to open.
enum Job {
    File { spec: Spec, origin: Origin, parent: Option<ArchiveId> },
    Nested { outer: ArchiveId, place: u32, depth: u32 },
}

impl Loader {
    fn run(&mut self, specs: Vec<Spec>, origin: Origin) -> Result<(), InputError> {
        for spec in specs {
            self.jobs.push(Job::File { spec, origin, parent: None });
            self.finish_jobs()?;
        }
        Ok(())
    }

    fn finish_jobs(&mut self) -> Result<(), InputError> {
        while let Some(job) = self.jobs.pop() {
            match job {
                Job::File { spec, origin, parent } => self.open_spec(spec, origin, parent)?,
                Job::Nested { outer, place, depth } => self.open_nested(outer, place, depth),
            }
        }
        Ok(())
    }

    /// Opens a file or directory, which may be missing if a tool listed it.
    fn open_spec(&mut self, spec: Spec, origin: Origin, parent: Option<ArchiveId>) -> Result<(), InputError> {
        let Err(source) = self.open_path(&spec.path, origin, parent) else { return Ok(()) };
        if spec.required {
            return Err(InputError::Unreadable { path: spec.path, source });
        }
        self.catalog.general_problem(Problem {
            archive: spec.path.display().to_string(),
            entry: None,
            offset: None,
            message: format!("cannot be read: {source}"),
        });
        Ok(())
    }

    fn open_path(&mut self, path: &Path, origin: Origin, parent: Option<ArchiveId>) -> io::Result<()> {
        let real = fs::canonicalize(path)?;
        let origin = if self.named.contains(&real) { Origin::Input } else { origin };
        if !self.seen.insert(real) {
            return Ok(());
        }
        let archive = empty_archive(path.display().to_string(), origin, parent);
        if path.is_dir() {
            if origin == Origin::Input
                && let Some(archives) = jdk::archives_of(path)
            {
                let specs = archives.into_iter().rev().map(|path| Spec { path, required: true });
                self.jobs.extend(specs.map(|spec| Job::File { spec, origin, parent: None }));
                return Ok(());
            }
            return self.open_directory(path, archive);
        }
        self.open_file(path.parent(), file::map(path)?, archive);
        Ok(())
    }

    fn open_directory(&mut self, root: &Path, archive: Archive) -> io::Result<()> {
        let (files, flaws) = Files::below(root, self.catalog.entries_left())?;
        self.catalog.spend_entries(files.len());
        let origin = archive.origin;
        let id = self.catalog.add(Archive { kind: Kind::Directory, ..archive });
        for (path, defect) in flaws {
            self.catalog.problem(id, Some(path.as_bytes()), defect);
        }
        let listing = list_files(&mut self.catalog, id, &files, &self.limits);
        self.jobs.extend(listing.jars.iter().rev().map(|&jar| {
            let spec = Spec { path: files.location(jar as usize), required: false };
            Job::File { spec, origin, parent: Some(id) }
        }));
        self.catalog.close(id, Store::Files(files), &listing);
        Ok(())
    }

    /// Opens the content of a file, given the folder that holds it, if any does.
    fn open_file(&mut self, folder: Option<&Path>, bytes: Bytes, archive: Archive) {
        let format = Format::of(&bytes);
        let kind = match format {
            Format::Class => Kind::ClassFile,
            Format::Image => Kind::Image,
            Format::Jmod => Kind::Jmod,
            Format::Zip | Format::Empty | Format::Other => Kind::Jar,
        };
        let id = self.catalog.add(Archive { kind, ..archive });
        match format {
            Format::Class => list_class(&mut self.catalog, id, &bytes),
            Format::Image => list_image(&mut self.catalog, id, bytes),
            Format::Jmod => self.open_zip(id, &bytes.slice(JMOD_MAGIC.len()..), 0, None),
            Format::Zip | Format::Empty | Format::Other => self.open_zip(id, &bytes, 0, folder),
        }
    }

    /// Opens a jar inside a jar; what prevents it is a problem of the outer one.
    fn open_nested(&mut self, outer: ArchiveId, place: u32, depth: u32) {
        let Some(Store::Zip(zip)) = self.catalog.store(outer) else { return };
        let entry = place as usize;
        let path = zip.path(entry).to_vec();
        let limits = Limits { entry_bytes: self.nested_left, ..self.limits };
        let opened = if depth > self.limits.nesting {
            Err(Defect::new(format!("lies more than {} jars deep", self.limits.nesting)))
        } else {
            zip.read(entry, &limits)
        };
        let size = zip.unpacked_size(entry);
        match opened {
            Ok(bytes) => {
                self.nested_left = self.nested_left.saturating_sub(size);
                let Archive { name, origin, .. } = self.catalog.archive(outer);
                let name = format!("{name}!/{}", String::from_utf8_lossy(&path));
                let archive = empty_archive(name, *origin, Some(outer));
                let id = self.catalog.add(Archive { kind: Kind::Jar, ..archive });
                self.open_zip(id, &bytes, depth, None);
            }
            Err(defect) => self.catalog.problem(outer, Some(&path), defect),
        }
    }

    /// Lists a zip file, and queues the jars in it and then, given the folder that holds it, those that its
    /// manifest's `Class-Path` names.
    fn open_zip(&mut self, id: ArchiveId, bytes: &Bytes, depth: u32, folder: Option<&Path>) {
        let format = Format::of(bytes);
        let (zip, defect) = match Zip::open(bytes, self.catalog.entries_left(), &self.limits) {
            Ok(opened) => opened,
            Err(defect) => return self.not_a_zip(id, format, defect),
        };
        self.catalog.spend_entries(zip.len());
        if let Some(defect) = defect {
            self.catalog.problem(id, None, defect);
        }
        let class_path = read_zip_manifest(&mut self.catalog, id, &zip, &self.limits);
        if let Some(folder) = folder {
            self.follow_class_path(id, folder, &class_path);
        }
        let listing = list_zip(&mut self.catalog, id, &zip, self.release);
        let nested = listing.jars.iter().rev();
        self.jobs.extend(nested.map(|&place| Job::Nested { outer: id, place, depth: depth + 1 }));
        self.catalog.close(id, Store::Zip(zip), &listing);
    }

    fn not_a_zip(&mut self, id: ArchiveId, format: Format, defect: Defect) {
        let mut defect = defect;
        if format != Format::Zip && self.catalog.archive(id).kind == Kind::Jar {
            self.catalog.archive_mut(id).kind = Kind::Unknown;
            defect = Defect::new(match format {
                Format::Empty => "the file is empty",
                _ => "neither a class file nor a zip file, a .jmod or a modules image",
            });
        }
        self.catalog.problem(id, None, defect);
    }

    /// Queues the jars of a `Class-Path`. The JDK's own manifests name nothing that is not there anyway.
    fn follow_class_path(&mut self, id: ArchiveId, folder: &Path, class_path: &[String]) {
        if self.catalog.archive(id).origin == Origin::Jdk {
            return;
        }
        let first = self.jobs.len();
        for url in class_path {
            match class_path::follow(folder, url) {
                Ok(path) => {
                    let spec = Spec { path, required: false };
                    self.jobs.push(Job::File { spec, origin: Origin::ClassPath, parent: None });
                }
                Err(what) => self.catalog.missing_class_path(id, what),
            }
        }
        // The last job is the next to be done.
        self.jobs.get_mut(first..).unwrap_or_default().reverse();
    }
}

fn empty_archive(name: String, origin: Origin, parent: Option<ArchiveId>) -> Archive {
    Archive {
        name,
        kind: Kind::Unknown,
        origin,
        parent,
        main_class: None,
        start_class: None,
        multi_release: false,
        counts: Counts::default(),
        hidden_by: BTreeMap::new(),
        missing_class_path: Vec::new(),
    }
}
