//! Classes that are missing: which, who refers to them, and what is lost for want of them in reached code.

use std::collections::BTreeMap;

use heliostat_classfile::Insn;
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

/// What is lost in reached code for want of classes, in the order of places.
#[derive(Debug, Clone, Default)]
pub(super) struct Losses {
    pub(super) allocations: Vec<Lost>,
    pub(super) fields: Vec<Lost>,
}

/// Looks at every instruction of reached methods whose classes refer to missing ones.
pub(super) fn losses(program: &Program, solution: &Solution) -> Losses {
    let mut losses = Losses::default();
    let mut last: Option<(ClassId, bool)> = None;
    for method in solution.methods() {
        let class = program.methods()[method].class;
        let refers = match last {
            Some((same, refers)) if same == class => refers,
            _ => program.linked(class).is_some_and(|linked| may_lose(program, linked)),
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

/// Whether a constant pool names a class or a field that may be lost.
fn may_lose(program: &Program, linked: &Linked) -> bool {
    linked.entries().iter().any(|&entry| match entry {
        PoolEntry::Constant(heliostat_program::Constant::Class(ty)) => program.types.is_missing(ty),
        PoolEntry::Field(reference) => {
            let owner = program.field_ref(reference).owner;
            program.class_of(owner).is_none_or(|class| program.is_incomplete(class))
        }
        _ => false,
    })
}

impl Losses {
    fn add(&mut self, program: &Program, method: MethodId) {
        let class = program.methods()[method].class;
        let (Some((code, _)), Some(linked)) = (code(program, method), program.linked(class)) else { return };
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

/// All missing classes that the inputs refer to or reached code needs, by name. Links all classes of the inputs for a while.
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
    found.into_iter().map(|(class, missing)| MissingClass { class, ..missing }).collect()
}
