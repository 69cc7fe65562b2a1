//! What a run did by reflection, as JSON: `schema` 1.

use std::io::{self, Write};

use heliostat_core::trace::{Action, Target, Trace};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    actions: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    api: &'static str,
    /// None if the JVM did it.
    caller: Option<String>,
    offset: Option<u32>,
    line: Option<u16>,
    #[serde(flatten)]
    target: Shown<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
}

/// What an action is about; classes by their descriptors, members by their classes' internal names.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Shown<'a> {
    Classes(&'a [String]),
    Method(Member<'a>),
    Field(Member<'a>),
}

#[derive(Serialize)]
struct Member<'a> {
    class: &'a str,
    name: &'a str,
    descriptor: &'a str,
}

pub(super) fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let actions = trace.actions.iter().map(|action| row(trace, action)).collect();
    serde_json::to_writer_pretty(&mut *out, &Document { schema: 1, actions })?;
    out.write_all(b"\n")
}

fn row<'a>(trace: &'a Trace, action: &'a Action) -> Row<'a> {
    let target = match &action.target {
        Target::Nothing => Shown::Classes(&[]),
        Target::Classes(classes) => Shown::Classes(classes),
        Target::Method(method) => {
            let (class, name) = (&method.class, &method.name);
            Shown::Method(Member { class, name, descriptor: &method.descriptor })
        }
        Target::Field { class, name, descriptor } => Shown::Field(Member { class, name, descriptor }),
    };
    Row {
        api: action.api.name(),
        caller: action.site.caller.map(|caller| trace.methods[caller].to_string()),
        offset: action.site.offset,
        line: action.site.line,
        target,
        detail: action.detail.as_deref(),
    }
}
