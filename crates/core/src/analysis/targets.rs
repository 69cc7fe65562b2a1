//! What reflective calls do, as far as that is known: the class, member or resource that each is about.

use std::fmt;

use heliostat_program::{FieldId, MethodId, Program};
use heliostat_pta::facts::AllocKind;
use heliostat_pta::reflection::{Doing, ListenId, Mirror};
use heliostat_pta::{At, Done, Solution};
use heliostat_reflect::{Clue, Reason, Reflect, Rule};
use serde::Serialize;

use super::Place;
use crate::readable::Readable;

/// Something that a reflective call does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReflectiveTarget {
    /// Where the call is.
    pub place: Place,
    /// The method of the reflection API, as traces name it.
    pub api: &'static str,
    /// What it is about.
    pub target: Target,
    /// How that is known.
    pub how: How,
    /// What it was found from, for a reader: the strings, casts and uses, the most telling first. Empty if `how` says all.
    pub because: Vec<String>,
}

/// What a reflective call is about. Names are internal ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Target {
    /// A class by its name, or an array type by its descriptor.
    Class {
        /// The name or descriptor.
        class: String,
    },
    /// A method or, by the name `<init>`, a constructor.
    Method {
        /// The class that declares it.
        class: String,
        /// Its name.
        name: String,
        /// Its descriptor.
        descriptor: String,
    },
    /// A field.
    Field {
        /// The class that declares it.
        class: String,
        /// Its name.
        name: String,
        /// Its descriptor.
        descriptor: String,
    },
    /// All members of a kind at once, as `getMethods` gives them: the call says which kind.
    Members {
        /// The class that was asked.
        class: String,
    },
    /// A proxy.
    Proxy {
        /// Its interfaces, in order.
        interfaces: Vec<String>,
    },
    /// A resource by its path, without a slash before it.
    Resource {
        /// The path.
        path: String,
    },
    /// A resource bundle by its base name, with dots.
    Bundle {
        /// The name.
        name: String,
    },
}

impl fmt::Display for Target {
    /// As in `reflection.tsv`: a class by its name or descriptor, a method as `pkg/Class.name(I)V`, a field as `pkg/Class.name:I`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class { class } | Self::Members { class } => f.write_str(class),
            Self::Method { class, name, descriptor } => write!(f, "{class}.{name}{descriptor}"),
            Self::Field { class, name, descriptor } => write!(f, "{class}.{name}:{descriptor}"),
            Self::Proxy { interfaces } => f.write_str(&interfaces.join(",")),
            Self::Resource { path } => f.write_str(path),
            Self::Bundle { name } => f.write_str(name),
        }
    }
}

/// How it is known what a reflective call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// A log of real runs says so.
    Log,
    /// The user says so.
    Annotation,
    /// A string constant is the name.
    Constant,
    /// All members of a class are asked for.
    All,
    /// The class or member itself is given, as an object.
    Object,
}

impl How {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Constant => "constant",
            Self::All => "all",
            Self::Object => "object",
            Self::Annotation => "annotation",
        }
    }

    /// Whether it knows some targets of a call, and says nothing about others: real runs need not have done all.
    pub fn is_of_runs(self) -> bool {
        match self {
            Self::Log => true,
            Self::Annotation | Self::Constant | Self::All | Self::Object => false,
        }
    }
}

/// All of them in reached code, each once, in the order of places.
pub(super) fn find(program: &Program, solution: &Solution, reflect: &Reflect) -> Vec<ReflectiveTarget> {
    let described = solution.facts.logged().iter().map(|logged| ReflectiveTarget {
        place: Place::new(program, logged.call.caller, logged.offset),
        api: logged.acting.name(),
        target: done(program, logged.call.done),
        how: how(logged.call.at),
        because: Vec::new(),
    });
    let mut targets: Vec<_> = described.collect();
    let found = reflect.found().into_iter();
    targets.extend(
        found.filter_map(|(call, doing, reason)| by_rule(program, solution, reflect, call, doing, reason)),
    );
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn how(at: At) -> How {
    match at {
        At::Any | At::Line(_) => How::Log,
        At::Offset(_) => How::Annotation,
    }
}

/// What a rule found that a call does; none for what comes with something else, and for calls that no method makes.
fn by_rule(
    program: &Program,
    solution: &Solution,
    reflect: &Reflect,
    call: ListenId,
    doing: Doing,
    reason: Reason,
) -> Option<ReflectiveTarget> {
    let listening = &solution.facts.listening()[call];
    let caller = solution.facts.method(listening.code)?;
    let target = match doing {
        Doing::Give(alloc) => match solution.facts.allocs()[alloc].kind {
            AllocKind::Class(ty) => Target::Class { class: program.type_name(ty) },
            AllocKind::Mirror(mirror) => mirrored(program, mirror),
            _ => return None,
        },
        Doing::Act(acted) => done(program, acted),
        Doing::Run(_) => match reason.clues[0] {
            Some(Clue::Class(ty)) => Target::Members { class: program.type_name(ty) },
            _ => return None,
        },
        Doing::Init(_) => return None,
    };
    Some(ReflectiveTarget {
        place: Place::new(program, caller, listening.offset),
        api: reflect.api_name(listening.api),
        target,
        how: How::from(reason.rule),
        because: reason.clues.iter().flatten().map(|&clue| clue_text(program, clue)).collect(),
    })
}

/// A clue, for a reader.
fn clue_text(program: &Program, clue: Clue) -> String {
    match clue {
        Clue::String(text) => format!("the string {:?}", program.symbols.text(text)),
        Clue::Class(ty) => format!("the class {}", Readable(program).ty(ty)),
        Clue::Mirror(mirror) => match mirror {
            Mirror::Method(method) => format!("the method {}", Readable(program).method(method)),
            Mirror::Constructor(method) => format!("the constructor {}", Readable(program).method(method)),
            Mirror::Field(field) => format!("the field {}", Readable(program).field(field)),
        },
    }
}

impl From<Rule> for How {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Constant => Self::Constant,
            Rule::All => Self::All,
            Rule::Object => Self::Object,
        }
    }
}

/// What a reflective call is about that does this.
pub(super) fn done(program: &Program, done: Done) -> Target {
    match done {
        Done::Loaded(ty) | Done::MadeArray(ty) => Target::Class { class: program.type_name(ty) },
        Done::Made(class) => Target::Method {
            class: program.class_name(class),
            name: "<init>".to_owned(),
            descriptor: "()V".to_owned(),
        },
        Done::Constructed(method) | Done::Invoked(method) => method_target(program, method),
        Done::Got(field) | Done::Set(field) => field_target(program, field),
    }
}

/// What an object of the reflection API stands for.
pub(super) fn mirrored(program: &Program, mirror: Mirror) -> Target {
    match mirror {
        Mirror::Method(method) | Mirror::Constructor(method) => method_target(program, method),
        Mirror::Field(field) => field_target(program, field),
    }
}

fn method_target(program: &Program, method: MethodId) -> Target {
    let data = &program.methods()[method];
    let selector = program.selector(data.selector);
    Target::Method {
        class: program.class_name(data.class),
        name: program.symbols.text(selector.name).into_owned(),
        descriptor: program.descriptor_text(selector.descriptor),
    }
}

fn field_target(program: &Program, field: FieldId) -> Target {
    let data = &program.fields()[field];
    Target::Field {
        class: program.class_name(data.class),
        name: program.symbols.text(data.name).into_owned(),
        descriptor: program.type_text(data.ty),
    }
}
