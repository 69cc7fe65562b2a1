//! `heliostat analyze`: call graph and points-to sets, in numbers and files.

use std::io::{self, Write};
use std::path::PathBuf;

use heliostat_core::{Analysis, Opened};
use heliostat_report::{Files, callgraph, lists, summary};

use super::analysis::{self, unwritable};
use crate::args::{AnalyzeOptions, Format};
use crate::failure::Failure;
use crate::text::style;

pub(super) fn run(options: &AnalyzeOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let files = analysis::files(&options.analysis)?;
    let (opened, found) = analysis::run(&options.inputs, &options.analysis, options.messages)?;
    let written = match (files, &options.analysis.output) {
        (Some(files), Some(directory)) => {
            write_files(&opened, &found, files).map_err(|error| unwritable(directory, &error))?
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

fn tell_files(written: &[PathBuf], out: &mut impl Write) -> io::Result<()> {
    if !written.is_empty() {
        writeln!(out, "\nWritten:")?;
    }
    written.iter().try_for_each(|path| writeln!(out, "  {}", path.display()))
}

fn write_files(opened: &Opened, found: &Analysis, mut files: Files) -> io::Result<Vec<PathBuf>> {
    let graph = found.call_graph(opened);
    files.write("summary.json", |out| summary::json::write(&found.summary, out))?;
    files.write("callgraph.tsv", |out| callgraph::tsv::write(&graph, out))?;
    files.write("methods.txt", |out| lists::methods::write(&graph, out))?;
    files.write("entries.tsv", |out| lists::entries::write(opened, &found.entries, out))?;
    files.write("natives.tsv", |out| lists::natives::write(&found.gaps, out))?;
    files.write("gaps.tsv", |out| lists::gaps::write(&found.gaps, out))?;
    std::mem::forget(graph);
    files.finish()
}
