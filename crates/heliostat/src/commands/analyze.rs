//! `heliostat analyze`: call graph and points-to sets, in numbers and files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use heliostat_core::{Analysis, Opened};
use heliostat_report::{Files, callgraph, facts, lists, summary};

use super::analysis::{self, unwritable};
use crate::args::{AnalyzeOptions, Emitted, Format};
use crate::failure::Failure;
use crate::text::style;

pub(super) fn run(options: &AnalyzeOptions, out: &mut impl Write) -> Result<u8, Failure> {
    if options.emit.is_some() && options.output.output.is_none() {
        let message = "--emit facts writes tables into a directory; name one with -o DIR";
        return Err(Failure::Message(message.to_owned()));
    }
    let files = analysis::files(&options.output)?;
    let (opened, found) = analysis::run(&options.inputs, &options.analysis, options.messages)?;
    let written = match (files, &options.output.output) {
        (Some(files), Some(directory)) => {
            let written = write_files(&opened, &found, options.emit, files);
            shortened(written.map_err(|error| unwritable(directory, &error))?, directory)
        }
        _ => Vec::new(),
    };
    match options.format {
        Format::Text => {
            let more = if written.is_empty() { "-o DIR lists all" } else { "the files have all" };
            let style = style::of_output(false, options.messages, more);
            summary::text::write(&opened, &found, style, out)?;
            tell_files(&written, out)?;
        }
        Format::Json => summary::json::write(&found.summary, out)?,
    }
    out.flush()?;
    Ok(analysis::end(opened, found, options.messages))
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
    found: &Analysis,
    emit: Option<Emitted>,
    mut files: Files,
) -> io::Result<Vec<PathBuf>> {
    let graph = found.call_graph(opened);
    files.write("summary.json", |out| summary::json::write(&found.summary, out))?;
    files.write("callgraph.tsv", |out| callgraph::tsv::write(&graph, out))?;
    files.write("methods.txt", |out| lists::methods::write(&graph, out))?;
    files.write("entries.tsv", |out| lists::entries::write(opened, &found.entries, out))?;
    files.write("natives.tsv", |out| lists::natives::write(&found.gaps, out))?;
    files.write("gaps.tsv", |out| lists::gaps::write(&found.gaps, out))?;
    std::mem::forget(graph);
    if emit == Some(Emitted::Facts) {
        facts::write(opened, found, &mut files)?;
    }
    files.finish()
}
