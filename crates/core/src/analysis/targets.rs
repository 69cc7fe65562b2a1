//! What reflective calls do, as far as that is known: the class, method or field that each is about.

use heliostat_program::Program;
use heliostat_pta::{Done, Solution};
use serde::Serialize;

use super::Place;

/// Something that a reflective call does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReflectiveTarget {
    /// Where the call is.
    pub place: Place,
    /// The method of the reflection API, as traces name it.
    pub api: &'static str,
    /// A class by its name or descriptor, a method as `pkg/Class.name(I)V`, a field as `pkg/Class.name:I`.
    pub target: String,
    /// How that is known.
    pub how: How,
}

/// How it is known what a reflective call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// A log of real runs says so.
    Log,
}

impl How {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
        }
    }
}

/// All of them in reached code, each once, in the order of places.
pub(super) fn find(program: &Program, solution: &Solution) -> Vec<ReflectiveTarget> {
    let described = solution.facts.logged().iter().map(|logged| ReflectiveTarget {
        place: Place::new(program, logged.call.caller, logged.offset),
        api: logged.acting.name(),
        target: text(program, logged.call.done),
        how: How::Log,
    });
    let mut targets: Vec<_> = described.collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn text(program: &Program, done: Done) -> String {
    match done {
        Done::Loaded(ty) | Done::MadeArray(ty) => program.type_name(ty),
        Done::Made(class) => format!("{}.<init>()V", program.class_name(class)),
        Done::Constructed(method) | Done::Invoked(method) => program.method_name(method),
        Done::Got(field) | Done::Set(field) => program.field_name(field),
    }
}
