//! `heliostat callgraph`: who calls whom.

use std::io::Write;

use clap::ValueEnum;

use super::analysis::{self, unwritable};
use super::output::{self, Found, Output};
use super::uncovered;
use crate::args::{CallgraphOptions, GraphFormat};
use crate::failure::Failure;

pub(super) fn run(options: &CallgraphOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let run = &options.run;
    let is_asked = |format: &GraphFormat| options.formats.contains(format);
    let formats: Vec<GraphFormat> = GraphFormat::value_variants().iter().copied().filter(is_asked).collect();
    if let [_, _, ..] = formats[..]
        && run.output.is_none()
    {
        let message = "several formats are written into a directory; name one with -o DIR";
        return Err(Failure::Message(message.to_owned()));
    }
    let files = analysis::files(run.output.as_deref())?;
    let (opened, analysis) = analysis::run(&run.inputs, &run.analysis, run.messages)?;
    let graph =
        if options.app_only { analysis.app_call_graph(&opened) } else { analysis.call_graph(&opened) };
    let found = Found { opened: &opened, analysis: &analysis, graph };
    if let (Some(mut files), Some(directory)) = (files, &run.output) {
        let graphs = formats.iter().copied().map(Output::Graph);
        let besides = [Output::Summary, Output::Gaps, Output::Natives, Output::Missing];
        let outputs: Vec<Output> = graphs.chain(besides).collect();
        output::write(&mut files, &outputs, &found)
            .and_then(|()| output::finish(files, run.messages))
            .map_err(|error| unwritable(directory, &error))?;
    } else {
        let format = formats.first().copied().unwrap_or(GraphFormat::Tsv);
        output::printed(Output::Graph(format).write(&found, out).and_then(|()| out.flush()))?;
    }
    std::mem::forget(found.graph);
    uncovered::tell(&analysis.gaps, "the files of -o tell where", run.messages);
    Ok(analysis::end(opened, analysis, run.messages))
}
