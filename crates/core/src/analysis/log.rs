//! What a log of real runs says, in terms of the program: its names may mean nothing here.

use heliostat_index::{FastSet, Ids};
use heliostat_program::{ClassId, FieldId, MethodId, Program, TypeId, TypeKind};
use heliostat_pta::facts::Facts;
use heliostat_pta::{At, Done, LoggedCall, ReflectionLog};
use heliostat_trace::annotations::Annotation;
use heliostat_trace::tamiflex::{Entry, Kind};
use heliostat_trace::{Api, Method, Target};
use serde::Serialize;

/// What came of the entries of a log, or of annotations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LogUse {
    /// How many are of a call in reached code.
    pub used: u64,
    /// How many are not, although the program has their names: their method is not reached, or a log's has no such call at that line.
    pub unused: u64,
    /// How many have names that the program does not have, or none, or are of calls that their methods do not have.
    pub unknown: u64,
    /// How many are of kinds that say nothing here, as look-ups are.
    pub others: u64,
}

/// An entry of a log, or an annotation, of which nothing came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnusedEntry {
    /// Which of the entries that were given.
    pub index: usize,
    /// Why.
    pub why: Unused,
}

/// Why nothing came of an entry of a log, or of an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unused {
    /// Its method is not reached, or has no such call at that line.
    Unreached,
    /// It has names that the program does not have, or none.
    Unknown,
    /// Its kind says nothing here, as that of look-ups.
    Other,
    /// The method that an annotation names has fewer calls of this kind.
    NoCall,
}

/// The entries of a log in terms of the program.
#[derive(Debug, Default)]
pub struct ResolvedLog {
    /// Of each entry, the calls it may mean, since a log does not tell methods of one name apart; or why it means none.
    entries: Vec<Result<Vec<LoggedCall>, Unused>>,
}

impl ResolvedLog {
    /// Finds what the entries of a log mean in the program.
    pub fn new(program: &mut Program, entries: &[Entry]) -> Self {
        let resolve = |entry: &Entry| {
            if acts(&entry.kind) { calls(program, entry).ok_or(Unused::Unknown) } else { Err(Unused::Other) }
        };
        Self { entries: entries.iter().map(resolve).collect() }
    }

    /// Finds which calls annotations mean in the program.
    pub(super) fn of_annotations(program: &mut Program, annotations: &[Annotation]) -> Self {
        let calls = |annotation| super::annotations::calls(program, annotation);
        Self { entries: annotations.iter().map(calls).collect() }
    }

    /// How many entries have names that the program does not have, or none.
    pub fn unknown(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Err(Unused::Unknown))).count()
    }

    /// What the analysis is to know of it.
    pub fn log(&self) -> ReflectionLog {
        let mut log = ReflectionLog::default();
        self.add_to(&mut log);
        log
    }

    /// Adds to what the analysis is to know.
    pub(super) fn add_to(&self, log: &mut ReflectionLog) {
        self.entries.iter().flatten().flatten().for_each(|&call| log.add(call));
    }

    /// The entries of which nothing came in an analysis.
    pub(super) fn unused(&self, facts: &Facts) -> Vec<UnusedEntry> {
        let taken: FastSet<LoggedCall> = facts.logged().iter().map(|logged| logged.call).collect();
        let why = |entry: &Result<Vec<LoggedCall>, Unused>| match entry {
            Ok(calls) if calls.iter().any(|call| taken.contains(call)) => None,
            Ok(_) => Some(Unused::Unreached),
            Err(why) => Some(*why),
        };
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(index, entry)| Some(UnusedEntry { index, why: why(entry)? })).collect()
    }

    /// What came of it, by the entries of which nothing did.
    pub(super) fn count(&self, unused: &[UnusedEntry]) -> LogUse {
        let count = |why| unused.iter().filter(|entry| entry.why == why).count() as u64;
        LogUse {
            used: (self.entries.len() - unused.len()) as u64,
            unused: count(Unused::Unreached),
            unknown: count(Unused::Unknown) + count(Unused::NoCall),
            others: count(Unused::Other),
        }
    }
}

