//! Expectations about types: what is above and below them, and what they miss.

use heliostat_core::ir::Op;
use heliostat_core::program::{ClassId, MissingWhat, Program, Subtype};

use super::{Checked, only, same};
use crate::expect::About;
use crate::scene::Scene;

/// How the type of the value that a line casts or tests relates to the type named there.
pub(super) fn subtype(scene: &Scene, line: u32, answer: &str) -> Checked {
    let found = scene.at(line).filter_map(|(lowered, inst)| {
        let (Op::CheckCast(ty) | Op::InstanceOf(ty)) = lowered.body.insts[inst].op else { return None };
        let value = *lowered.body.args(inst).first()?;
        Some((lowered.body.values[value].ty, ty))
    });
    let (sub, sup) = only(scene, line, "cast or type test", found.collect())?;
    let program = &scene.program;
    let found = match program.subtype(sub, sup) {
        Subtype::Yes => "yes",
        Subtype::No => "no",
        Subtype::Unknown => "unknown",
    };
    if found == answer {
        return Ok(());
    }
    Err(format!("   found {found} for {} below {}", program.type_name(sub), program.type_name(sup)))
}

/// What is known of a declared type. Names may be in any order.
pub(super) fn declared(
    scene: &Scene,
    package: &str,
    name: &str,
    what: About,
    expected: &[String],
) -> Checked {
    let class = declared_class(scene, package, name)?;
    let mut found = match what {
        About::Subtypes => subtypes(&scene.program, class),
        About::Supertypes => supertypes(&scene.program, class),
        About::Missing => missing(scene, class),
    };
    if found.is_empty() {
        found.push("nothing".to_owned());
    }
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    found.sort_unstable();
    same(&expected, &found)
}

fn declared_class(scene: &Scene, package: &str, name: &str) -> Result<ClassId, String> {
    let slash = if package.is_empty() { "" } else { "/" };
    let (top, nested) = (format!("{package}{slash}{name}"), format!("${name}"));
    let is_meant = |class: &&ClassId| {
        let full = scene.program.class_name(**class);
        full == top || full.starts_with(package) && full.ends_with(&nested)
    };
    let mut classes = scene.classes.iter().filter(is_meant);
    match (classes.next(), classes.next()) {
        (Some(&class), None) => Ok(class),
        (None, _) => Err(format!("   but there is no class {top}")),
        (Some(_), Some(_)) => Err(format!("   but there are several classes {name}")),
    }
}

fn names(program: &Program, classes: impl Iterator<Item = ClassId>) -> Vec<String> {
    classes.map(|class| program.class_name(class)).collect()
}

fn subtypes(program: &Program, class: ClassId) -> Vec<String> {
    names(program, program.subtypes(class).into_iter().filter(|&below| below != class))
}

/// With `unknown` if there may be more, for an ancestor is missing.
fn supertypes(program: &Program, class: ClassId) -> Vec<String> {
    let interfaces = program.super_interfaces(class).iter().copied();
    let mut found = names(program, program.super_classes(class).skip(1).chain(interfaces));
    found.extend(program.is_incomplete(class).then(|| "unknown".to_owned()));
    found
}

fn missing(scene: &Scene, class: ClassId) -> Vec<String> {
    let program = &scene.program;
    let text = |what| match what {
        MissingWhat::Class(ty) => program.type_name(ty),
        MissingWhat::Method(id) => program.method_ref_name(id),
        MissingWhat::Field(id) => program.field_ref_name(id),
    };
    scene.missing.iter().filter(|missing| missing.from == class).map(|missing| text(missing.what)).collect()
}
