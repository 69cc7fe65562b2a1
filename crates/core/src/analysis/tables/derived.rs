//! What follows from the facts: what the analysis found, in its contexts.

use std::collections::HashMap;
use std::io;

use heliostat_program::FieldId;
use heliostat_pta::facts::{CodeId, Var};
use heliostat_pta::{CallEdge, ContextId, InstanceId, ObjectId};

use super::table::{Dump, Rows, Sink, Table};

/// The tables of what follows.
pub const TABLES: &[Table] = &[
    Table {
        name: "Reachable",
        columns: "method:symbol, context:symbol",
        meaning: "The method runs in the context",
        rows: Rows::OfCode(|dump, code, sink| {
            for &(_, context) in &code.instances {
                sink.row([&code.name, &dump.names.context(context)]);
            }
        }),
    },
    Table {
        name: "VarPointsTo",
        columns: "variable:symbol, context:symbol, object:symbol, object_context:symbol",
        meaning: "In the context, the variable may hold the object",
        rows: Rows::InOrder(var_points_to),
    },
    Table {
        name: "FieldPointsTo",
        columns: "base:symbol, base_context:symbol, field:symbol, object:symbol, object_context:symbol",
        meaning: "The field of the object `base` may hold the object; `[]` are the elements of an array",
        rows: Rows::InOrder(field_points_to),
    },
    Table {
        name: "StaticPointsTo",
        columns: "field:symbol, object:symbol, object_context:symbol",
        meaning: "The static field, or the variable of the models, may hold the object",
        rows: Rows::OfAll(static_points_to),
    },
    Table {
        name: "CallGraphEdge",
        columns: "site:symbol, context:symbol, callee:symbol, callee_context:symbol",
        meaning: "In the context, the call site may run the method in that context",
        rows: Rows::InOrder(call_graph),
    },
    Table {
        name: "Initialised",
        columns: "class:symbol",
        meaning: "The class may be initialised",
        rows: Rows::OfAll(|dump, sink| {
            for class in dump.names.solution.initialised() {
                sink.row([&dump.names.program.class_name(class)]);
            }
        }),
    },
];

/// The names of an object and of its context.
fn object<'a>(dump: &'a Dump<'_>, object: ObjectId) -> Option<(&'a str, String)> {
    let object = dump.names.solution.object(object)?;
    Some((dump.names.object(object.alloc), dump.names.context(object.context)))
}

fn var_points_to(dump: &Dump<'_>, sink: &mut Sink<'_>) -> io::Result<()> {
    for code in &dump.codes {
        let vars = (0..code.template.vars).map(Var::from_u32);
        let mut vars: Vec<(String, Var)> = vars.map(|var| (code.var(var), var)).collect();
        vars.sort_unstable();
        for (name, var) in vars {
            for &(instance, context) in &code.instances {
                let context = dump.names.context(context);
                for id in dump.names.solution.points_to(instance, var) {
                    let Some((object, of)) = object(dump, id) else { continue };
                    sink.row([&name, &context, object, &of]);
                }
            }
            sink.end()?;
        }
    }
    Ok(())
}

fn field_points_to(dump: &Dump<'_>, sink: &mut Sink<'_>) -> io::Result<()> {
    let solution = dump.names.solution;
    let name = |id| solution.object(id).map_or("", |object| dump.names.object(object.alloc));
    let mut fields: Vec<_> = solution.fields().into_iter().map(|field| (name(field.0), field)).collect();
    fields.sort_by_key(|&(name, _)| name);
    let mut last = "";
    for (base_name, (base, field, objects)) in fields {
        if std::mem::replace(&mut last, base_name) != base_name {
            sink.end()?;
        }
        let (Some((base, of)), field) = (object(dump, base), dump.names.field(field)) else { continue };
        for (object, object_of) in objects.into_iter().filter_map(|id| object(dump, id)) {
            sink.row([base, &of, &field, object, &object_of]);
        }
    }
    Ok(())
}

fn static_points_to(dump: &Dump<'_>, sink: &mut Sink<'_>) {
    let solution = dump.names.solution;
    let fields = (0..dump.names.program.fields().len() as u32).map(FieldId::from_u32);
    let fields = fields.map(|id| (id, solution.static_field(id))).filter(|(_, objects)| !objects.is_empty());
    let fields = fields.map(|(id, objects)| (dump.names.program.field_name(id), objects));
    let globals = solution.facts.globals().map(|(id, _)| (dump.names.global(id), solution.global(id)));
    for (field, objects) in fields.chain(globals) {
        for (object, of) in objects.into_iter().filter_map(|id| object(dump, id)) {
            sink.row([&field, object, &of]);
        }
    }
}

fn call_graph(dump: &Dump<'_>, sink: &mut Sink<'_>) -> io::Result<()> {
    let solution = dump.names.solution;
    let places: HashMap<InstanceId, (CodeId, ContextId)> =
        solution.instances().map(|(id, code, context)| (id, (code, context))).collect();
    let mut edges: HashMap<CodeId, Vec<CallEdge>> = HashMap::new();
    for edge in solution.edges() {
        edges.entry(solution.code_of(edge.caller)).or_default().push(edge);
    }
    for code in &dump.codes {
        for edge in edges.get(&code.id).into_iter().flatten() {
            if let (Some(&(_, from)), Some(&(callee, to))) =
                (places.get(&edge.caller), places.get(&edge.callee))
            {
                let [from, to] = [from, to].map(|context| dump.names.context(context));
                sink.row([&dump.names.site(edge.site), &from, &dump.names.code(callee), &to]);
            }
        }
        sink.end()?;
    }
    Ok(())
}