/// The calls that an entry may mean; none if the program lacks a name.
fn calls(program: &mut Program, entry: &Entry) -> Option<Vec<LoggedCall>> {
    let callers = methods(program, entry.caller.as_ref()?);
    let Kind::Known(api) = entry.kind else { return None };
    let done = done(program, api, &entry.target)?;
    let line = entry.line.and_then(|line| u16::try_from(line).ok());
    let at = line.map_or(At::Any, At::Line);
    let calls = callers.into_iter().map(|caller| LoggedCall { caller, at, done }).collect::<Vec<_>>();
    (!calls.is_empty()).then_some(calls)
}

/// Whether it calls, makes, reads or writes something.
fn acts(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Known(
            Api::ForName
                | Api::LoadClass
                | Api::ClassNewInstance
                | Api::ConstructorNewInstance
                | Api::MethodInvoke
                | Api::FieldGet
                | Api::FieldSet
                | Api::ArrayNewInstance
        )
    )
}

/// What a call did, in terms of the program.
pub(super) fn done(program: &mut Program, api: Api, target: &Target) -> Option<Done> {
    Some(match (api, target) {
        (Api::ForName | Api::LoadClass, Target::Classes(types)) => {
            Done::Loaded(find_type(program, types.first()?)?)
        }
        (Api::ClassNewInstance, Target::Classes(types)) => {
            let ty = find_type(program, types.first()?)?;
            Done::Made(program.class_of(ty)?)
        }
        (Api::ArrayNewInstance, Target::Classes(types)) => {
            let ty = find_type(program, types.first()?)?;
            program.types.element(ty)?;
            Done::MadeArray(ty)
        }
        (Api::ConstructorNewInstance, Target::Method(method)) => {
            Done::Constructed(find_method(program, method).filter(|&m| program.is_constructor(m))?)
        }
        (Api::MethodInvoke, Target::Method(method)) => {
            Done::Invoked(find_method(program, method).filter(|&m| !program.is_constructor(m))?)
        }
        (Api::FieldGet, Target::Field { class, name, descriptor }) => {
            Done::Got(find_field(program, class, name, descriptor)?)
        }
        (Api::FieldSet, Target::Field { class, name, descriptor }) => {
            Done::Set(find_field(program, class, name, descriptor)?)
        }
        _ => return None,
    })
}

/// The methods of this name that a class declares.
pub(super) fn methods(program: &Program, (class, name): &(String, String)) -> Vec<MethodId> {
    let Some(class) = program.find_class(class) else { return Vec::new() };
    let methods = Ids::between(program.classes()[class].methods.clone());
    let is_named = |method: &MethodId| {
        let selector = program.selector(program.methods()[*method].selector);
        program.symbols.bytes(selector.name) == name.as_bytes()
    };
    methods.filter(is_named).collect()
}

/// The type of a descriptor: a class of the program, or any array.
fn find_type(program: &mut Program, descriptor: &str) -> Option<TypeId> {
    if descriptor.starts_with('[') {
        return Some(program.intern_type(descriptor.as_bytes()));
    }
    let name = descriptor.strip_prefix('L')?.strip_suffix(';')?;
    let class: ClassId = program.find_class(name)?;
    Some(program.classes()[class].ty)
}

fn find_method(program: &Program, method: &Method) -> Option<MethodId> {
    let class = program.find_class(&method.class)?;
    program.declared_method(class, program.find_selector(&method.name, &method.descriptor)?)
}

/// A class may have several fields of one name, each with another type.
fn find_field(program: &Program, class: &str, name: &str, descriptor: &str) -> Option<FieldId> {
    let class = program.find_class(class)?;
    let mut fields = Ids::between(program.classes()[class].fields.clone());
    fields.find(|&field: &FieldId| {
        let data = program.fields()[field];
        program.symbols.bytes(data.name) == name.as_bytes() && is_type(program, data.ty, descriptor)
    })
}

/// Whether a descriptor is that of a type.
fn is_type(program: &Program, ty: TypeId, descriptor: &str) -> bool {
    let name = match program.types.kind(ty) {
        TypeKind::Class(_) => descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')),
        TypeKind::Basic | TypeKind::Array(_) => Some(descriptor),
    };
    name.is_some_and(|name| program.symbols.bytes(program.types.name(ty)) == name.as_bytes())
}
