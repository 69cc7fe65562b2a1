//! What the commands that analyse share: from options to an analysis, and to files.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use heliostat_core::analysis::{
    Budget, Ended, HeapOptions, LogEntry, ReflectionSettings, Summary, Unused, UnusedEntry,
};
use heliostat_core::trace::tamiflex::{Kind, Log};
use heliostat_core::trace::{is_trace, open_reflection_log};
use heliostat_core::{Analysis, AnalysisSettings, Opened, analyse};
use heliostat_report::Files;
use heliostat_report::summary::text::{UNREAD, ended_text};
use heliostat_report::text::{counted, thousands};

use super::annotations::Annotated;
use super::no_entry;
use crate::args::{AnalysisOptions, Inputs, Messages, Told};
use crate::failure::Failure;
use crate::progress::Meter;
use crate::{console, exit, interrupt, session};

/// How many unused entries of logs are told.
const MOST_UNUSED: usize = 20;

/// Opens the inputs and analyses them.
pub(super) fn run(
    inputs: &Inputs,
    options: &AnalysisOptions,
    messages: Messages,
) -> Result<(Opened, Analysis), Failure> {
    let mut settings = settings(options);
    let (logs, entries) = reflection_log(&options.reflection_logs, messages)?;
    settings.reflection_log = entries;
    let annotated = Annotated::read(&options.annotations, messages)?;
    settings.annotations.clone_from(&annotated.annotations);
    let mut opened = session::open_within(inputs, &settings.budget, messages)?;
    let analysis = match session::require_classes(&opened) {
        Ok(()) => {
            let mut meter = Meter::start(messages);
            analyse(&mut opened, &settings, &mut |step| meter.show(step))
                .map_err(|why| Failure::Message(no_entry::text(&why, &inputs.jdk.jdk)))
        }
        Err(failure) => Err(failure),
    };
    // What is wrong with the input may be why nothing can be done with it.
    if analysis.is_err() {
        console::problems(opened.problems.listed(), opened.problems.total(), messages);
    }
    if let Ok(analysis) = &analysis {
        tell_unused(&analysis.unused_log, &logs, &settings.reflection_log, messages);
        annotated.tell_unused(&analysis.unused_annotations, messages);
    }
    match (analysis, opened.ended()) {
        (Err(Failure::Message(why)), Some(ended)) => Err(Failure::Ended(unread(ended, &why))),
        (analysis, _) => Ok((opened, analysis?)),
    }
}

/// What is not there may be in what was not read.
pub(super) fn unread(ended: Ended, why: &str) -> String {
    let what = match ended {
        Ended::Time => "the time limit ended",
        Ended::Memory => "the memory limit ended",
        Ended::Interrupt => "an interrupt ended",
    };
    format!("{what} the reading of the inputs; so far {why}")
}

/// Tells problems and whether a budget ended the analysis; returns the exit code. To be called when everything is written.
pub(super) fn end(opened: Opened, analysis: Analysis, messages: Messages) -> u8 {
    console::problems(opened.problems.listed(), opened.problems.total(), messages);
    let code = verdict(&analysis.summary, messages);
    // Gigabytes are given back faster by the end of the process than piece by piece.
    std::mem::forget((opened, analysis));
    code
}

fn verdict(summary: &Summary, messages: Messages) -> u8 {
    if !summary.input.complete {
        console::remark(UNREAD, messages);
    }
    match summary.result.ended_by {
        None => exit::DONE,
        Some(ended) => {
            console::remark(&format!("{}; the result is incomplete", ended_text(ended, summary)), messages);
            exit::BUDGET
        }
    }
}

/// The directory to write to, if there is one; fails before anything is analysed in vain.
pub(super) fn files(directory: Option<&Path>) -> Result<Option<Files>, Failure> {
    let open = |directory: &Path| {
        if is_trace(directory) {
            let why = "it holds a trace, which this would overwrite in part; name another directory";
            return Err(Failure::Message(format!("cannot write to {}: {why}", directory.display())));
        }
        Files::of(directory).map_err(|error| unwritable(directory, &error))
    };
    directory.map(open).transpose()
}

/// A failure to write files.
pub(super) fn unwritable(directory: &Path, error: &io::Error) -> Failure {
    Failure::Message(format!("cannot write to {}: {error}", directory.display()))
}

/// The entries of logs of real runs, and of each the file that it is in. What makes no sense in them is told.
fn reflection_log(files: &[PathBuf], messages: Messages) -> Result<(Vec<&Path>, Vec<LogEntry>), Failure> {
    let mut entries = Vec::new();
    let mut logs = Vec::new();
    for file in files {
        let name = file.display();
        let log = open_reflection_log(file).map_err(|error| Failure::Message(error.to_string()))?;
        if let Some(first) = log.problems.first() {
            if !has_known(&log) {
                let why = format!("this is no TamiFlex log, as line {}: {}", first.number, first.what);
                return Err(Failure::Message(format!("{name}: {why}")));
            }
            let count = counted(log.problems.len(), "line");
            let remark = format!("{name}: {count} cannot be read, as line {}: {}", first.number, first.what);
            console::remark(&remark, messages);
        }
        if log.entries.is_empty() {
            console::remark(&format!("{name}: not one entry of a TamiFlex log"), messages);
        }
        logs.resize(logs.len() + log.entries.len(), file.as_path());
        entries.extend(log.entries);
    }
    Ok((logs, entries))
}

/// Whether a log has an entry of a kind that is known: of another kind may be any text with semicolons.
fn has_known(log: &Log) -> bool {
    log.entries.iter().any(|entry| matches!(entry.kind, Kind::Known(_)))
}

/// Tells which entries of logs are not used, if that was asked for.
fn tell_unused(unused: &[UnusedEntry], logs: &[&Path], entries: &[LogEntry], messages: Messages) {
    if !messages.verbose {
        return;
    }
    for &UnusedEntry { index, why } in unused.iter().take(MOST_UNUSED) {
        let (Some(log), Some(entry)) = (logs.get(index), entries.get(index)) else { continue };
        let why = match why {
            Unused::Unreached => "its call is not reached, or not at that line",
            Unused::Unknown => "the program does not have its names",
            Unused::Other | Unused::NoCall => "its kind says nothing here",
        };
        let (log, number) = (log.display(), entry.number);
        console::remark(&format!("{log}, line {number}: {entry} is not used: {why}"), messages);
    }
    let left = unused.len().saturating_sub(MOST_UNUSED);
    if left > 0 {
        console::remark(&format!("… and {} not used", thousands(left)), messages);
    }
}

fn settings(options: &AnalysisOptions) -> AnalysisSettings {
    let distinct = |told| told == Told::Distinct;
    AnalysisSettings {
        mains: options.mains.clone(),
        entries: options.entries.clone(),
        context: options.context,
        most_contexts: options.most_contexts,
        heap: HeapOptions {
            distinct_strings: distinct(options.heap_strings),
            distinct_builders: distinct(options.heap_builders),
            distinct_exceptions: distinct(options.heap_exceptions),
        },
        reflection: ReflectionSettings { mode: options.reflection, ..ReflectionSettings::default() },
        reflection_log: Vec::new(),
        annotations: Vec::new(),
        budget: Budget {
            started: Instant::now(),
            time: options.limits.time_limit,
            memory: options.limits.memory_limit,
            stop: interrupt::flag(),
        },
    }
}
