//! What the classes refer to and nothing defines.

use std::cmp::Reverse;

use heliostat_index::FastMap;
use heliostat_input::Origin;
use heliostat_program::{ClassId, MissingWhat, Program};
use serde::Serialize;

use crate::{Opened, Problem, Progress, Step};

/// What is referred to and not there.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Missing {
    /// From the inputs.
    pub input: MissingFrom,
    /// From the libraries.
    pub class_path: MissingFrom,
}

/// What some classes refer to and is not there, the most referred to first.
#[derive(Debug, Clone, Default, Serialize)]
pub struct MissingFrom {
    /// Classes, as internal names.
    pub classes: Vec<Absent>,
    /// Methods of classes that are there, as `pkg/Class.name(I)V`.
    pub methods: Vec<Absent>,
    /// Fields of classes that are there, as `pkg/Class.name:I`.
    pub fields: Vec<Absent>,
}

/// Something that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Its name.
    pub name: String,
    /// How many classes refer to it.
    pub referring_classes: usize,
    /// The first of them; at most `Limits::listed`.
    pub from: Vec<String>,
}

#[derive(Default)]
struct Referrers {
    count: usize,
    first: Vec<ClassId>,
}

type Found = FastMap<MissingWhat, Referrers>;

/// What is missing. What is damaged in the constant pools, which nobody has looked at before, becomes problems.
pub(super) fn find(opened: &mut Opened, progress: &mut Progress<'_>) -> Missing {
    let classes: Vec<_> =
        opened.program.classes().ids().filter(|&id| opened.origin(id) != Origin::Jdk).collect();
    let (mut input, mut class_path) = (Found::default(), Found::default());
    let named = opened.limits.listed as usize;
    for (done, &class) in classes.iter().enumerate() {
        progress(Step::Part { doing: "looking for what is missing", done, total: classes.len() });
        let found = if opened.is_input(class) { &mut input } else { &mut class_path };
        for missing in opened.program.missing_from(class) {
            let referrers = found.entry(missing.what).or_default();
            referrers.count += 1;
            if referrers.first.len() < named {
                referrers.first.push(class);
            }
        }
        tell_damage(opened, class);
        // Linked pools of a whole JDK would take more memory than all the rest.
        opened.program.unlink(class);
    }
    Missing { input: sorted(&opened.program, input), class_path: sorted(&opened.program, class_path) }
}

/// Tells what is damaged in the constant pool of a class that is linked, once.
pub(crate) fn tell_damage(opened: &mut Opened, class: ClassId) {
    if opened.program.linked(class).is_none() || !opened.pools_told.insert(class) {
        return;
    }
    let damage = opened.program.linked(class).map(|linked| linked.problems.clone());
    for malformed in damage.unwrap_or_default() {
        opened.tell(class, |_, archive, entry| Problem::of_class(archive, entry, malformed));
    }
}

fn sorted(program: &Program, found: Found) -> MissingFrom {
    let mut all: Vec<_> =
        found.into_iter().map(|(what, referrers)| (what, absent(program, what, &referrers))).collect();
    all.sort_unstable_by(|(what, a), (other, b)| {
        (Reverse(a.referring_classes), &a.name, what).cmp(&(Reverse(b.referring_classes), &b.name, other))
    });
    let mut missing = MissingFrom::default();
    for (what, absent) in all {
        match what {
            MissingWhat::Class(_) => missing.classes.push(absent),
            MissingWhat::Method(_) => missing.methods.push(absent),
            MissingWhat::Field(_) => missing.fields.push(absent),
        }
    }
    missing
}

fn absent(program: &Program, what: MissingWhat, referrers: &Referrers) -> Absent {
    Absent {
        name: match what {
            MissingWhat::Class(ty) => program.type_name(ty),
            MissingWhat::Method(method) => program.method_ref_name(method),
            MissingWhat::Field(field) => program.field_ref_name(field),
        },
        referring_classes: referrers.count,
        from: referrers.first.iter().map(|&class| program.class_name(class)).collect(),
    }
}
