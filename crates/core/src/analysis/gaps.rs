//! What a result does not cover, and where that matters.

use heliostat_index::FastMap;
use heliostat_program::{
    Constant, DynamicId, HandleId, HandleMember, MethodId, MethodRefId, PoolEntry, Program, Resolution,
    TypeId,
};
use heliostat_pta::facts::{CodeId, Facts, Gap};
use heliostat_pta::{Call, Solution};
use serde::Serialize;

use super::missing::{self, Lost, MissingClass};
use super::place::{Place, called_at};
use super::reflection::ReflectiveCall;
use super::services::MissingProvider;
use crate::Opened;

/// What a result does not cover. Every list is sorted.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Gaps {
    /// Reached native methods that nothing models.
    pub natives: Vec<Native>,
    /// Calls, lambdas and method handles whose method or field is not there.
    pub unresolved: Vec<Unresolved>,
    /// Objects of missing classes that would be made.
    pub allocations: Vec<Lost>,
    /// Reads and writes of fields that a missing class has or hides.
    pub fields: Vec<Lost>,
    /// Calls of the reflection API of which nothing is known.
    pub reflection: Vec<ReflectiveCall>,
    /// Call sites and constants of which it is not known, or not wholly, what their bootstrap methods make.
    pub bootstraps: Vec<OtherBootstrap>,
    /// Reached methods whose code cannot be read.
    pub unreadable: Vec<String>,
    /// Providers of services that are named and not there.
    pub missing_providers: Vec<MissingProvider>,
    /// Types of receivers and parameters of entry points that more types fit than were tried.
    pub bounded: Vec<Bounded>,
    /// Missing classes that the inputs refer to or reached code uses.
    pub missing_classes: Vec<MissingClass>,
}

/// A type of receivers or parameters of entry points that more types fit than were tried.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Bounded {
    /// The type.
    pub ty: String,
    /// How many types fit and were not tried.
    pub left_out: u64,
}

/// A native method that nothing models: what it does to references is not part of the result.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Native {
    /// The method.
    pub method: String,
    /// How many call edges lead to it.
    pub calls: u64,
}

/// A call, lambda or method handle that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unresolved {
    /// Where it is.
    pub place: Place,
    /// The method or field that it means, if that can be told.
    pub callee: Option<String>,
    /// The missing class that would have the method or field, if it is for want of a class.
    pub missing_class: Option<String>,
}

/// A call site or constant of which it is not known, or not wholly, what its bootstrap method makes: that is none of the known ones,
/// has no row in its table, or is given arguments that it does not take or that are not computed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct OtherBootstrap {
    /// Where it is.
    pub place: Place,
    /// The bootstrap method, if that can be told.
    pub bootstrap: Option<String>,
}

/// Describes what the analysis has noted, and what it has not: what is lost for want of classes. Links classes of the inputs.
pub(super) fn find(opened: &mut Opened, solution: &Solution, calls: &[Call]) -> Gaps {
    let mut gaps = noted(&opened.program, solution, calls);
    let losses = missing::losses(&opened.program, solution);
    gaps.missing_classes = missing::classes(opened, &gaps.unresolved, &losses);
    (gaps.allocations, gaps.fields) = (losses.allocations, losses.fields);
    gaps.drop_unread(opened);
    gaps
}

fn noted(program: &Program, solution: &Solution, calls: &[Call]) -> Gaps {
    let finder = Finder { program, facts: &solution.facts };
    let mut gaps = Gaps::default();
    let mut natives = Vec::new();
    for &gap in solution.gaps() {
        match gap {
            Gap::Native(method) => natives.push(method),
            Gap::Unreadable(method) => gaps.unreadable.push(program.method_name(method)),
            Gap::Unresolved(code, offset) => gaps.unresolved.extend(finder.unresolved(code, offset)),
            Gap::Handle(code, offset, handle) => gaps.unresolved.extend(finder.handle(code, offset, handle)),
            Gap::Bootstrap(code, offset) => gaps.bootstraps.extend(finder.bootstrap(code, offset)),
        }
    }
    gaps.natives = described(program, &natives, calls);
    let bounded = solution.facts.bounded().iter();
    let bounded = bounded.map(|b| Bounded { ty: program.type_name(b.ty), left_out: b.left_out as u64 });
    gaps.bounded = bounded.collect();
    gaps.sort();
    gaps
}

impl Gaps {
    /// The missing classes that reached code uses.
    pub fn used_missing_classes(&self) -> impl Iterator<Item = &MissingClass> {
        self.missing_classes.iter().filter(|class| class.uses() > 0)
    }

