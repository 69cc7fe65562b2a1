//! Opening: inputs found, classes indexed, problems gathered.

use std::ffi::OsString;

use heliostat_classfile::Malformed;
use heliostat_index::IdVec;
use heliostat_input::{
    Archive, Entry, Environment, InputError, Inputs, JdkChoice, Limits, MemoryFile, Request,
};
use heliostat_ir::Lowerer;
use heliostat_program::{Builder, ClassId, HierarchyProblem, Program, SourceId};

use crate::problem::ProblemList;
use crate::{Problem, Progress, Step};

/// What to open.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The programs to analyse: jars, directories, classes, images, `@file`s.
    pub inputs: Vec<OsString>,
    /// More programs to analyse, which lie in memory.
    pub memory: Vec<MemoryFile>,
    /// The libraries they need.
    pub class_path: Vec<OsString>,
    /// The JDK they run on.
    pub jdk: JdkChoice,
    /// Where to look for a JDK.
    pub environment: Environment,
    /// Bounds against hostile archives.
    pub limits: Limits,
}

/// What was opened.
pub struct Opened {
    /// The program.
    pub program: Program,
    /// Where everything was found.
    pub inputs: Inputs,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    pub(crate) lowerer: Lowerer,
    sources: IdVec<SourceId, Entry>,
}

/// Opens everything that the settings name. Fails only if something named is not there or cannot be read.
pub fn open(settings: &Settings) -> Result<Opened, InputError> {
    open_watched(settings, &mut |_| ())
}

/// The same, telling how far it is.
pub fn open_watched(settings: &Settings, progress: &mut Progress<'_>) -> Result<Opened, InputError> {
    let inputs = heliostat_input::open(&Request {
        inputs: settings.inputs.clone(),
        memory: settings.memory.clone(),
        class_path: settings.class_path.clone(),
        jdk: settings.jdk.clone(),
        environment: settings.environment.clone(),
        limits: settings.limits,
    })?;
    let total = inputs.classes.len();
    let mut indexer = Indexer::new(&inputs, settings.limits);
    for (done, &entry) in inputs.classes.iter().enumerate() {
        progress(Step { doing: "reading classes", done, total });
        indexer.index(entry);
    }
    let Indexer { builder, sources, problems, .. } = indexer;
    let problems = problems.finish(&inputs);
    let (program, cycles) = builder.finish();
    let mut opened = Opened { program, inputs, problems, lowerer: Lowerer::new(), sources };
    for problem in cycles {
        let problem = opened.hierarchy_problem(problem);
        opened.problems.push(problem);
    }
    Ok(opened)
}

/// Reads classes into a builder, one after the other, within limits.
struct Indexer<'a> {
    inputs: &'a Inputs,
    builder: Builder,
    sources: IdVec<SourceId, Entry>,
    problems: ProblemList,
    bytes_left: u64,
}

impl<'a> Indexer<'a> {
    fn new(inputs: &'a Inputs, limits: Limits) -> Self {
        Self {
            inputs,
            builder: Builder::new(),
            sources: IdVec::new(),
            problems: ProblemList::new(inputs.problems.iter().map(Problem::from).collect(), limits.listed),
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
            Err(problem) => return self.problems.push(entry.archive, || Problem::from(&problem)),
        };
        self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
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
        self.problems.push(entry.archive, || Problem {
            archive: inputs.archives[entry.archive].name.clone(),
            entry: Some(inputs.path(&entry).into_owned()),
            method: None,
            offset: None,
            message: message.to_owned(),
        });
    }
}

impl Opened {
    /// Where a class was found.
    pub fn entry(&self, class: ClassId) -> Entry {
        self.sources[self.program.classes()[class].source]
    }

    /// The archive that a class was found in.
    pub fn archive(&self, class: ClassId) -> &Archive {
        &self.inputs.archives[self.entry(class).archive]
    }

    /// The archive and the path in it where a class was found.
    pub fn place(&self, class: ClassId) -> (&str, String) {
        let entry = self.entry(class);
        (&self.inputs.archives[entry.archive].name, self.inputs.path(&entry).into_owned())
    }

    fn hierarchy_problem(&self, problem: HierarchyProblem) -> Problem {
        let (class, message) = match problem {
            HierarchyProblem::Cycle { class, parent } => {
                let parent = self.program.class_name(parent);
                (class, format!("the class is its own ancestor through {parent}; that link is disregarded"))
            }
            HierarchyProblem::TooLarge(class) => (
                class,
                "too many superclasses or superinterfaces; those of this class are disregarded".to_owned(),
            ),
        };
        let (archive, entry) = self.place(class);
        Problem { archive: archive.to_owned(), entry: Some(entry), method: None, offset: None, message }
    }
}
