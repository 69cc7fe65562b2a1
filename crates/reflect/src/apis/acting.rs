//! What is done with classes and members: objects are made, methods called, fields read and written
//! (APLAS'15, section 2, rules 3 and 5).

use heliostat_pta::facts::AllocId;
use heliostat_pta::reflection::{Doing, Mirror};
use heliostat_pta::{Done, is_instantiable};

use super::Api;
use crate::members::takes_as_many;
use crate::reasons::{Clue, Rule};
use crate::rules::Rules;

const FIELD: &str = "java/lang/reflect/Field";

pub(super) const APIS: &[Api] = &[
    Api {
        name: "Class.newInstance",
        class: "java/lang/Class",
        methods: &["newInstance"],
        positions: &[0],
        gives: false,
        rule: new_instance,
    },
    Api {
        name: "Constructor.newInstance",
        class: "java/lang/reflect/Constructor",
        methods: &["newInstance"],
        positions: &[0],
        gives: false,
        rule: construct,
    },
    Api {
        name: "Method.invoke",
        class: "java/lang/reflect/Method",
        methods: &["invoke"],
        positions: &[0],
        gives: false,
        rule: invoke,
    },
    Api {
        name: "Field.get*",
        class: FIELD,
        methods: &[
            "get",
            "getBoolean",
            "getByte",
            "getChar",
            "getShort",
            "getInt",
            "getLong",
            "getFloat",
            "getDouble",
        ],
        positions: &[0],
        gives: false,
        rule: get,
    },
    Api {
        name: "Field.set*",
        class: FIELD,
        methods: &[
            "set",
            "setBoolean",
            "setByte",
            "setChar",
            "setShort",
            "setInt",
            "setLong",
            "setFloat",
            "setDouble",
        ],
        positions: &[0],
        gives: false,
        rule: set,
    },
];

fn new_instance(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    for class in rules.classes(objects) {
        let program = &*rules.scene.program;
        let ty = program.classes()[class].ty;
        if is_instantiable(program, class) && rules.may_give(ty) {
            rules.does(Doing::Act(Done::Made(class)), Rule::Object, [Some(Clue::Class(ty)), None]);
        }
    }
}

/// What a call does with each member that arrives at it.
fn act(rules: &mut Rules<'_, '_>, objects: &[AllocId], done: fn(&Rules<'_, '_>, Mirror) -> Option<Done>) {
    for mirror in rules.mirrors(objects) {
        if let Some(done) = done(rules, mirror) {
            rules.does(Doing::Act(done), Rule::Object, [Some(Clue::Mirror(mirror)), None]);
        }
    }
}

fn construct(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    act(rules, objects, |rules, mirror| {
        let Mirror::Constructor(constructor) = mirror else { return None };
        let program = &*rules.scene.program;
        let is_done = is_instantiable(program, program.methods()[constructor].class)
            && takes_as_many(program, constructor, rules.shape(1))
            && rules.may_give(program.owner(constructor));
        is_done.then_some(Done::Constructed(constructor))
    });
}

fn invoke(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    act(rules, objects, |rules, mirror| {
        let Mirror::Method(method) = mirror else { return None };
        let program = &*rules.scene.program;
        let descriptor = program.selector(program.methods()[method].selector).descriptor;
        let is_done = takes_as_many(program, method, rules.shape(2))
            && rules.may_give_declared(program.method_type(descriptor).result);
        is_done.then_some(Done::Invoked(method))
    });
}

/// Whoever wants no object, as `Field.getInt`, gets none: the class is initialised all the same.
fn get(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    for mirror in rules.mirrors(objects) {
        let Mirror::Field(field) = mirror else { continue };
        let data = rules.scene.program.fields()[field];
        let doing = match rules.listening().result.expand() {
            Some(_) if rules.may_give_declared(data.ty) => Doing::Act(Done::Got(field)),
            None if data.flags.is_static() => Doing::Init(data.class),
            _ => continue,
        };
        rules.does(doing, Rule::Object, [Some(Clue::Mirror(mirror)), None]);
    }
}

fn set(rules: &mut Rules<'_, '_>, _: usize, objects: &[AllocId]) {
    act(rules, objects, |_, mirror| match mirror {
        Mirror::Field(field) => Some(Done::Set(field)),
        _ => None,
    });
}
