//! What a result does not cover, and where that matters.

use heliostat_index::FastMap;
use heliostat_program::{
    Constant, DynamicId, HandleId, HandleMember, MethodId, MethodRefId, PoolEntry, Program, Resolution,
};
use heliostat_pta::facts::{CodeId, Facts, Gap, MadeUp};
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
    /// Calls of methods that are not there.
    pub unresolved: Vec<Unresolved>,
    /// Objects of missing classes that would be made.
    pub allocations: Vec<Lost>,
    /// Reads and writes of fields that a missing class has or hides.
    pub fields: Vec<Lost>,
    /// Calls of the reflection API of which nothing is known.
    pub reflection: Vec<ReflectiveCall>,
    /// Call sites with a bootstrap method that is none of the known ones.
    pub bootstraps: Vec<OtherBootstrap>,
    /// Reached methods whose code cannot be read.
    pub unreadable: Vec<String>,
    /// Providers of services that are named and not there.
    pub missing_providers: Vec<MissingProvider>,
    /// Types of receivers and parameters of entry points that more types fit than were tried.
    pub bounded: Vec<Bounded>,
    /// Missing classes that the inputs refer to or reached code needs.
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

/// A call that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unresolved {
    /// Where it is.
    pub place: Place,
    /// What it calls, if that can be told.
    pub callee: Option<String>,
    /// The missing class that would have the method, if it is for want of a class.
    pub missing_class: Option<String>,
}

/// A call site that is analysed as a call of its bootstrap method, whatever that makes of it.
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
            Gap::Unresolved(code, offset) => gaps.unresolved.push(finder.unresolved(code, offset)),
            Gap::Handle(code, offset, handle) => gaps.unresolved.push(finder.handle(code, offset, handle)),
            Gap::Bootstrap(code, offset) => gaps.bootstraps.push(finder.bootstrap(code, offset)),
        }
    }
    gaps.natives = described(program, &natives, calls);
    let bounded = |&(ty, left_out)| Bounded { ty: program.type_name(ty), left_out: left_out as u64 };
    gaps.bounded = solution.facts.bounded().iter().map(bounded).collect();
    gaps.sort();
    gaps
}

impl Gaps {
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

struct Finder<'a> {
    program: &'a Program,
    facts: &'a Facts,
}

impl Finder<'_> {
    fn unresolved(&self, code: CodeId, offset: u32) -> Unresolved {
        let place = self.place(code, offset);
        let reference = match self.facts.method(code) {
            Some(method) => match called_at(self.program, method, offset) {
                Some(PoolEntry::Method(reference)) => Some(reference),
                Some(PoolEntry::Call(dynamic)) => self.bootstrap_of(dynamic).and_then(|h| self.method_of(h)),
                _ => None,
            },
            None => self.handle_of(code).and_then(|handle| self.method_of(handle)),
        };
        let callee = reference.map(|reference| self.program.method_ref_name(reference));
        Unresolved { place, callee, missing_class: reference.and_then(|r| self.missing(code, r)) }
    }

    /// A lambda or method handle whose member is not there.
    fn handle(&self, code: CodeId, offset: u32, handle: HandleId) -> Unresolved {
        let place = self.place(code, offset);
        match self.program.handle(handle).member {
            HandleMember::Method(method) => {
                let callee = Some(self.program.method_ref_name(method));
                Unresolved { place, callee, missing_class: self.missing(code, method) }
            }
            HandleMember::Field(field) => {
                let owner = self.program.field_ref(field).owner;
                let is_missing = self.program.types.is_missing(owner);
                let missing_class = is_missing.then(|| self.program.type_name(owner));
                Unresolved { place, callee: Some(self.program.field_ref_name(field)), missing_class }
            }
        }
    }

    fn bootstrap(&self, code: CodeId, offset: u32) -> OtherBootstrap {
        let entry = self.facts.method(code).and_then(|method| called_at(self.program, method, offset));
        let dynamic = match entry {
            Some(PoolEntry::Call(dynamic) | PoolEntry::Constant(Constant::Dynamic(dynamic))) => Some(dynamic),
            _ => None,
        };
        let method = dynamic.and_then(|d| self.bootstrap_of(d)).and_then(|handle| self.method_of(handle));
        let bootstrap = method.map(|reference| self.program.method_ref_name(reference));
        OtherBootstrap { place: self.place(code, offset), bootstrap }
    }

    /// The class for want of which a reference leads nowhere.
    fn missing(&self, code: CodeId, reference: MethodRefId) -> Option<String> {
        let reference = self.program.method_ref(reference);
        let from = match (self.facts.method(code), self.facts.made_up(code)) {
            (Some(method), _) => self.program.methods()[method].class,
            (None, Some(MadeUp::Lambda(lambda))) => self.facts.lambda(lambda).class,
            _ => {
                return self
                    .program
                    .types
                    .is_missing(reference.owner)
                    .then(|| self.program.type_name(reference.owner));
            }
        };
        match self.program.resolve_method(reference, from) {
            Resolution::MissingClass(ty) => Some(self.program.type_name(ty)),
            _ => None,
        }
    }

    /// A place in a method; for code that is none, what it stands for.
    fn place(&self, code: CodeId, offset: u32) -> Place {
        if let Some(method) = self.facts.method(code) {
            return Place::new(self.program, method, offset);
        }
        let method = match self.facts.made_up(code) {
            Some(MadeUp::Lambda(lambda)) => {
                format!("a lambda of {}", self.program.class_name(self.facts.lambda(lambda).class))
            }
            Some(MadeUp::Handle(_)) => "a method handle".to_owned(),
            Some(MadeUp::Provider(class)) => {
                format!("ServiceLoader for {}", self.program.class_name(class))
            }
            _ => "the JVM".to_owned(),
        };
        Place { method, offset, line: None, source_file: None }
    }

    /// What made-up code runs.
    fn handle_of(&self, code: CodeId) -> Option<HandleId> {
        match self.facts.made_up(code)? {
            MadeUp::Lambda(lambda) => Some(self.facts.lambda(lambda).target),
            MadeUp::Handle(handle) => Some(handle),
            _ => None,
        }
    }

    fn bootstrap_of(&self, dynamic: DynamicId) -> Option<HandleId> {
        let dynamic = self.program.dynamic(dynamic);
        Some(self.program.linked(dynamic.class)?.bootstrap(dynamic.bootstrap)?.method)
    }

    fn method_of(&self, handle: HandleId) -> Option<MethodRefId> {
        match self.program.handle(handle).member {
            HandleMember::Method(reference) => Some(reference),
            HandleMember::Field(_) => None,
        }
    }
}
