//! Classes by other classes: what a class extends, implements and is in.

use heliostat_program::{ClassId, Program, TypeId};
use heliostat_pta::facts::AllocId;

use super::Api;
use super::reflected::Reflected;
use crate::reasons::{Clue, Rule};
use crate::rules::Rules;

const CLASS: &str = "java/lang/Class";

pub(super) const APIS: &[Api] = &[
    Api {
        name: "Class.getSuperclass",
        class: CLASS,
        methods: &["getSuperclass"],
        positions: &[0],
        gives: true,
        rule: super_class,
    },
    Api {
        name: "Class.getInterfaces",
        class: CLASS,
        methods: &["getInterfaces"],
        positions: &[0],
        gives: true,
        rule: interfaces,
    },
    Api {
        name: "Class.getEnclosingClass",
        class: CLASS,
        methods: &["getEnclosingClass", "getDeclaringClass"],
        positions: &[0],
        gives: true,
        rule: class_around,
    },
    Api {
        name: "Class.getNestHost",
        class: CLASS,
        methods: &["getNestHost"],
        positions: &[0],
        gives: true,
        rule: nest_host,
    },
    Api {
        name: "Class.asSubclass",
        class: CLASS,
        methods: &["asSubclass"],
        positions: &[0],
        gives: true,
        rule: same_class,
    },
];

/// For each class, the class object of another one.
fn other(rules: &mut Rules<'_, '_>, objects: &[AllocId], other: fn(&Program, ClassId) -> Option<ClassId>) {
    for class in rules.classes(objects) {
        let program = &*rules.scene.program;
        let ty = program.classes()[class].ty;
        let other = other(program, class).map(|other| program.classes()[other].ty);
        if let Some(other) = other {
            rules.gives_class(other, Rule::Object, Clue::Class(ty));
        }
    }
}

fn super_class(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    other(rules, objects, |program, class| {
        let is_interface = program.classes()[class].flags.is_interface();
        program.super_class(class).filter(|_| !is_interface)
    });
    for ty in rules.types(objects) {
        if rules.scene.program.types.element(ty).is_some() {
            rules.gives_class(TypeId::OBJECT, Rule::Object, Clue::Class(ty));
        }
    }
}

fn interfaces(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    for class in rules.classes(objects) {
        let ty = rules.scene.program.classes()[class].ty;
        rules.runs(Reflected::Interfaces(class), Rule::Object, Clue::Class(ty));
    }
}

/// Compilers name a class after the one it is in.
fn class_around(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    other(rules, objects, |program, class| {
        let name = program.class_name(class);
        name.match_indices('$').rev().find_map(|(end, _)| program.find_class(&name[..end]))
    });
}

fn nest_host(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    other(rules, objects, |program, class| Some(program.nest_host(class)));
}

fn same_class(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    for ty in rules.types(objects) {
        rules.gives_class(ty, Rule::Object, Clue::Class(ty));
    }
}
