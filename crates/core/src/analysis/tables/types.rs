//! What types decide: as much as meets in the run.

use std::collections::BTreeSet;

use heliostat_program::{ClassId, TypeId};
use heliostat_pta::Types;
use heliostat_pta::facts::{AllocKind, Ask, Facts, MadeUp, Stmt};

use super::table::{Dump, Rows, Table};

/// The tables of what types decide.
pub const TABLES: &[Table] = &[
    Table {
        name: "ObjectType",
        columns: "object:symbol, type:symbol",
        meaning: "What an object is: its type; `<empty>` and its type for an array of length 0; the lambda or method handle",
        rows: Rows::OfAll(|dump, sink| {
            for (id, alloc) in dump.names.solution.facts.allocs().iter() {
                sink.row([dump.names.object(id), &dump.names.what(alloc.what())]);
            }
        }),
    },
    Table {
        name: "Admits",
        columns: "filter:symbol, type:symbol",
        meaning: "A filter lets objects of a type pass",
        rows: Rows::OfAll(|dump, sink| {
            for &(filter, what) in &dump.meetings.admits {
                let filter = dump.names.filter(dump.names.solution.facts.filter(filter));
                sink.row([&filter, &dump.names.what(what)]);
            }
        }),
    },
    Table {
        name: "Selects",
        columns: "type:symbol, resolved:symbol, callee:symbol",
        meaning: "What a call of the resolved method runs on a receiver of a type",
        rows: Rows::OfAll(|dump, sink| {
            for &(what, resolved, callee) in &dump.meetings.selects {
                let [resolved, callee] = [dump.names.method(resolved), dump.names.code(callee)];
                sink.row([&dump.names.what(what), &resolved, &callee]);
            }
        }),
    },
    Table {
        name: "ElementFilter",
        columns: "type:symbol, filter:symbol",
        meaning: "What may be stored into arrays of a type; into others, nothing",
        rows: Rows::OfAll(|dump, sink| {
            for &(what, filter) in &dump.meetings.elements {
                let filter = dump.names.filter(dump.names.solution.facts.filter(filter));
                sink.row([&dump.names.what(what), &filter]);
            }
        }),
    },
    Table {
        name: "OpenField",
        columns: "type:symbol, field:symbol, filter:symbol",
        meaning: "A field of objects of a type that code outside Java may mean, and what it takes",
        rows: Rows::OfAll(|dump, sink| {
            for &(what, field, filter) in &dump.meetings.open_fields {
                let filter = dump.names.filter(dump.names.solution.facts.filter(filter));
                sink.row([&dump.names.what(what), &dump.names.field(field), &filter]);
            }
        }),
    },
    Table {
        name: "Made",
        columns: "how:symbol, object:symbol, made:symbol",
        meaning: "What is made of an object: `classof` its class object; of a class object `componentof` that of the component type, `arrayof` an array, `instance` an object; `resize` at a place, an array of another length",
        rows: Rows::OfAll(|dump, sink| {
            for &(making, object, made) in &dump.meetings.made {
                sink.row([&dump.names.making(making), dump.names.object(object), dump.names.object(made)]);
            }
        }),
    },
    Table {
        name: "ClassObject",
        columns: "object:symbol, type:symbol",
        meaning: "The object is the class object of the type",
        rows: Rows::OfAll(|dump, sink| {
            for (id, alloc) in dump.names.solution.facts.allocs().iter() {
                if let AllocKind::Class(ty) = alloc.kind {
                    sink.row([dump.names.object(id), &dump.names.program.type_name(ty)]);
                }
            }
        }),
    },
    Table {
        name: "Initialises",
        columns: "class:symbol, also:symbol",
        meaning: "To initialise a class initialises this one: itself, its superclasses, its superinterfaces with default methods",
        rows: Rows::OfAll(|dump, sink| {
            for class in initialisable(dump) {
                for also in types(dump).initialised_with(class) {
                    sink.row(
                        [class, also]
                            .map(|id| dump.names.program.class_name(id))
                            .each_ref()
                            .map(String::as_str),
                    );
                }
            }
        }),
    },
    Table {
        name: "Initialiser",
        columns: "class:symbol, method:symbol",
        meaning: "The class initialiser of a class",
        rows: Rows::OfAll(|dump, sink| {
            let classes = initialisable(dump);
            for class in classes.into_iter().flat_map(|class| types(dump).initialised_with(class)) {
                if let Some(method) = types(dump).initialiser(class) {
                    sink.row([&dump.names.program.class_name(class), &dump.names.method(method)]);
                }
            }
        }),
    },
    Table {
        name: "Asked",
        columns: "class:symbol, ask:symbol, method:symbol",
        meaning: "What runs when the class of this class object is asked for something: a service for a provider, which is `constructed` or `provided` by a method, or an enum for its `constants`",
        rows: Rows::OfAll(|dump, sink| {
            for (ty, ask, class) in asked(dump) {
                let facts = &dump.names.solution.facts;
                let object = facts.find_alloc(AllocKind::Class(ty));
                let code = facts.find_made_up(MadeUp::Asked(ask, class));
                if let (Some(object), Some(code)) = (object, code) {
                    sink.row([dump.names.object(object), ask.name(), &dump.names.code(code)]);
                }
            }
        }),
    },
];

fn types<'a>(dump: &Dump<'a>) -> Types<'a> {
    Types { program: &dump.opened.program, facts: &dump.names.solution.facts }
}

/// What the class behind a class object may be asked for, and which class answers.
fn asked(dump: &Dump<'_>) -> Vec<(TypeId, Ask, ClassId)> {
    let program = dump.names.program;
    let of_services = dump.services.iter().map(|service| {
        let ask = Ask::of_provider(program, service.provider);
        (service.service, ask, service.provider)
    });
    let enums = program.classes().iter().map(|(class, data)| (data.ty, Ask::Constants, class));
    of_services.chain(enums).collect()
}

/// The classes that something may initialise: those that code names, and those that have a class object.
fn initialisable(dump: &Dump<'_>) -> BTreeSet<ClassId> {
    let facts: &Facts = &dump.names.solution.facts;
    let program = dump.names.program;
    let statements = dump.codes.iter().flat_map(|code| &code.template.stmts);
    let named = statements.filter_map(|stmt| match *stmt {
        Stmt::Init { class, .. } => Some(class),
        _ => None,
    });
    let meant = facts.allocs().iter().filter_map(|(_, alloc)| match alloc.kind {
        AllocKind::Class(ty) => program.class_of(ty),
        _ => None,
    });
    named.chain(meant).collect()
}