    /// What was not read is not missing: it is part of what an ended analysis has not come to.
    fn drop_unread(&mut self, opened: &Opened) {
        let is_missing = |name: &str| !opened.is_unread(name);
        self.unresolved.retain(|call| call.missing_class.as_deref().is_none_or(is_missing));
        self.allocations.retain(|lost| is_missing(&lost.missing_class));
        self.fields.retain(|lost| is_missing(&lost.missing_class));
        self.missing_classes.retain(|missing| is_missing(&missing.class));
    }

    fn sort(&mut self) {
        self.natives.sort_unstable();
        self.natives.dedup();
        self.unresolved.sort_unstable();
        self.unresolved.dedup();
        self.bootstraps.sort_unstable();
        self.bootstraps.dedup();
        self.unreadable.sort_unstable();
        self.unreadable.dedup();
        self.bounded.sort_unstable();
    }
}

fn described(program: &Program, natives: &[MethodId], calls: &[Call]) -> Vec<Native> {
    let mut counts: FastMap<MethodId, u64> = natives.iter().map(|&method| (method, 0)).collect();
    for call in calls {
        if let Some(count) = counts.get_mut(&call.callee) {
            *count += 1;
        }
    }
    let describe = |method| Native {
        method: program.method_name(method),
        calls: counts.get(&method).copied().unwrap_or_default(),
    };
    natives.iter().copied().map(describe).collect()
}

/// Describes what was noted in methods: no other code has bytecode, hence such gaps.
struct Finder<'a> {
    program: &'a Program,
    facts: &'a Facts,
}

impl Finder<'_> {
    fn unresolved(&self, code: CodeId, offset: u32) -> Option<Unresolved> {
        let method = self.facts.method(code)?;
        let reference = match called_at(self.program, method, offset) {
            Some(PoolEntry::Method(reference)) => Some(reference),
            _ => None,
        };
        Some(Unresolved {
            place: Place::new(self.program, method, offset),
            callee: reference.map(|reference| self.program.method_ref_name(reference)),
            missing_class: reference
                .and_then(|reference| self.missing(method, HandleMember::Method(reference))),
        })
    }

    /// A lambda or method handle whose member is not there.
    fn handle(&self, code: CodeId, offset: u32, handle: HandleId) -> Option<Unresolved> {
        let method = self.facts.method(code)?;
        let member = self.program.handle(handle).member;
        let callee = match member {
            HandleMember::Method(reference) => self.program.method_ref_name(reference),
            HandleMember::Field(reference) => self.program.field_ref_name(reference),
        };
        Some(Unresolved {
            place: Place::new(self.program, method, offset),
            callee: Some(callee),
            missing_class: self.missing(method, member),
        })
    }

    fn bootstrap(&self, code: CodeId, offset: u32) -> Option<OtherBootstrap> {
        let method = self.facts.method(code)?;
        let dynamic = match called_at(self.program, method, offset) {
            Some(PoolEntry::Call(dynamic) | PoolEntry::Constant(Constant::Dynamic(dynamic))) => Some(dynamic),
            _ => None,
        };
        let called = dynamic.and_then(|dynamic| self.bootstrap_of(dynamic));
        Some(OtherBootstrap {
            place: Place::new(self.program, method, offset),
            bootstrap: called.map(|reference| self.program.method_ref_name(reference)),
        })
    }

    /// The class for want of which a member leads nowhere, seen from a method.
    fn missing(&self, method: MethodId, member: HandleMember) -> Option<String> {
        let from = self.program.methods()[method].class;
        let missing = match member {
            HandleMember::Method(reference) => {
                missing_of(self.program.resolve_method(self.program.method_ref(reference), from))
            }
            HandleMember::Field(reference) => {
                missing_of(self.program.resolve_field(self.program.field_ref(reference), from))
            }
        };
        missing.map(|ty| self.program.type_name(ty))
    }

    fn bootstrap_of(&self, dynamic: DynamicId) -> Option<MethodRefId> {
        let dynamic = self.program.dynamic(dynamic);
        let handle = self.program.linked(dynamic.class)?.bootstrap(dynamic.bootstrap)?.method;
        match self.program.handle(handle).member {
            HandleMember::Method(reference) => Some(reference),
            HandleMember::Field(_) => None,
        }
    }
}

fn missing_of<T: Copy>(resolution: Resolution<T>) -> Option<TypeId> {
    match resolution {
        Resolution::MissingClass(ty) => Some(ty),
        _ => None,
    }
}
