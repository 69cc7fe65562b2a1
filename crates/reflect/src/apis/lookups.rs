//! Members by name, or all of them: `getMethod`, `getDeclaredFields` and their kin (APLAS'15, section 2, rule 4).

use heliostat_index::Symbol;
use heliostat_program::{ClassId, TypeId};
use heliostat_pta::facts::AllocId;
use heliostat_pta::reflection::{Mirror, Scene};

use super::Api;
use super::reflected::{Kind, Reflected};
use crate::Reflect;
use crate::members::{Scope, constructors, fields, method_name, methods, takes};
use crate::reasons::{Clue, Rule};
use crate::rules::Rules;

const CLASS: &str = "java/lang/Class";

/// A look-up by name: the class and the name matter.
macro_rules! named {
    ($name:literal, $method:literal, $find:ident, $scope:ident) => {
        Api {
            name: $name,
            class: CLASS,
            methods: &[$method],
            positions: &[0, 1],
            gives: false,
            rule: |rules, position, objects| $find(rules, position, objects, Scope::$scope),
        }
    };
}

/// A look-up of a constructor, which has no name, or of all members of a kind: the class matters.
macro_rules! unnamed {
    ($name:literal, $method:literal, $scope:ident, $kind:expr) => {
        Api {
            name: $name,
            class: CLASS,
            methods: &[$method],
            positions: &[0],
            gives: false,
            rule: |rules, _, objects| unnamed(rules, objects, $kind, Scope::$scope),
        }
    };
}

pub(super) const APIS: &[Api] = &[
    named!("Class.getMethod", "getMethod", method, Public),
    named!("Class.getDeclaredMethod", "getDeclaredMethod", method, Declared),
    named!("Class.getField", "getField", field, Public),
    named!("Class.getDeclaredField", "getDeclaredField", field, Declared),
    unnamed!("Class.getConstructor", "getConstructor", Public, None),
    unnamed!("Class.getDeclaredConstructor", "getDeclaredConstructor", Declared, None),
    unnamed!("Class.getMethods", "getMethods", Public, Some(Kind::Methods)),
    unnamed!("Class.getDeclaredMethods", "getDeclaredMethods", Declared, Some(Kind::Methods)),
    unnamed!("Class.getFields", "getFields", Public, Some(Kind::Fields)),
    unnamed!("Class.getDeclaredFields", "getDeclaredFields", Declared, Some(Kind::Fields)),
    unnamed!("Class.getConstructors", "getConstructors", Public, Some(Kind::Constructors)),
    unnamed!("Class.getDeclaredConstructors", "getDeclaredConstructors", Declared, Some(Kind::Constructors)),
];

/// The class that has the members of a type: an array has those of `Object`.
fn class_with_members(rules: &Rules<'_, '_>, ty: TypeId) -> Option<ClassId> {
    let program = &*rules.scene.program;
    let has = if program.types.element(ty).is_some() { TypeId::OBJECT } else { ty };
    program.class_of(has)
}

fn named_members(
    rules: &mut Rules<'_, '_>,
    position: usize,
    objects: &[AllocId],
    find: impl Fn(&Rules<'_, '_>, ClassId, Symbol) -> Vec<Mirror>,
) {
    for (ty, name) in rules.types_and_texts(position, objects) {
        let Some(class) = class_with_members(rules, ty) else { continue };
        for mirror in find(rules, class, name) {
            rules.gives_mirror(mirror, Rule::Constant, [Some(Clue::Class(ty)), Some(Clue::String(name))]);
        }
    }
}

fn method(rules: &mut Rules<'_, '_>, position: usize, objects: &[AllocId], scope: Scope) {
    named_members(rules, position, objects, |rules, class, name| {
        let (program, parameters) = (&*rules.scene.program, rules.shape(2));
        let found = methods(program, class, scope).into_iter();
        let found = found.filter(|&m| method_name(program, m) == name && takes(program, m, parameters));
        found.map(Mirror::Method).collect()
    });
}

fn field(rules: &mut Rules<'_, '_>, position: usize, objects: &[AllocId], scope: Scope) {
    named_members(rules, position, objects, |rules, class, name| {
        let program = &*rules.scene.program;
        let found = fields(program, class, scope).into_iter();
        found.filter(|&field| program.fields()[field].name == name).map(Mirror::Field).collect()
    });
}

fn constructor(rules: &mut Rules<'_, '_>, objects: &[AllocId], scope: Scope) {
    for class in rules.classes(objects) {
        let program = &*rules.scene.program;
        let ty = program.classes()[class].ty;
        let found = constructors(program, class, scope).into_iter();
        let found: Vec<_> = found.filter(|&m| takes(program, m, rules.shape(1))).collect();
        for constructor in found {
            let mirror = Mirror::Constructor(constructor);
            rules.gives_mirror(mirror, Rule::Object, [Some(Clue::Class(ty)), None]);
        }
    }
}

/// One constructor; or all members of a kind, which wait until the classes are known: see [`settle`].
fn unnamed(rules: &mut Rules<'_, '_>, objects: &[AllocId], all: Option<Kind>, scope: Scope) {
    match all {
        Some(kind) => {
            rules.reflect.bulk.insert(rules.call, (kind, scope));
        }
        None => constructor(rules, objects, scope),
    }
}

/// Gives all members to the calls that ask for them, if they are asked of few enough classes. Of any class, such calls mostly look for one
/// member, and all members of all classes would be anything.
pub(crate) fn settle(reflect: &mut Reflect, scene: &mut Scene<'_>) {
    for (call, (kind, scope)) in reflect.bulk.clone() {
        let mut rules = Rules { reflect, scene, call };
        let types = rules.types(&rules.at(0));
        if types.len() > rules.reflect.settings.most_classes {
            rules.reflect.imprecise.insert(call);
            continue;
        }
        for ty in types {
            if let Some(class) = class_with_members(&rules, ty) {
                rules.runs(Reflected::Members(kind, scope, class), Rule::All, Clue::Class(ty));
            }
        }
    }
}
