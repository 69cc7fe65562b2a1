//! What was run, by which JVMs, and what is not known of it, as `trace.json`: `schema` 1.

use std::io::{self, Write};

use heliostat_core::trace::{Exit, Method, Process, Recorded, Table};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    version: &'static str,
    command: &'a [String],
    exit: Option<Ended>,
    total: Total,
    jvms: Vec<Jvm<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Ended {
    Code(i32),
    Signal(i32),
}

#[derive(Serialize)]
struct Total {
    classes: usize,
    generated_classes: usize,
    /// Methods that were called.
    methods: usize,
    call_edges: usize,
    calls: u64,
    reflective_actions: usize,
}

#[derive(Serialize)]
struct Jvm<'a> {
    name: &'a str,
    pid: Option<u32>,
    java_version: Option<&'a str>,
    vm_version: Option<&'a str>,
    java_home: Option<&'a str>,
    still_running: bool,
    classes: usize,
    call_edges: usize,
    calls: u64,
    reflective_actions: usize,
    lost: Missing,
    untraced_methods: Vec<String>,
    methods_without_sites: Vec<String>,
    unreadable_classes: &'a [String],
}

#[derive(Serialize)]
struct Missing {
    calls_without_room: u64,
    call_edges_unexplained: usize,
    log_bytes: usize,
    table: &'static str,
}

pub(super) fn write(recorded: &Recorded, out: &mut impl Write) -> io::Result<()> {
    let exit = recorded.exit.map(|exit| match exit {
        Exit::Code(code) => Ended::Code(code),
        Exit::Signal(signal) => Ended::Signal(signal),
    });
    let document = Document {
        schema: 1,
        version: env!("CARGO_PKG_VERSION"),
        command: &recorded.command,
        exit,
        total: total(recorded),
        jvms: recorded.trace.processes.iter().map(|process| jvm(recorded, process)).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn total(recorded: &Recorded) -> Total {
    let trace = &recorded.trace;
    Total {
        classes: trace.classes.len(),
        generated_classes: trace.classes.iter().filter(|class| class.is_generated).count(),
        methods: trace.called_methods(),
        call_edges: trace.calls.len(),
        calls: trace.processes.iter().fold(0, |sum, process| sum.saturating_add(process.calls)),
        reflective_actions: trace.actions.len(),
    }
}

fn jvm<'a>(recorded: &Recorded, process: &'a Process) -> Jvm<'a> {
    let property = |name| process.properties.get(name).map(String::as_str);
    let texts = |methods: &[Method]| methods.iter().map(Method::to_string).collect();
    let table = match process.lost.table {
        Table::Whole => "whole",
        Table::CutOff => "cut off",
        Table::Missing => "missing",
    };
    let lost = &process.lost;
    Jvm {
        name: &process.name,
        pid: process.pid,
        java_version: property("java.vm.specification.version"),
        vm_version: property("java.vm.version"),
        java_home: property("java.home"),
        still_running: recorded.running.contains(&process.name),
        classes: process.classes,
        call_edges: process.call_edges,
        calls: process.calls,
        reflective_actions: process.actions,
        lost: Missing {
            calls_without_room: lost.calls,
            call_edges_unexplained: lost.unexplained,
            log_bytes: lost.log_bytes,
            table,
        },
        untraced_methods: texts(&process.untraced),
        methods_without_sites: texts(&process.coarse),
        unreadable_classes: &process.unreadable,
    }
}
