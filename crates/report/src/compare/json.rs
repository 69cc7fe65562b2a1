//! A comparison as JSON.

use std::io::{self, Write};

use heliostat_core::compare::{Comparison, Coverage, Filter, Missed, Part, RootCause};
use serde::Serialize;

use super::Sides;

#[derive(Serialize)]
struct File<'a> {
    schema: u32,
    run: &'a str,
    reflection_log: Option<bool>,
    traces: Vec<&'a str>,
    foreign_traces: Vec<&'a str>,
    advice: Vec<String>,
    run_complete: bool,
    trace_complete: bool,
    edges: Vec<Row<Part>>,
    filtered: Vec<Row<Filter>>,
    app_methods: Coverage,
    methods: Coverage,
    reflection: Vec<Row<&'static str>>,
    causes: &'a [RootCause],
    missed: &'a [Missed],
    other_classes: &'a [String],
    unknown_classes: u64,
}

#[derive(Serialize)]
struct Row<K> {
    what: K,
    #[serde(flatten)]
    coverage: Coverage,
}

fn rows<K: Copy>(rows: &[(K, Coverage)]) -> Vec<Row<K>> {
    rows.iter().map(|&(what, coverage)| Row { what, coverage }).collect()
}

/// Writes everything, on several lines.
pub fn write(sides: &Sides, found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    let file = File {
        schema: 1,
        run: &sides.run,
        reflection_log: sides.reflection_log,
        traces: sides.traces.iter().map(|trace| trace.directory.as_str()).collect(),
        foreign_traces: sides.foreign(),
        advice: sides.advice(),
        run_complete: found.run_complete,
        trace_complete: found.trace_complete,
        edges: rows(&found.edges),
        filtered: rows(&found.filtered),
        app_methods: found.app_methods,
        methods: found.methods,
        reflection: rows(&found.reflection),
        causes: &found.causes,
        missed: &found.missed,
        other_classes: &found.other_classes,
        unknown_classes: found.unknown_classes,
    };
    serde_json::to_writer_pretty(&mut *out, &file)?;
    writeln!(out)
}
