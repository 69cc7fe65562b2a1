//! `heliostat compare`: what real runs did that the analysis does not have.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use heliostat_core::compare::{
    BadRun, Comparison, Recorded, StaticRun, compare, is_of_the_inputs, made_and_not_analysed,
};
use heliostat_core::trace::{self, Trace};
use heliostat_report::compare::{Sides, TraceSide, json, text};

use super::output;
use super::trace::tell_missing;
use crate::args::{CompareOptions, Format};
use crate::failure::Failure;
use crate::{console, exit};

pub(super) fn run(options: &CompareOptions, out: &mut impl Write) -> Result<u8, Failure> {
    check_directories(options)?;
    let run = read_run(&options.run)?;
    let mut sides = Sides {
        run: options.run.display().to_string(),
        reflection_log: had_reflection_log(&options.run),
        traces: Vec::new(),
    };
    let mut recorded = Recorded::default();
    for directory in &options.traces {
        let trace = trace::open(directory)?;
        tell_missing(&trace, options.messages);
        let one = Recorded::from(&trace.trace);
        sides.traces.push(trace_side(&run, directory, &trace.trace, &one));
        recorded.add(one);
    }
    if recorded.calls.is_empty() {
        console::remark(
            "the trace has no calls: no JVM ran, or none of its classes could be traced",
            options.messages,
        );
    }
    let found = compare(&run, &recorded);
    if let Some(file) = &options.output {
        write_file(file, &sides, &found)
            .map_err(|error| Failure::Message(format!("cannot write {}: {error}", file.display())))?;
    }
    let written = match options.format {
        Format::Text => text::write(&sides, &found, out),
        Format::Json => json::write(&sides, &found, out),
    };
    output::printed(written.and_then(|()| out.flush()))?;
    Ok(exit::DONE)
}

fn write_file(file: &Path, sides: &Sides, found: &Comparison) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    json::write(sides, found, &mut out)?;
    out.flush()
}

/// Tells if a trace is where an analysis should be, or the other way round.
fn check_directories(options: &CompareOptions) -> Result<(), Failure> {
    let first = "the directory of the analysis comes first, then those of traces";
    let mixed_up = |directory: &Path, what: &str| {
        Err(Failure::Message(format!("`{}` is {what}: {first}", directory.display())))
    };
    if is_trace(&options.run) && !is_run(&options.run) {
        return mixed_up(&options.run, "a trace");
    }
    match options.traces.iter().find(|directory| is_run(directory) && !is_trace(directory)) {
        Some(directory) => mixed_up(directory, "an analysis"),
        None => Ok(()),
    }
}

/// Whether `heliostat trace` wrote a directory.
fn is_trace(directory: &Path) -> bool {
    let has = |name: &str| directory.join(name).is_file();
    has("raw/run") || has("calls.tsv") && has("trace.json")
}

/// Whether `heliostat analyze -o` wrote a directory.
fn is_run(directory: &Path) -> bool {
    ["summary.json", "methods.txt"].iter().all(|name| directory.join(name).is_file())
}

/// Whether an analysis had a log of reflection, if its summary says.
fn had_reflection_log(directory: &Path) -> Option<bool> {
    let summary = fs::read(directory.join("summary.json")).ok()?;
    let summary: serde_json::Value = serde_json::from_slice(&summary).ok()?;
    let reflection = summary.get("reflection")?.as_object()?;
    Some(reflection.get("log").is_some_and(|log| !log.is_null()))
}

/// What is to be told of a trace by itself.
fn trace_side(run: &StaticRun, directory: &Path, trace: &Trace, recorded: &Recorded) -> TraceSide {
    let made = trace.made.iter().map(|class| class.name.as_str());
    let has_jar = directory.join("generated.jar").is_file();
    let log = fs::read(directory.join("reflection.log"));
    TraceSide {
        directory: directory.display().to_string(),
        is_of_the_inputs: is_of_the_inputs(run, recorded),
        made_and_not_analysed: if has_jar { made_and_not_analysed(run, recorded, made) } else { 0 },
        has_reflection_log: log.is_ok_and(|log| !log.trim_ascii().is_empty()),
    }
}

/// Reads the files of a run that are needed.
fn read_run(directory: &Path) -> Result<StaticRun, Failure> {
    let read = |name: &str| {
        let path = directory.join(name);
        fs::read_to_string(&path).map_err(|error| {
            let hint = "`heliostat analyze -o DIR` writes it";
            Failure::Message(format!("cannot read {}: {error}; {hint}", path.display()))
        })
    };
    let (methods, graph, classes) = (read("methods.txt")?, read("callgraph.tsv")?, read("classes.tsv")?);
    let bad = |BadRun { file, line, what }| {
        Failure::Message(format!("{}, line {line}: {what}", directory.join(file).display()))
    };
    let mut run = StaticRun::read(&methods, &graph, &classes).map_err(bad)?;
    run.read_reflection(&read("reflection.tsv")?).map_err(bad)?;
    Ok(run)
}
