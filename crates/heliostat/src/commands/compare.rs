//! `heliostat compare`: what real runs did that the analysis does not have.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use heliostat_core::compare::{BadRun, Comparison, Recorded, StaticRun, compare};
use heliostat_core::trace;
use heliostat_report::compare::{json, text};

use super::output;
use super::trace::tell_missing;
use crate::args::{CompareOptions, Format};
use crate::failure::Failure;
use crate::{console, exit};

pub(super) fn run(options: &CompareOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let run = read_run(&options.run)?;
    let mut recorded = Recorded::default();
    for directory in &options.traces {
        let trace = trace::open(directory)?;
        tell_missing(&trace, options.messages);
        recorded.add(Recorded::from(&trace.trace));
    }
    if recorded.calls.is_empty() {
        console::remark(
            "the trace has no calls: no JVM ran, or none of its classes could be traced",
            options.messages,
        );
    }
    let found = compare(&run, &recorded);
    if let Some(file) = &options.output {
        write_file(file, &found)
            .map_err(|error| Failure::Message(format!("cannot write {}: {error}", file.display())))?;
    }
    let written = match options.format {
        Format::Text => text::write(&found, out),
        Format::Json => json::write(&found, out),
    };
    output::printed(written.and_then(|()| out.flush()))?;
    Ok(exit::DONE)
}

fn write_file(file: &Path, found: &Comparison) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    json::write(found, &mut out)?;
    out.flush()
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
