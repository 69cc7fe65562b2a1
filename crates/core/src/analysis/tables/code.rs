//! What the reached code says.

use heliostat_program::MethodId;
use heliostat_pta::Making;
use heliostat_pta::facts::{Ask, CallSite, Callee, CodeId, FieldKey, Stmt, Var};

use super::table::{Rows, Table};

/// The tables of what the reached code says.
pub const TABLES: &[Table] = &[
    Table {
        name: "Root",
        columns: "method:symbol",
        meaning: "What runs first: what the JVM does, and the entry points.",
        rows: Rows::OfAll(|_, sink| {
            sink.row(["<jvm>"]);
        }),
    },
    Table {
        name: "Alloc",
        columns: "method:symbol, to:symbol, object:symbol",
        meaning: "`to = new …`, and constants",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            if let Stmt::Alloc { to, site } = *stmt {
                sink.row([&code.name, &code.var(to), dump.names.object(site)]);
            }
        }),
    },
    Table {
        name: "Assign",
        columns: "from:symbol, to:symbol, filter:symbol",
        meaning: "`to = from`, of what the filter admits: `*` everything, a type its objects, `catch` what a handler gets",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            if let Stmt::Assign { from, to, filter } = *stmt {
                sink.row([
                    &code.var(from),
                    &code.var(to),
                    &dump.names.filter(dump.names.solution.facts.filter(filter)),
                ]);
            }
        }),
    },
    Table {
        name: "Load",
        columns: "base:symbol, field:symbol, to:symbol",
        meaning: "`to = base.field`",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            if let Stmt::Load { base, field, to } = *stmt {
                sink.row([&code.var(base), &dump.names.field(field), &code.var(to)]);
            }
        }),
    },
    Table {
        name: "Store",
        columns: "base:symbol, field:symbol, from:symbol",
        meaning: "`base.field = from`, for fields and captured values",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            if let Stmt::Store { base, field, from } = *stmt
                && field != FieldKey::ELEMENTS
            {
                sink.row([&code.var(base), &dump.names.field(field), &code.var(from)]);
            }
        }),
    },
    Table {
        name: "ArrayStore",
        columns: "base:symbol, from:symbol",
        meaning: "`base[…] = from`; such loads are `Load`s of the field `[]`",
        rows: Rows::OfStatements(|_, code, stmt, sink| {
            if let Stmt::Store { base, field: FieldKey::ELEMENTS, from } = *stmt {
                sink.row([&code.var(base), &code.var(from)]);
            }
        }),
    },
    Table {
        name: "StaticLoad",
        columns: "method:symbol, field:symbol, to:symbol",
        meaning: "`to = Class.field`, also of variables of the models (`<global …>`)",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            let (field, to) = match *stmt {
                Stmt::LoadStatic { field, to } => (dump.names.program.field_name(field), to),
                Stmt::LoadGlobal { global, to } => (dump.names.global(global), to),
                _ => return,
            };
            sink.row([&code.name, &field, &code.var(to)]);
        }),
    },
    Table {
        name: "StaticStore",
        columns: "from:symbol, field:symbol",
        meaning: "`Class.field = from`, also of variables of the models",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            let (field, from) = match *stmt {
                Stmt::StoreStatic { field, from } => (dump.names.program.field_name(field), from),
                Stmt::StoreGlobal { global, from } => (dump.names.global(global), from),
                _ => return,
            };
            sink.row([&code.var(from), &field]);
        }),
    },
    Table {
        name: "AnyLoad",
        columns: "base:symbol, to:symbol",
        meaning: "`to =` any field of `base` that code outside Java may mean (`OpenField`)",
        rows: Rows::OfStatements(|_, code, stmt, sink| {
            if let Stmt::LoadAny { base, to } = *stmt {
                sink.row([&code.var(base), &code.var(to)]);
            }
        }),
    },
    Table {
        name: "AnyStore",
        columns: "base:symbol, from:symbol",
        meaning: "any field of `base` that code outside Java may mean `= from`",
        rows: Rows::OfStatements(|_, code, stmt, sink| {
            if let Stmt::StoreAny { base, from } = *stmt {
                sink.row([&code.var(base), &code.var(from)]);
            }
        }),
    },
    Table {
        name: "Derive",
        columns: "from:symbol, how:symbol, to:symbol",
        meaning: "`to =` what is made of each object of `from` (`Made`)",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            if let Stmt::Derive { how, from, to, offset } = *stmt {
                sink.row([
                    &code.var(from),
                    &dump.names.making(Making::new(how, code.id, offset)),
                    &code.var(to),
                ]);
            }
        }),
    },
    Table {
        name: "CallSite",
        columns: "site:symbol, method:symbol, offset:number, kind:symbol",
        meaning: "A call, the bytecode offset (in a model, the number of a statement), and the kind of edge in `callgraph.tsv`",
        rows: Rows::OfCalls(|_, code, site, call, sink| {
            sink.row([site, &code.name, &call.offset.to_string(), call.kind.name()]);
        }),
    },
    Table {
        name: "StaticCall",
        columns: "method:symbol, site:symbol, callee:symbol",
        meaning: "A call without a receiver, in the method",
        rows: Rows::OfCalls(|dump, code, site, call, sink| {
            if let Some(Target::Static(callee)) = target(call) {
                sink.row([&code.name, site, &dump.names.code(callee)]);
            }
        }),
    },
    Table {
        name: "SpecialCall",
        columns: "receiver:symbol, site:symbol, callee:symbol",
        meaning: "A call that runs this callee on each receiver, whatever its type",
        rows: Rows::OfCalls(|dump, code, site, call, sink| {
            if let Some(Target::Special(receiver, callee)) = target(call) {
                sink.row([&code.var(receiver), site, &dump.names.code(callee)]);
            }
        }),
    },
    Table {
        name: "InlinedCall",
        columns: "receiver:symbol, site:symbol, callee:symbol",
        meaning: "A call that runs this callee if there is a receiver. What it does is said here: nothing goes in",
        rows: Rows::OfCalls(|dump, code, site, call, sink| {
            if let Some(Target::Inlined(receiver, callee)) = target(call) {
                sink.row([&code.var(receiver), site, &dump.names.code(callee)]);
            }
        }),
    },
    Table {
        name: "VirtualCall",
        columns: "receiver:symbol, site:symbol, resolved:symbol",
        meaning: "A call that runs what the type of each receiver selects for the method that the name resolves to (`Selects`)",
        rows: Rows::OfCalls(|dump, code, site, call, sink| {
            if let Some(Target::Virtual(receiver, resolved)) = target(call) {
                sink.row([&code.var(receiver), site, &dump.names.method(resolved)]);
            }
        }),
    },
    Table {
        name: "AskingCall",
        columns: "class:symbol, site:symbol, ask:symbol",
        meaning: "A call that asks the classes whose class objects are in the variable for something: services for the providers that are `constructed` or `provided` by a method, enums for their `constants` (`Asked`)",
        rows: Rows::OfCalls(|_, code, site, call, sink| {
            if let Some(Target::Asked(class, ask)) = target(call) {
                sink.row([&code.var(class), site, ask.name()]);
            }
        }),
    },
    Table {
        name: "Argument",
        columns: "site:symbol, number:number, from:symbol",
        meaning: "What a call gives for a parameter, from 0, without the receiver",
        rows: Rows::OfCalls(|_, code, site, call, sink| {
            for (number, arg) in call.args.iter().enumerate() {
                if let Some(arg) = arg.expand() {
                    sink.row([site, &number.to_string(), &code.var(arg)]);
                }
            }
        }),
    },
    Table {
        name: "Result",
        columns: "site:symbol, to:symbol",
        meaning: "Where the result of a call goes",
        rows: Rows::OfCalls(|_, code, site, call, sink| {
            if let Some(to) = call.result.expand() {
                sink.row([site, &code.var(to)]);
            }
        }),
    },
    Table {
        name: "Thrown",
        columns: "site:symbol, to:symbol",
        meaning: "Where what a call throws goes",
        rows: Rows::OfCalls(|_, code, site, call, sink| {
            if let Some(to) = call.thrown.expand() {
                sink.row([site, &code.var(to)]);
            }
        }),
    },
    Table {
        name: "This",
        columns: "method:symbol, variable:symbol",
        meaning: "The receiver of a method, if something reads it",
        rows: Rows::OfCode(|_, code, sink| {
            code.template.this.expand().into_iter().for_each(|var| sink.row([&code.name, &code.var(var)]));
        }),
    },
    Table {
        name: "Parameter",
        columns: "method:symbol, number:number, variable:symbol",
        meaning: "A parameter of a method, from 0, without the receiver, if something reads it",
        rows: Rows::OfCode(|_, code, sink| {
            for (number, param) in code.template.params.iter().enumerate() {
                if let Some(param) = param.expand() {
                    sink.row([&code.name, &number.to_string(), &code.var(param)]);
                }
            }
        }),
    },
    Table {
        name: "Return",
        columns: "method:symbol, variable:symbol",
        meaning: "What a method returns",
        rows: Rows::OfCode(|_, code, sink| {
            code.template.result.expand().into_iter().for_each(|var| sink.row([&code.name, &code.var(var)]));
        }),
    },
    Table {
        name: "Throw",
        columns: "method:symbol, variable:symbol",
        meaning: "What a method throws to its callers",
        rows: Rows::OfCode(|_, code, sink| {
            code.template.thrown.expand().into_iter().for_each(|var| sink.row([&code.name, &code.var(var)]));
        }),
    },
    Table {
        name: "Cast",
        columns: "method:symbol, offset:number, from:symbol, type:symbol",
        meaning: "A cast; each is an `Assign`, too",
        rows: Rows::OfCode(|dump, code, sink| {
            for cast in &code.template.casts {
                let ty = dump.names.program.type_name(cast.ty);
                sink.row([&code.name, &cast.offset.to_string(), &code.var(cast.from), &ty]);
            }
        }),
    },
    Table {
        name: "Init",
        columns: "method:symbol, class:symbol, offset:number",
        meaning: "The method initialises the class, if it is not yet",
        rows: Rows::OfStatements(|dump, code, stmt, sink| {
            if let Stmt::Init { class, offset } = *stmt {
                sink.row([&code.name, &dump.names.program.class_name(class), &offset.to_string()]);
            }
        }),
    },
    Table {
        name: "InitOf",
        columns: "variable:symbol, offset:number",
        meaning: "The classes whose class objects are in the variable are initialised",
        rows: Rows::OfStatements(|_, code, stmt, sink| {
            if let Stmt::InitOf { class, offset } = *stmt {
                sink.row([&code.var(class), &offset.to_string()]);
            }
        }),
    },
];

/// What a call runs, by what decides on it.
enum Target {
    Static(CodeId),
    Special(Var, CodeId),
    Inlined(Var, CodeId),
    Virtual(Var, MethodId),
    Asked(Var, Ask),
}

fn target(call: &CallSite) -> Option<Target> {
    match (call.callee, call.receiver.expand()) {
        (Callee::Fixed(callee) | Callee::Inlined(callee), None) => Some(Target::Static(callee)),
        (Callee::Fixed(callee), Some(receiver)) => Some(Target::Special(receiver, callee)),
        (Callee::Inlined(callee), Some(receiver)) => Some(Target::Inlined(receiver, callee)),
        (Callee::Virtual(resolved), Some(receiver)) => Some(Target::Virtual(receiver, resolved)),
        (Callee::Asked(ask), Some(class)) => Some(Target::Asked(class, ask)),
        (Callee::Virtual(_) | Callee::Asked(_), None) => None,
    }
}
