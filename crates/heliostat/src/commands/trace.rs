//! `heliostat trace`: runs a program, and keeps what it did.

mod agent;
mod program;

use std::path::Path;

use heliostat_core::trace::{self, Class, Exit, Recorded, Recording, Table, TraceError};
use heliostat_report::text::{counted, thousands};
use heliostat_report::trace::TraceFile;
use heliostat_report::{Files, Finished};

use super::analysis::unwritable;
use crate::args::{Messages, TraceOptions};
use crate::failure::Failure;
use crate::{console, exit};
use agent::AgentFile;
use program::Program;

pub(super) fn run(options: &TraceOptions) -> Result<u8, Failure> {
    let messages = Messages { quiet: options.quiet, verbose: false };
    match &options.finish {
        Some(directory) => {
            let recorded = finish(directory, messages)?;
            Ok(if has_jvm(&recorded) { exit::DONE } else { exit::BAD })
        }
        None => record(options, messages),
    }
}

/// Runs the program, with nothing left to do for the trace but to make its files.
fn record(options: &TraceOptions, messages: Messages) -> Result<u8, Failure> {
    let directory = options.output.as_path();
    let known = TraceFile::ALL.map(TraceFile::name);
    let words: Vec<String> = options.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut recording = Recording::begin(directory, &known, &words)?;
    let mut agent = AgentFile::new()?;
    let option = agent.option(recording.raw())?;
    let program = Program::start(&options.command, &option)?;
    let ended = program.wait(&mut || Ok(recording.has_written(&known)?))?;
    if !recording.has_written(&known)? {
        return Err(Failure::Message(no_jvm(directory, recording.has_older())));
    }
    recording.ended(ended)?;
    let recorded = finish(directory, messages)?;
    if !recorded.running.is_empty() {
        // They may start others, which look for it.
        agent.keep();
    }
    Ok(match ended {
        Exit::Code(code) => code as u8,
        Exit::Signal(signal) => 128_u8.wrapping_add(signal as u8),
    })
}

/// Makes the files of a trace, and tells how much there is.
fn finish(directory: &Path, messages: Messages) -> Result<Recorded, Failure> {
    trace::compact(directory)?;
    let recorded = trace::open(directory)?;
    let Finished { .. } = write(directory, &recorded).map_err(|error| unwritable(directory, &error))?;
    tell(directory, &recorded, messages);
    Ok(recorded)
}

fn write(directory: &Path, recorded: &Recorded) -> std::io::Result<Finished> {
    let mut files = Files::of(directory)?;
    for file in TraceFile::of(recorded) {
        files.write(file.name(), |out| file.write(recorded, out))?;
    }
    files.finish(&TraceFile::ALL.map(|file| file.name().to_owned()))
}

fn has_jvm(recorded: &Recorded) -> bool {
    !recorded.trace.processes.is_empty()
}

const NO_JVM: &str =
    "no JVM has run, or none that could be traced: is this a Java program, and did its JVM start?";

/// Why there is no trace, and what became of an older one.
fn no_jvm(directory: &Path, has_older: bool) -> String {
    if !has_older {
        return NO_JVM.to_owned();
    }
    format!("{NO_JVM} The older trace in {} stays as it was", directory.display())
}

fn tell(directory: &Path, recorded: &Recorded, messages: Messages) {
    if !has_jvm(recorded) {
        console::error(NO_JVM);
        return;
    }
    if let Some(how) = recorded.exit.and_then(failure) {
        console::remark(&format!("the program ended {how}; what it did until then is kept"), messages);
    }
    let trace = &recorded.trace;
    let generated = trace.classes.iter().filter(|class| class.is_generated).count();
    let calls = trace.processes.iter().fold(0_u64, |sum, process| sum.saturating_add(process.calls));
    let jvms = match trace.processes.len() {
        1 => String::new(),
        several => format!(", in {several} JVMs"),
    };
    let message = format!(
        "{} ({} calls) to {}; {} ({} made at run time); {}{jvms}: see {}",
        counted(trace.calls.len(), "call edge"),
        thousands(calls as usize),
        counted(trace.called_methods(), "method"),
        counted(trace.classes.len(), "class"),
        thousands(generated),
        counted(trace.actions.len(), "reflective action"),
        directory.display()
    );
    console::remark(&message, messages);
    if trace.classes.iter().all(Class::is_of_jdk) {
        console::remark("no class of the program was loaded, only the JDK's", messages);
    }
    if !trace.made.is_empty() {
        let jar = directory.join(TraceFile::Generated.name());
        let remark = format!("classes that it made are in {}: give it to an analysis as --cp", jar.display());
        console::remark(&remark, messages);
    }
    tell_missing(recorded, messages);
}

/// How a program ended, if not as it should.
fn failure(exit: Exit) -> Option<String> {
    match exit {
        Exit::Code(0) => None,
        Exit::Code(code) => Some(format!("with exit code {code}")),
        Exit::Signal(signal) => Some(format!("by signal {signal}")),
    }
}

/// Tells what is not known of the run, as far as there is any of it.
pub(super) fn tell_missing(recorded: &Recorded, messages: Messages) {
    for process in &recorded.trace.processes {
        let lost = &process.lost;
        let mut told = Vec::new();
        if recorded.running.contains(&process.name) {
            told.push("it still runs; `heliostat trace --finish` takes what it does from now on".to_owned());
        }
        if lost.log_bytes > 0 || lost.unexplained > 0 {
            told.push(format!("its log was cut off, {} lost", counted(lost.unexplained, "call edge")));
        }
        match lost.table {
            Table::Whole => {}
            Table::CutOff => told.push("its table of calls was cut off".to_owned()),
            Table::Missing => told.push("it has no table of calls".to_owned()),
        }
        if lost.calls > 0 {
            told.push(format!("{} found no room", counted(lost.calls as usize, "call")));
        }
        let (left, coarse) = (process.untraced.len(), process.coarse.len());
        if left > 0 {
            told.push(format!("{} too long to trace", counted(left, "method")));
        }
        if coarse > 0 {
            told.push(format!("{} too long to tell call sites apart", counted(coarse, "method")));
        }
        if !told.is_empty() {
            let name = process.pid.map_or_else(|| process.name.clone(), |pid| format!("JVM {pid}"));
            console::remark(&format!("{name}: {}", told.join("; ")), messages);
        }
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::Message(error.to_string())
    }
}
