//! The log of a section: what its reflective calls are said to have done.

use heliostat_core::analysis::ResolvedLog;
use heliostat_core::program::Program;
use heliostat_core::pta::ReflectionLog;
use heliostat_core::trace::tamiflex;

use crate::Section;

/// Reads the log of a section, whose classes are in a package. All its names must mean something.
pub(super) fn read(section: &Section, program: &mut Program, package: &str) -> Result<ReflectionLog, String> {
    let lines = section.wanted.log.iter().map(|line| written_out(section, program, package, line) + "\n");
    let log = tamiflex::parse(&lines.collect::<String>());
    if let Some(problem) = log.problems.first() {
        return Err(format!("line {} of the log: {}", problem.number, problem.what));
    }
    if let Some(kind) = log.unknown.keys().next() {
        return Err(format!("the log has entries of the kind {kind}, which is none"));
    }
    match ResolvedLog::new(program, &log.entries) {
        log if log.unknown() == 0 => Ok(log.log()),
        log => Err(format!("the program does not have all names of the log: {} unknown", log.unknown())),
    }
}

/// A line with full names of classes, and with the number of the line that a label names.
fn written_out(section: &Section, program: &Program, package: &str, line: &str) -> String {
    let columns = line.split(';').enumerate().map(|(number, column)| match number {
        1 | 2 => in_package(program, package, column),
        3 => section.labelled(column).map_or_else(|| column.to_owned(), |line| line.to_string()),
        _ => column.to_owned(),
    });
    columns.collect::<Vec<_>>().join(";")
}

/// A text with the package before each class that is in it.
fn in_package(program: &Program, package: &str, text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut written = String::new();
    for word in text.split_inclusive(|c: char| !is_part(c) && c != '.') {
        let name = word.split(|c| !is_part(c)).next().unwrap_or_default();
        if program.find_class(&format!("{package}/{name}")).is_some() {
            written.extend([package, "."]);
        }
        written += word;
    }
    written
}
