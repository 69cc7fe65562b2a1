//! Opening: inputs found, classes indexed, problems gathered.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use heliostat_classfile::{Malformed, mutf8};
use heliostat_index::{IdSet, IdVec};
use heliostat_input::{Archive, ArchiveId, Entry, InputError, Inputs, Jdk, Limits, Origin};
use heliostat_ir::Lowerer;
use heliostat_program::{Builder, ClassId, HierarchyProblem, Program, SourceId};

use crate::analysis::{Budget, Ended, Watch};
use crate::{Bodies, Problem, Problems, Progress, Settings, Step};

/// How many classes are read between two looks at the budget. A small program is read whatever its budget.
const BETWEEN_LOOKS: usize = 100;

/// What was opened.
pub struct Opened {
    /// The program.
    pub program: Program,
    /// Where everything was found.
    pub(crate) inputs: Inputs,
    /// What is wrong with it.
    pub problems: Problems,
    pub(crate) limits: Limits,
    pub(crate) lowerer: Lowerer,
    /// The classes whose constant pools' damage is among the problems.
    pub(crate) pools_told: IdSet<ClassId>,
    /// What a look into all bodies found.
    pub(crate) bodies: Option<Bodies>,
    /// How long it took to open.
    pub(crate) load_time: Duration,
    /// What ended the reading before all classes were read.
    pub(crate) ended: Option<Ended>,
    /// The names of the classes that were not read for that.
    unread: BTreeSet<Vec<u8>>,
    sources: IdVec<SourceId, Entry>,
}

/// The JDK that the settings lead to. Reads no class.
pub fn find_jdk(settings: &Settings) -> Result<Option<Jdk>, InputError> {
    Ok(heliostat_input::open(settings)?.jdk)
}

/// Opens everything that the settings name. Fails only if something named is not there or cannot be read.
pub fn open(settings: &Settings) -> Result<Opened, InputError> {
    open_watched(settings, &mut |_| ())
}

/// The same, telling how far it is.
pub fn open_watched(settings: &Settings, progress: &mut Progress<'_>) -> Result<Opened, InputError> {
    open_within(settings, &Budget::default(), progress)
}

/// The same within a budget: when it ends, the classes so far are the program, and [`Opened::ended`] tells.
pub fn open_within(
    settings: &Settings,
    budget: &Budget,
    progress: &mut Progress<'_>,
) -> Result<Opened, InputError> {
    let started = Instant::now();
    let limits = settings.limits;
    let inputs = heliostat_input::open(settings)?;
    let total = inputs.classes.len();
    let mut indexer = Indexer::new(&inputs, limits);
    let mut watch = Watch::new(budget);
    for (done, &entry) in inputs.classes.iter().enumerate() {
        progress(Step::Part { doing: "reading classes", done, total });
        if done % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && !watch.keep_going() {
            break;
        }
        indexer.index(entry);
    }
    let Indexer { builder, sources, problems, .. } = indexer;
    let unread = inputs.classes.iter().skip(sources.len()).map(|entry| inputs.name(entry).to_vec()).collect();
    let (program, cycles) = builder.finish();
    let mut opened = Opened {
        program,
        inputs,
        problems,
        limits,
        lowerer: Lowerer::new(),
        pools_told: IdSet::new(),
        bodies: None,
        load_time: Duration::ZERO,
        ended: watch.ended,
        unread,
        sources,
    };
    for problem in cycles {
        opened.hierarchy_problem(&problem);
    }
    opened.load_time = started.elapsed();
    Ok(opened)
}

/// Reads classes into a builder, one after the other, within limits.
struct Indexer<'a> {
    inputs: &'a Inputs,
    builder: Builder,
    sources: IdVec<SourceId, Entry>,
    problems: Problems,
    bytes_left: u64,
}

impl<'a> Indexer<'a> {
    fn new(inputs: &'a Inputs, limits: Limits) -> Self {
        Self {
            inputs,
            builder: Builder::new(),
            sources: IdVec::new(),
            problems: Problems::of_inputs(inputs, limits.listed),
            bytes_left: limits.class_bytes,
        }
    }

    fn index(&mut self, entry: Entry) {
        let source = self.sources.push(entry);
        if self.bytes_left == 0 {
            return self.tell(entry, "not read: the limit on the bytes of all classes is reached");
        }
        let bytes = match self.inputs.read(&entry) {
            Ok(bytes) => bytes,
            Err(problem) => return self.problems.push(entry.archive, || problem.into()),
        };
        // What is mapped takes no memory of its own.
        if !self.inputs.is_mapped(&entry) {
            self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
        }
        // A JDK's own files are trusted to be whole: a look at each byte of them takes time.
        if self.inputs.archives[entry.archive].origin != Origin::Jdk
            && let Some(problem) = self.inputs.damage(&entry, &bytes)
        {
            self.problems.push(entry.archive, || problem.into());
        }
        match self.builder.add(bytes, source) {
            Ok(added) => {
                for malformed in added.problems {
                    self.malformed(entry, malformed);
                }
                if added.class.is_err() {
                    self.tell(entry, "its class is defined under another path too; that one is used");
                }
            }
            Err(malformed) => self.malformed(entry, malformed),
        }
    }

