//! A comparison for people: how much is covered, and what to fix first.

use std::io::{self, Write};

use heliostat_core::compare::{Cause, Comparison, Coverage, Filter, Part, RecordedCall, RootCause};

use crate::text::{counted, thousands};

/// How many causes are told.
const CAUSES: usize = 20;

/// Writes it.
pub fn write(found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    warn(found, out)?;
    writeln!(out, "{:<42} {:>10} {:>10}", "", "recorded", "missed")?;
    writeln!(out, "call edges")?;
    for &(part, coverage) in &found.edges {
        row(part_name(part), coverage, out)?;
    }
    writeln!(out, "not counted there")?;
    for &(filter, coverage) in &found.filtered {
        row(filter_name(filter), coverage, out)?;
    }
    writeln!(out, "methods that ran")?;
    row("of the inputs", found.app_methods, out)?;
    row("all", found.methods, out)?;
    if !found.reflection.is_empty() {
        writeln!(out, "targets of reflective calls in the inputs")?;
    }
    for &(api, coverage) in &found.reflection {
        row(api, coverage, out)?;
    }
    causes(found, out)
}

/// What to know before the numbers are believed.
fn warn(found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    let warnings = warnings(found);
    for warning in &warnings {
        writeln!(out, "{warning}")?;
    }
    if warnings.is_empty() { Ok(()) } else { writeln!(out) }
}

fn warnings(found: &Comparison) -> Vec<String> {
    let mut warnings = Vec::new();
    if !found.run_complete {
        warnings.push("The analysis was ended early: what it misses, it may not have come to.".to_owned());
    }
    if !found.trace_complete {
        warnings.push("The trace is not whole: what is not in it is not compared.".to_owned());
    }
    if let Some(first) = found.other_classes.first() {
        let number = found.other_classes.len();
        let (others, differ) = (counted(number, "class"), if number == 1 { "differs" } else { "differ" });
        warnings.push(format!(
            "The program that ran is not the one that was analysed: {others} {differ}, as {first}."
        ));
    }
    if found.app_methods.recorded == 0 {
        warnings.push("No method of the inputs ran: is this a trace of the same program?".to_owned());
    }
    warnings
}

fn row(what: &str, coverage: Coverage, out: &mut impl Write) -> io::Result<()> {
    let Coverage { recorded, missed } = coverage;
    let (recorded, missed) = (thousands(recorded as usize), thousands(missed as usize));
    writeln!(out, "  {what:<40} {recorded:>10} {missed:>10}  {:>6.2} %", coverage.missed_percent())
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::AppToApp => "within the inputs",
        Part::AppToLibrary => "from the inputs to libraries",
        Part::LibraryToApp => "from libraries to the inputs",
        Part::Library => "within libraries",
    }
}

fn filter_name(filter: Filter) -> &'static str {
    match filter {
        Filter::ClassInitialiser => "to class initialisers",
        Filter::Generated => "of code made at run time",
        Filter::UnknownClass => "of classes that were not analysed",
        Filter::Linkage => "what links method handles",
        Filter::CalledBack => "the JVM or native code calls back",
        Filter::FromTheJvm => "the JVM calls, with no method below",
    }
}

fn causes(found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    if found.missed.is_empty() {
        return writeln!(out, "\nNothing is missed.");
    }
    let count = |is: fn(&Cause) -> bool| found.missed.iter().filter(|missed| is(&missed.cause)).count();
    let callees = count(|cause| matches!(cause, Cause::CalleeMissing));
    let sites = count(|cause| matches!(cause, Cause::SiteUnknown));
    let makers = count(|cause| matches!(cause, Cause::ReceiverNotMade { .. }));
    let callers = count(|cause| matches!(cause, Cause::CallerNotReached { .. }));
    writeln!(out, "\nWhy edges are missed")?;
    writeln!(out, "  {:>8}  the caller was never reached", thousands(callers))?;
    writeln!(out, "  {:>8}  nothing that makes what is called is reached", thousands(makers))?;
    writeln!(out, "  {:>8}  the call site is known, and not this callee", thousands(callees))?;
    writeln!(out, "  {:>8}  the method is reached, and has no edge at this place", thousands(sites))?;
    writeln!(
        out,
        "\nFirst causes, by how many missed edges each explains ({})",
        thousands(found.causes.len())
    )?;
    for cause in found.causes.iter().take(CAUSES) {
        write_cause(cause, out)?;
    }
    if found.causes.len() > CAUSES {
        writeln!(out, "  … and {} more (--format json has all)", thousands(found.causes.len() - CAUSES))?;
    }
    Ok(())
}

fn write_cause(cause: &RootCause, out: &mut impl Write) -> io::Result<()> {
    let RecordedCall { caller, offset, line, callee, kind, .. } = &cause.call;
    let caller = caller.as_deref().unwrap_or("the JVM");
    let place = match (offset, line) {
        (Some(offset), Some(line)) => format!(" @{offset}, line {line}"),
        (Some(offset), None) => format!(" @{offset}"),
        _ => String::new(),
    };
    let known = if cause.site_known { "the site is known" } else { "no edge there" };
    writeln!(out, "  {:>8}  {caller}{place}", thousands(cause.edges as usize))?;
    writeln!(out, "            -> {callee}  ({kind}; {known})")
}
