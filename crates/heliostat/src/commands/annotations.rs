//! `--annotations`: what users say that reflective calls do, read from files.

use std::path::{Path, PathBuf};

use heliostat_core::analysis::{Unused, UnusedEntry};
use heliostat_core::trace::annotations::Annotation;
use heliostat_core::trace::open_annotations;
use heliostat_report::text::thousands;

use crate::args::Messages;
use crate::console;
use crate::failure::Failure;

/// How many lines are told that cannot be read, or are not used.
const TOLD: usize = 20;

/// Annotations, and of each the file that it is in.
#[derive(Default)]
pub(super) struct Annotated<'a> {
    files: Vec<&'a Path>,
    pub(super) annotations: Vec<Annotation>,
}

impl<'a> Annotated<'a> {
    /// Reads files. What makes no sense in them is told; a file in which nothing does is none of annotations.
    pub(super) fn read(files: &'a [PathBuf], messages: Messages) -> Result<Self, Failure> {
        let mut all = Self::default();
        for file in files {
            let name = file.display();
            let read = open_annotations(file).map_err(|error| Failure::Message(error.to_string()))?;
            if let (Some(first), true) = (read.problems.first(), read.annotations.is_empty()) {
                let why = format!("no line is an annotation, as line {}: {}", first.number, first.what);
                return Err(Failure::Message(format!("{name}: {why}")));
            }
            let problems = read.problems.iter();
            tell(
                problems.map(|problem| format!("{name}, line {}: {}", problem.number, problem.what)),
                messages,
            );
            all.files.resize(all.files.len() + read.annotations.len(), file.as_path());
            all.annotations.extend(read.annotations);
        }
        Ok(all)
    }

    /// Tells which are not used.
    pub(super) fn tell_unused(&self, unused: &[UnusedEntry], messages: Messages) {
        let text = |&UnusedEntry { index, why }: &UnusedEntry| {
            let (file, annotation) = (self.files.get(index)?, self.annotations.get(index)?);
            let (file, line, call) = (file.display(), annotation.number, &annotation.call);
            Some(format!("{file}, line {line}: {call} is not used: {}", reason(why, annotation)))
        };
        tell(unused.iter().filter_map(text), messages);
    }
}

fn reason(why: Unused, annotation: &Annotation) -> String {
    let method = &annotation.called.1;
    match why {
        Unused::Unknown => "the program does not have the method or the target".to_owned(),
        Unused::NoCall => format!("the method has no call of {method} with that number"),
        Unused::Unreached | Unused::Other => "the call is not reached".to_owned(),
    }
}

/// Tells the first of some lines.
fn tell(lines: impl Iterator<Item = String>, messages: Messages) {
    let lines: Vec<String> = lines.collect();
    lines.iter().take(TOLD).for_each(|line| console::remark(line, messages));
    let left = lines.len().saturating_sub(TOLD);
    if left > 0 {
        console::remark(&format!("… and {} more", thousands(left)), messages);
    }
}
