//! `heliostat analyze`: call graph and points-to sets, in numbers and files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use heliostat_core::{Analysis, Opened};
use heliostat_report::{Files, facts, summary};

use super::analysis::{self, unwritable};
use super::output::{self, Found, Output};
use crate::args::{AnalyzeOptions, Emitted, Format, GraphFormat};
use crate::failure::Failure;
use crate::text::style;

/// What is written with `-o`, in the order in which it is told.
const OUTPUTS: [Output; 9] = [
    Output::Summary,
    Output::Graph(GraphFormat::Tsv),
    Output::Methods,
    Output::Entries,
    Output::Natives,
    Output::Gaps,
    Output::Missing,
    Output::Classes,
    Output::Reflection,
];

pub(super) fn run(options: &AnalyzeOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let run = &options.run;
    if options.emit.is_some() && run.output.is_none() {
        let message = "--emit facts writes tables into a directory; name one with -o DIR";
        return Err(Failure::Message(message.to_owned()));
    }
    let files = analysis::files(run.output.as_deref())?;
    let (opened, found) = analysis::run(&run.inputs, &run.analysis, run.messages)?;
    let written = match (files, &run.output) {
        (Some(files), Some(directory)) => {
            let written = write_files(&opened, &found, options, files);
            shortened(written.map_err(|error| unwritable(directory, &error))?, directory)
        }
        _ => Vec::new(),
    };
    output::printed(print(&opened, &found, options, &written, out))?;
    Ok(analysis::end(opened, found, run.messages))
}

fn print(
    opened: &Opened,
    found: &Analysis,
    options: &AnalyzeOptions,
    written: &[PathBuf],
    out: &mut impl Write,
) -> io::Result<()> {
    match options.format {
        Format::Text => {
            let more = if written.is_empty() { "-o DIR lists all" } else { "the files have all" };
            let style = style::of_output(false, options.run.messages, more);
            summary::text::write(opened, found, style, out)?;
            tell_files(written, out)?;
        }
        Format::Json => summary::json::write(&found.summary, out)?,
    }
    out.flush()
}

/// The files of a directory, and the directories below it in place of theirs.
fn shortened(files: Vec<PathBuf>, directory: &Path) -> Vec<PathBuf> {
    let top = |path: PathBuf| match path.parent() {
        Some(parent) if parent != directory => parent.join(""),
        _ => path,
    };
    let mut paths: Vec<PathBuf> = files.into_iter().map(top).collect();
    paths.dedup();
    paths
}

fn tell_files(written: &[PathBuf], out: &mut impl Write) -> io::Result<()> {
    if !written.is_empty() {
        writeln!(out, "\nWritten:")?;
    }
    written.iter().try_for_each(|path| writeln!(out, "  {}", path.display()))
}

fn write_files(
    opened: &Opened,
    analysis: &Analysis,
    options: &AnalyzeOptions,
    mut files: Files,
) -> io::Result<Vec<PathBuf>> {
    let found = Found { opened, analysis, graph: analysis.call_graph(opened) };
    output::write(&mut files, &OUTPUTS, &found)?;
    std::mem::forget(found.graph);
    if options.emit == Some(Emitted::Facts) {
        facts::write(opened, analysis, &mut files)?;
    }
    output::finish(files, options.run.messages)
}
