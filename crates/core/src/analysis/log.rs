//! What a log of real runs says, in terms of the program: its names may mean nothing here.

use heliostat_index::Ids;
use heliostat_program::{ClassId, FieldId, MethodId, Program, TypeId};
use heliostat_pta::{Done, ReflectionLog};
use heliostat_trace::tamiflex::{Entry, Kind};
use heliostat_trace::{Api, Method, Target};
use serde::Serialize;

/// How much of a log there is in the program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LogUse {
    /// How many entries are used.
    pub used: u64,
    /// How many have names that the program does not have.
    pub unknown: u64,
    /// How many say nothing that calls or makes anything, as look-ups do.
    pub others: u64,
}

/// Finds what the entries of a log mean in the program.
pub(super) fn resolve(program: &mut Program, entries: &[Entry]) -> (ReflectionLog, LogUse) {
    let mut log = ReflectionLog::default();
    let mut told = LogUse::default();
    for entry in entries {
        if !acts(&entry.kind) {
            told.others += 1;
            continue;
        }
        let callers = entry.caller.as_ref().map_or(Vec::new(), |caller| methods(program, caller));
        match done(program, entry) {
            Some(done) if !callers.is_empty() => {
                told.used += 1;
                let line = entry.line.and_then(|line| u16::try_from(line).ok());
                for caller in callers {
                    log.add(caller, line, done);
                }
            }
            _ => told.unknown += 1,
        }
    }
    (log, told)
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

fn done(program: &mut Program, entry: &Entry) -> Option<Done> {
    let Kind::Known(api) = entry.kind else { return None };
    Some(match (api, &entry.target) {
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
            Done::Constructed(find_method(program, method)?)
        }
        (Api::MethodInvoke, Target::Method(method)) => Done::Invoked(find_method(program, method)?),
        (Api::FieldGet, Target::Field { class, name, .. }) => Done::Got(find_field(program, class, name)?),
        (Api::FieldSet, Target::Field { class, name, .. }) => Done::Set(find_field(program, class, name)?),
        _ => return None,
    })
}

/// The methods of this name that a class declares.
fn methods(program: &Program, (class, name): &(String, String)) -> Vec<MethodId> {
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

fn find_field(program: &Program, class: &str, name: &str) -> Option<FieldId> {
    let class = program.find_class(class)?;
    let mut fields = Ids::between(program.classes()[class].fields.clone());
    fields.find(|&field: &FieldId| program.symbols.bytes(program.fields()[field].name) == name.as_bytes())
}
