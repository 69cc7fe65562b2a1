//! `heliostat callgraph`: who calls whom.

use std::io::{self, Write};

use heliostat_core::analysis::CallGraph;
use heliostat_report::{callgraph, summary};

use super::analysis::{self, unwritable};
use crate::args::{CallgraphOptions, GraphFormat};
use crate::failure::Failure;

pub(super) fn run(options: &CallgraphOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let files = analysis::files(&options.output)?;
    let (opened, found) = analysis::run(&options.inputs, &options.analysis, options.messages)?;
    let graph = found.call_graph(&opened);
    let (format, complete) = (options.format, found.summary.result.complete);
    match (files, &options.output.output) {
        (Some(mut files), Some(directory)) => {
            let written = files
                .write(name(format), |file| write(&graph, format, complete, file))
                .and_then(|()| files.write("summary.json", |file| summary::json::write(&found.summary, file)))
                .and_then(|()| files.finish());
            written.map_err(|error| unwritable(directory, &error))?;
        }
        _ => write(&graph, format, complete, out)?,
    }
    out.flush()?;
    std::mem::forget(graph);
    Ok(analysis::end(opened, found, options.messages))
}

fn name(format: GraphFormat) -> &'static str {
    match format {
        GraphFormat::Tsv => "callgraph.tsv",
        GraphFormat::Json => "callgraph.json",
        GraphFormat::Dot => "callgraph.dot",
    }
}

fn write(graph: &CallGraph<'_>, format: GraphFormat, complete: bool, out: &mut impl Write) -> io::Result<()> {
    match format {
        GraphFormat::Tsv => callgraph::tsv::write(graph, out),
        GraphFormat::Json => callgraph::json::write(graph, complete, out),
        GraphFormat::Dot => callgraph::dot::write(graph, complete, out),
    }
}
