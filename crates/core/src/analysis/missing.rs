//! Classes that are missing: which, who refers to them, and what is lost for want of them in reached code.

use std::collections::BTreeMap;

use heliostat_classfile::Insn;
use heliostat_index::IdSet;
use heliostat_program::{
    ClassId, FieldRefId, Linked, MethodId, MissingWhat, PoolEntry, Program, Resolution, TypeId,
};
use heliostat_pta::Solution;
use heliostat_pta::facts::Facts;
use serde::Serialize;

use super::Unresolved;
use super::place::{Place, code};
use crate::Opened;

/// A class that is referred to and not there. What reached code does with it is lost, each place in the gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MissingClass {
    /// Its internal name.
    pub class: String,
    /// How many classes of the inputs refer to it.
    pub referring_classes: u64,
    /// Reached calls of its methods.
    pub calls: u64,
    /// Reached places where an object of it would be made.
    pub allocations: u64,
    /// Reached reads and writes of its fields.
    pub fields: u64,
    /// Where else reached code names it: casts, type tests, arrays, class constants, exceptions that are caught; and the classes of
    /// reached code, and what is above them, that extend or implement it. Of these, `Object` decides nothing.
    pub others: u64,
}

impl MissingClass {
    /// How often reached code uses it. Descriptors that name it are no use of it.
    pub fn uses(&self) -> u64 {
        self.calls + self.allocations + self.fields + self.others
    }
}

/// Something lost in reached code, other than a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Lost {
    /// Where.
    pub place: Place,
    /// The class or the field.
    pub what: String,
    /// The class that is missing.
    pub missing_class: String,
}

/// What is lost in reached code for want of classes, in the order of places. Classes that were not read are among them.
#[derive(Debug, Clone, Default)]
pub(super) struct Losses {
    pub(super) allocations: Vec<Lost>,
    pub(super) fields: Vec<Lost>,
    /// The missing classes that are named otherwise or are above reached classes, each as often as that happens.
    others: Vec<TypeId>,
}

/// Looks at every instruction of reached methods whose classes refer to missing ones, and at what those classes are below.
pub(super) fn losses(program: &Program, solution: &Solution) -> Losses {
    let mut losses = Losses::default();
    let mut looked_at: IdSet<ClassId> = IdSet::new();
    let mut last: Option<(ClassId, bool)> = None;
    for method in solution.methods() {
        let class = program.methods()[method].class;
        let refers = match last {
            Some((same, refers)) if same == class => refers,
            _ => {
                let ancestors = ancestors(program, class).filter(|&class| looked_at.insert(class));
                losses.others.extend(ancestors.flat_map(|class| missing_parents(program, class)));
                program.linked(class).is_some_and(|linked| may_lose(program, linked))
            }
        };
        last = Some((class, refers));
        if refers && !solution.facts.is_modelled(Facts::code(method)) {
            losses.add(program, method);
        }
    }
    losses.allocations.sort_unstable();
    losses.fields.sort_unstable();
    losses
}

/// A class, and all above it that are there.
fn ancestors(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
    program.super_classes(class).chain(program.super_interfaces(class).iter().copied())
}

/// The missing classes that a class extends or implements itself: they decide casts and calls. Everything is an `Object` without it.
fn missing_parents(program: &Program, class: ClassId) -> impl Iterator<Item = TypeId> + '_ {
    let above = program.classes()[class].super_type.expand().into_iter();
    let all = above.chain(program.declared_interfaces(class).iter().copied());
    all.filter(|&ty| ty != TypeId::OBJECT && program.types.is_missing(ty))
}

/// Whether a constant pool names a class or a field that may be lost.
fn may_lose(program: &Program, linked: &Linked) -> bool {
    linked.entries().iter().any(|&entry| match entry {
        PoolEntry::Constant(heliostat_program::Constant::Class(ty)) => missing_in(program, ty).is_some(),
        PoolEntry::Field(reference) => {
            let owner = program.field_ref(reference).owner;
            program.class_of(owner).is_none_or(|class| program.is_incomplete(class))
        }
        _ => false,
    })
}

/// The missing class that a type is, or an array of it is.
fn missing_in(program: &Program, ty: TypeId) -> Option<TypeId> {
    let innermost = std::iter::successors(Some(ty), |&ty| program.types.element(ty)).last();
    innermost.filter(|&ty| program.types.is_missing(ty))
}

