//! The summary for people: what was analysed, from where, what was found, what is not covered, what it cost.

mod entries;
mod gaps;
mod log;
mod numbers;

pub use entries::flaw;

use std::io::{self, Write};

use heliostat_core::analysis::{Ended, Summary, SummaryReflection};
use heliostat_core::{Analysis, Opened};

use crate::text::{Style, bytes, file, fit, thousands};

/// What to know where the reading of the inputs was ended.
pub const UNREAD: &str =
    "not all classes were read before the end; what was not read is not listed as missing";

/// Writes the summary.
pub fn write(opened: &Opened, analysis: &Analysis, style: Style, out: &mut impl Write) -> io::Result<()> {
    let summary = &analysis.summary;
    writeln!(out, "{}", subject(summary, style))?;
    if let Some(ended) = summary.result.ended_by {
        writeln!(out, "\nIncomplete: {}. What is here is true, but not all.", ended_text(ended, summary))?;
    }
    let unread = (!summary.input.complete).then_some(UNREAD);
    for warning in analysis.warnings.iter().map(String::as_str).chain(unread) {
        writeln!(out, "\nWarning: {warning}")?;
    }
    entries::write(opened, &analysis.entries, style, out)?;
    numbers::write(&summary.result, style, out)?;
    log::write(summary, out)?;
    gaps::write(&analysis.gaps, summary, style, out)?;
    problems(summary, style, out)?;
    writeln!(out, "\n{}", cost(summary))
}

/// What was analysed, and how.
pub(crate) fn subject(summary: &Summary, style: Style) -> String {
    let input = &summary.input;
    let names: Vec<String> = input.inputs.iter().map(|name| file(name).to_owned()).collect();
    let names = fit(&names, names.len(), style.width / 2);
    let noun = if input.app_classes == 1 { "class" } else { "classes" };
    let classes = format!("{} {noun}", number(input.app_classes));
    let jdk = input.jdk.as_ref().map_or("no JDK".to_owned(), |version| format!("JDK {version}"));
    let context = match summary.settings.context.as_str() {
        "insens" => "context-insensitive".to_owned(),
        context => format!("context {context}"),
    };
    let reflection = reflection(&summary.reflection);
    format!("{names} ({classes}) with {jdk}, {context}, {reflection}")
}

/// What reflection is known from.
fn reflection(known: &SummaryReflection) -> String {
    let constants = (known.mode != "none").then_some(known.mode);
    let log = known.log.as_ref().map(|_| "a log");
    let annotations = known.annotations.as_ref().map(|_| "annotations");
    let sources: Vec<&str> = [constants, log, annotations].into_iter().flatten().collect();
    match sources.split_last() {
        None => "without reflection".to_owned(),
        Some((last, [])) => format!("reflection from {last}"),
        Some((last, others)) => format!("reflection from {} and {last}", others.join(", ")),
    }
}

fn problems(summary: &Summary, style: Style, out: &mut impl Write) -> io::Result<()> {
    let number = number(summary.problems);
    match summary.problems {
        0 => Ok(()),
        _ if style.quiet => writeln!(out, "\nProblems ({number}), not shown (-q)"),
        _ => writeln!(out, "\nProblems ({number}), told on standard error"),
    }
}

/// What it cost.
fn cost(summary: &Summary) -> String {
    let time = &summary.time;
    let total =
        format!("{:.1} s ({:.1} s to read, {:.1} s to solve)", time.total_s, time.load_s, time.solve_s);
    let memory = summary.peak_rss_bytes.map(|peak| format!(", {}", bytes(peak))).unwrap_or_default();
    let verb = if summary.result.complete { "Done in" } else { "Ended after" };
    format!("{verb} {total}{memory}")
}

/// What ended an analysis.
pub fn ended_text(ended: Ended, summary: &Summary) -> String {
    let settings = &summary.settings;
    match (ended, settings.time_limit_s, settings.memory_limit_bytes) {
        (Ended::Time, Some(limit), _) => format!("the time limit of {limit} s ended the analysis"),
        (Ended::Memory, _, Some(limit)) => format!("the memory limit of {} ended the analysis", bytes(limit)),
        (Ended::Time, ..) => "the time limit ended the analysis".to_owned(),
        (Ended::Memory, ..) => "the memory limit ended the analysis".to_owned(),
        (Ended::Interrupt, ..) => "the analysis was interrupted".to_owned(),
    }
}

fn number(number: u64) -> String {
    thousands(number as usize)
}
