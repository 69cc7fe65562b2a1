//! What the commands that analyse share: from options to an analysis, and to files.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use heliostat_core::analysis::{Budget, Ended, HeapOptions, LogEntry, Summary};
use heliostat_core::trace::open_reflection_log;
use heliostat_core::{Analysis, AnalysisSettings, Opened, analyse};
use heliostat_report::Files;
use heliostat_report::summary::text::{UNREAD, ended_text};
use heliostat_report::text::counted;

use super::no_entry;
use crate::args::{AnalysisOptions, Inputs, Messages, Told};
use crate::failure::Failure;
use crate::progress::Meter;
use crate::{console, exit, interrupt, session};

/// Opens the inputs and analyses them.
pub(super) fn run(
    inputs: &Inputs,
    options: &AnalysisOptions,
    messages: Messages,
) -> Result<(Opened, Analysis), Failure> {
    let mut settings = settings(options);
    settings.reflection_log = reflection_log(&options.reflection_logs, messages)?;
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
    let open = |directory: &Path| Files::of(directory).map_err(|error| unwritable(directory, &error));
    directory.map(open).transpose()
}

/// A failure to write files.
pub(super) fn unwritable(directory: &Path, error: &io::Error) -> Failure {
    Failure::Message(format!("cannot write to {}: {error}", directory.display()))
}

/// The entries of logs of real runs. What makes no sense in them is told.
fn reflection_log(files: &[PathBuf], messages: Messages) -> Result<Vec<LogEntry>, Failure> {
    let mut entries = Vec::new();
    for file in files {
        let name = file.display();
        let log = open_reflection_log(file).map_err(|error| Failure::Message(error.to_string()))?;
        if let Some(first) = log.problems.first() {
            let count = counted(log.problems.len(), "line");
            let remark = format!("{name}: {count} cannot be read, as line {}: {}", first.number, first.what);
            console::remark(&remark, messages);
        }
        if log.entries.is_empty() {
            console::remark(&format!("{name}: not one entry of a TamiFlex log"), messages);
        }
        entries.extend(log.entries);
    }
    Ok(entries)
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
        reflection_log: Vec::new(),
        budget: Budget {
            started: Instant::now(),
            time: options.limits.time_limit,
            memory: options.limits.memory_limit,
            stop: interrupt::flag(),
        },
    }
}
