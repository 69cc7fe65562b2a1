//! The files of a run: the name of each, and what is written there.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use heliostat_core::analysis::CallGraph;
use heliostat_core::{Analysis, Opened};
use heliostat_report::text::counted;
use heliostat_report::{Files, Finished, callgraph, facts, lists, summary};

use crate::args::{GraphFormat, Messages, ReflectionFormat};
use crate::console;
use crate::failure::Failure;

/// The name of the file with the numbers.
pub(super) const SUMMARY: &str = "summary.json";

/// A file of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    Summary,
    Graph(GraphFormat),
    Methods,
    Entries,
    Natives,
    Gaps,
    Missing,
    Classes,
    Reflection,
}

/// All that there are.
const ALL: [Output; 11] = [
    Output::Summary,
    Output::Graph(GraphFormat::Tsv),
    Output::Graph(GraphFormat::Json),
    Output::Graph(GraphFormat::Dot),
    Output::Methods,
    Output::Entries,
    Output::Natives,
    Output::Gaps,
    Output::Missing,
    Output::Classes,
    Output::Reflection,
];

/// What files are made of.
pub(super) struct Found<'a> {
    pub(super) opened: &'a Opened,
    pub(super) analysis: &'a Analysis,
    pub(super) graph: CallGraph<'a>,
}

impl Output {
    fn name(self) -> &'static str {
        match self {
            Self::Summary => SUMMARY,
            Self::Graph(GraphFormat::Tsv) => "callgraph.tsv",
            Self::Graph(GraphFormat::Json) => "callgraph.json",
            Self::Graph(GraphFormat::Dot) => "callgraph.dot",
            Self::Methods => "methods.txt",
            Self::Entries => "entries.tsv",
            Self::Natives => "natives.tsv",
            Self::Gaps => "gaps.tsv",
            Self::Missing => "missing.tsv",
            Self::Classes => "classes.tsv",
            Self::Reflection => "reflection.tsv",
        }
    }

    pub(super) fn write(self, found: &Found<'_>, out: &mut impl Write) -> io::Result<()> {
        let Found { opened, analysis, graph } = found;
        let (gaps, complete) = (&analysis.gaps, analysis.summary.result.complete);
        match self {
            Self::Summary => summary::json::write(&analysis.summary, out),
            Self::Graph(GraphFormat::Tsv) => callgraph::tsv::write(graph, complete, out),
            Self::Graph(GraphFormat::Json) => callgraph::json::write(graph, complete, out),
            Self::Graph(GraphFormat::Dot) => callgraph::dot::write(graph, complete, out),
            Self::Methods => lists::methods::write(graph, complete, out),
            Self::Entries => lists::entries::write(opened, analysis, out),
            Self::Natives => lists::natives::write(gaps, complete, out),
            Self::Gaps => lists::gaps::write(gaps, complete, out),
            Self::Missing => lists::missing::write(gaps, complete, out),
            Self::Classes => lists::classes::write(opened, complete, out),
            Self::Reflection => lists::reflection::write(&analysis.reflective, complete, out),
        }
    }
}

/// What came of writing to standard output. That whoever reads it wants no more of it, as `head` does, ends the writing, but
/// changes nothing about the result, of which the exit code tells.
pub(super) fn printed(written: io::Result<()>) -> Result<(), Failure> {
    match written.map_err(Failure::from) {
        Err(Failure::ReaderGone) => Ok(()),
        other => other,
    }
}

/// Writes files, under other names for now.
pub(super) fn write(files: &mut Files, outputs: &[Output], found: &Found<'_>) -> io::Result<()> {
    outputs.iter().try_for_each(|&output| files.write(output.name(), |out| output.write(found, out)))
}

/// Gives the files their names; returns the paths. Those of an older run go, and that is told.
pub(super) fn finish(files: Files, messages: Messages) -> io::Result<Vec<PathBuf>> {
    let sites = ReflectionFormat::value_variants().iter().map(|format| format.file());
    let names = ALL.iter().map(|output| output.name()).chain(sites).map(str::to_owned);
    let known: Vec<String> = names.chain(facts::names()).collect();
    let Finished { written, removed } = files.finish(&known)?;
    if !removed.is_empty() {
        let removed = shortened(&removed).join(", ");
        console::remark(&format!("removed what an older run had written there: {removed}"), messages);
    }
    Ok(written)
}

/// The names of files, and the number of files in place of those below a directory.
fn shortened(names: &[String]) -> Vec<String> {
    let directory = |name: &String| name.rsplit_once('/').map(|(directory, _)| directory.to_owned());
    let groups = names.chunk_by(|a, b| directory(a).is_some() && directory(a) == directory(b));
    let text = |group: &[String]| match group.first().and_then(directory) {
        Some(directory) => format!("{directory}/ ({})", counted(group.len(), "file")),
        None => group.concat(),
    };
    groups.map(text).collect()
}