impl Losses {
    fn add(&mut self, program: &Program, method: MethodId) {
        let class = program.methods()[method].class;
        let (Some((code, _)), Some(linked)) = (code(program, method), program.linked(class)) else { return };
        let named = |index| linked.class(index).and_then(|ty| missing_in(program, ty));
        self.others.extend(code.handlers.iter().filter_map(|handler| named(handler.catch_type)));
        let mut offset = 0;
        while let Ok((insn, next)) = code.instructions.at(offset) {
            let lost = |what, missing| Lost {
                place: Place::new(program, method, offset),
                what,
                missing_class: program.type_name(missing),
            };
            match insn {
                Insn::New(index) => {
                    let missing = linked.class(index).filter(|&ty| program.types.is_missing(ty));
                    self.allocations.extend(missing.map(|ty| lost(program.type_name(ty), ty)));
                }
                Insn::GetField(index)
                | Insn::PutField(index)
                | Insn::GetStatic(index)
                | Insn::PutStatic(index) => {
                    let missing = missing_field(program, linked, index, class);
                    self.fields.extend(missing.map(|(field, ty)| lost(program.field_ref_name(field), ty)));
                }
                Insn::CheckCast(index)
                | Insn::InstanceOf(index)
                | Insn::NewArray(index)
                | Insn::MultiNewArray(index, _)
                | Insn::LoadConstant(index) => self.others.extend(named(index)),
                _ => {}
            }
            offset = next;
        }
    }
}

/// The field at a pool index and the class for want of which it is not found.
fn missing_field(
    program: &Program,
    linked: &Linked,
    index: u16,
    from: ClassId,
) -> Option<(FieldRefId, TypeId)> {
    let PoolEntry::Field(reference) = linked.entry(index) else { return None };
    match program.resolve_field(program.field_ref(reference), from) {
        Resolution::MissingClass(ty) => Some((reference, ty)),
        _ => None,
    }
}

/// All missing classes that the inputs refer to or reached code uses, by name. Links all classes of the inputs for a while.
pub(super) fn classes(opened: &mut Opened, calls: &[Unresolved], losses: &Losses) -> Vec<MissingClass> {
    let mut found: BTreeMap<String, MissingClass> = BTreeMap::new();
    let inputs: Vec<ClassId> = opened.input_classes().iter().collect();
    for class in inputs {
        let was_linked = opened.program.linked(class).is_some();
        for missing in opened.program.missing_from(class) {
            if let MissingWhat::Class(ty) = missing.what {
                found.entry(opened.program.type_name(ty)).or_default().referring_classes += 1;
            }
        }
        if !was_linked {
            opened.program.unlink(class);
        }
    }
    for name in calls.iter().filter_map(|call| call.missing_class.as_ref()) {
        found.entry(name.clone()).or_default().calls += 1;
    }
    for lost in &losses.allocations {
        found.entry(lost.missing_class.clone()).or_default().allocations += 1;
    }
    for lost in &losses.fields {
        found.entry(lost.missing_class.clone()).or_default().fields += 1;
    }
    for &ty in &losses.others {
        found.entry(opened.program.type_name(ty)).or_default().others += 1;
    }
    found.into_iter().map(|(class, missing)| MissingClass { class, ..missing }).collect()
}

#[cfg(test)]
mod tests {
    use crate::analysis::EntryChoice;
    use crate::{AnalysisSettings, MemoryFile, Settings, analyse, open};

    #[test]
    fn what_is_above_reached_classes_is_used() {
        // The jar without its interface, which is no class by this name.
        let (class, other) = (b"demo/Greeter.class", b"demo/Greeter.other");
        let mut jar = include_bytes!("../../../heliostat/demo/demo.jar").to_vec();
        while let Some(at) = jar.windows(class.len()).position(|name| name == class) {
            jar[at..at + class.len()].copy_from_slice(other);
        }
        let memory = vec![MemoryFile { name: "demo.jar".to_owned(), bytes: jar.into() }];
        let settings = Settings { memory, ..Settings::default() };
        let others = |entry: &str| {
            let mut opened = open(&settings).unwrap();
            let entries = vec![EntryChoice::Methods(entry.to_owned())];
            let settings = AnalysisSettings { entries, ..AnalysisSettings::default() };
            let gaps = analyse(&mut opened, &settings, &mut |_| ()).unwrap().gaps;
            ["demo/Greeter", "java/lang/Object"].map(|name| {
                gaps.missing_classes.iter().find(|missing| missing.class == name).map(|found| found.others)
            })
        };
        assert_eq!(others("EnglishGreeter.<init>"), [Some(1), Some(0)]);
        assert_eq!(others("*Greeter.<init>"), [Some(2), Some(0)]);
        assert_eq!(others("Main.<init>"), [Some(0), Some(0)]);
    }
}
