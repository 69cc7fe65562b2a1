//! Classes by name: `Class.forName`, class loaders.

use heliostat_pta::facts::AllocId;
use heliostat_pta::reflection::{Doing, Shape};

use super::Api;
use crate::reasons::{Clue, Rule};
use crate::rules::Rules;
use crate::strings::Names;

pub(super) const APIS: &[Api] = &[
    Api {
        name: "Class.forName",
        class: "java/lang/Class",
        methods: &["forName"],
        positions: &[0, 1],
        gives: true,
        rule: for_name,
    },
    Api {
        name: "ClassLoader.loadClass",
        class: "java/lang/ClassLoader",
        methods: &["loadClass", "findSystemClass"],
        positions: &[0, 1],
        gives: true,
        rule: load_class,
    },
    Api {
        name: "ClassLoader.loadClass",
        class: "java/lang/invoke/MethodHandles$Lookup",
        methods: &["findClass"],
        positions: &[1],
        gives: true,
        rule: load_class,
    },
];

/// The class of this name, initialised unless the call says not to (APLAS'15, section 2, rules 1 and 2).
fn for_name(rules: &mut Rules<'_, '_>, position: usize, objects: &[AllocId]) {
    // Of `forName(name, initialise, loader)`, and of `forName(module, name)`.
    let initialises = position == 0 && *rules.shape(1) != Shape::Int(0);
    by_name(rules, objects, initialises);
}

/// The class of this name.
fn load_class(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    by_name(rules, objects, false);
}

fn by_name(rules: &mut Rules<'_, '_>, objects: &[AllocId], initialises: bool) {
    for text in rules.texts(objects) {
        let program = &mut *rules.scene.program;
        let Some(named) = Names::class(program, program.symbols.bytes(text)) else { continue };
        let ty = named.type_in(program);
        let class = program.class_of(ty).filter(|_| initialises);
        if !rules.may_mean(ty) {
            continue;
        }
        let clue = Clue::String(text);
        rules.gives_class(ty, Rule::Constant, clue);
        if let Some(class) = class {
            rules.does(Doing::Init(class), Rule::Constant, [Some(clue), None]);
        }
    }
}