    fn malformed(&mut self, entry: Entry, what: Malformed) {
        let inputs = self.inputs;
        self.problems.push(entry.archive, || {
            Problem::of_class(&inputs.archives[entry.archive].name, inputs.path(&entry).into_owned(), what)
        });
    }

    fn tell(&mut self, entry: Entry, message: &str) {
        let inputs = self.inputs;
        self.problems.push(entry.archive, || {
            let archive = &inputs.archives[entry.archive].name;
            Problem::new(archive, inputs.path(&entry).into_owned(), message.to_owned())
        });
    }
}

impl Opened {
    /// Why a class is there.
    pub fn origin(&self, class: ClassId) -> Origin {
        self.archive(class).origin
    }

    /// The archive and the path in it where a class was found.
    pub fn place(&self, class: ClassId) -> (&str, String) {
        let entry = self.entry(class);
        (&self.inputs.archives[entry.archive].name, self.inputs.path(&entry).into_owned())
    }

    /// The classes that are not the JDK's, sorted by name: each with the CRC-32 of its bytes, whether it is of the inputs, and its
    /// archive.
    pub fn checksums(&self) -> Vec<(String, u32, bool, &str)> {
        let classes = self.program.classes().iter().filter(|&(id, _)| self.origin(id) != Origin::Jdk);
        let mut all: Vec<_> = classes
            .map(|(id, class)| {
                let checksum = crc32fast::hash(&class.bytes);
                (self.program.class_name(id), checksum, self.is_input(id), self.archive(id).name.as_str())
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// What ended the reading before all classes were read, if anything did.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// Whether there is a class of a name that was not read because something ended the reading before: it is not missing.
    pub(crate) fn is_unread(&self, name: &str) -> bool {
        !self.unread.is_empty() && self.unread.contains(&*mutf8::encode(name))
    }

    /// What is wrong with the class of a name, if there is one and it could not be read.
    pub(crate) fn why_unreadable(&self, name: &str) -> Option<String> {
        let encoded = mutf8::encode(name);
        let entry = self.inputs.classes.iter().find(|entry| self.inputs.name(entry) == encoded)?;
        let (archive, path) = (&self.inputs.archives[entry.archive].name, self.inputs.path(entry));
        if self.is_unread(name) {
            return Some(format!("{archive}!/{path}: not read before the end"));
        }
        let is_of =
            |problem: &&Problem| problem.archive == *archive && problem.entry.as_deref() == Some(&path);
        let problem = self.problems.listed().iter().rfind(is_of);
        Some(problem.map_or_else(|| format!("{archive}!/{path}"), ToString::to_string))
    }

    /// The JDK in use.
    pub fn jdk(&self) -> Option<&Jdk> {
        self.inputs.jdk.as_ref()
    }

    /// All archives, in class-path order.
    pub fn archives(&self) -> impl Iterator<Item = &Archive> {
        self.inputs.archives.values()
    }

    /// Jars inside archives that are not on the class path, hence not read: the archive and the path in it.
    pub fn unread_jars(&self) -> impl Iterator<Item = (&Archive, String)> {
        let jars = self.inputs.unread_jars.iter();
        jars.map(|jar| (&self.inputs.archives[jar.archive], self.inputs.path(jar).into_owned()))
    }

    pub(crate) fn archive(&self, class: ClassId) -> &Archive {
        &self.inputs.archives[self.archive_id(class)]
    }

    pub(crate) fn archive_id(&self, class: ClassId) -> ArchiveId {
        self.entry(class).archive
    }

    /// All entries that were to be read as classes.
    pub(crate) fn sources(&self) -> &IdVec<SourceId, Entry> {
        &self.sources
    }

    fn entry(&self, class: ClassId) -> Entry {
        self.sources[self.program.classes()[class].source]
    }

    /// Adds a problem of a class.
    pub(crate) fn tell(&mut self, class: ClassId, describe: impl FnOnce(&Program, &str, String) -> Problem) {
        let Self { program, inputs, problems, sources, .. } = self;
        let entry = sources[program.classes()[class].source];
        problems.push(entry.archive, || {
            describe(program, &inputs.archives[entry.archive].name, inputs.path(&entry).into_owned())
        });
    }

    fn hierarchy_problem(&mut self, problem: &HierarchyProblem) {
        let (class, message) = match *problem {
            HierarchyProblem::Cycle { class, parent } => {
                let parent = self.program.class_name(parent);
                (class, format!("the class is its own ancestor through {parent}; that link is disregarded"))
            }
            HierarchyProblem::TooDeep(class) => {
                (class, "too many superclasses; the one that it names is disregarded".to_owned())
            }
            HierarchyProblem::TooManyInterfaces(class) => {
                (class, "too many superinterfaces; all of this class's are disregarded".to_owned())
            }
        };
        self.tell(class, |_, archive, entry| Problem::new(archive, entry, message));
    }
}
