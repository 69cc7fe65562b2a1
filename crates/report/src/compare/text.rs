//! A comparison for people: how much is covered, and what to fix first.

use std::io::{self, Write};

use heliostat_core::compare::{Cause, Comparison, Coverage, Filter, Missed, Part, RecordedCall, RootCause};

use super::Sides;
use crate::text::{counted, thousands};

/// How many causes are told.
const CAUSES: usize = 20;

/// Why edges are missed, in the order in which that is told.
const REASONS: [&str; 4] = [
    "the caller was never reached",
    "nothing that makes what is called is reached",
    "the call site is known, and not this callee",
    "the method is reached, and has no edge at this place",
];

/// Writes it.
pub fn write(sides: &Sides, found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", heading(sides))?;
    for warning in warnings(sides, found) {
        writeln!(out, "{warning}")?;
    }
    writeln!(out)?;
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
    if found.app_methods.recorded > 0 {
        causes(found, out)?;
        advise(sides, out)?;
    }
    Ok(())
}

/// What is compared with what.
fn heading(sides: &Sides) -> String {
    let log = match sides.reflection_log {
        Some(true) => " (with a reflection log)",
        Some(false) => " (without a reflection log)",
        None => "",
    };
    let traces: Vec<String> = sides.traces.iter().map(|trace| format!("`{}`", trace.directory)).collect();
    let noun = if traces.len() == 1 { "trace" } else { "traces" };
    format!("The analysis `{}`{log} and the {noun} {}", sides.run, traces.join(", "))
}

/// What to know before the numbers are believed.
fn warnings(sides: &Sides, found: &Comparison) -> Vec<String> {
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
    } else {
        let ran =
            |trace: &str| format!("No method of the inputs ran in `{trace}`: is it of the same program?");
        warnings.extend(sides.foreign().into_iter().map(ran));
    }
    warnings
}

fn row(what: &str, coverage: Coverage, out: &mut impl Write) -> io::Result<()> {
    let Coverage { recorded, missed } = coverage;
    let share = match recorded {
        0 => "-".to_owned(),
        _ => format!("{:.2} %", coverage.missed_percent()),
    };
    let (recorded, missed) = (thousands(recorded as usize), thousands(missed as usize));
    writeln!(out, "  {what:<40} {recorded:>10} {missed:>10}  {share:>8}")
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
        Filter::Generated => "of generated code, made at run time",
        Filter::UnknownClass => "of unknown classes, not analysed",
        Filter::Linkage => "linkage of method handles and lambdas",
        Filter::CalledBack => "called back by the JVM or native code",
        Filter::FromTheJvm => "from the JVM, with no method below",
    }
}

fn causes(found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    if found.missed.is_empty() {
        return writeln!(out, "\nNothing is missed.");
    }
    reasons(&found.missed, out)?;
    let of_app = found.causes.iter().take_while(|cause| cause.app_edges() > 0).count();
    let (of_app, others) = found.causes.split_at(of_app);
    writeln!(out)?;
    if found.missed.iter().any(is_of_app) {
        let number = thousands(of_app.len());
        writeln!(out, "First causes, by how many missed edges from the inputs each explains ({number})")?;
        writeln!(out, "{:>10} {:>8}", "inputs", "all")?;
    } else {
        writeln!(out, "No edge that begins in the inputs is missed.")?;
    }
    for cause in of_app.iter().take(CAUSES) {
        write_cause(cause, out)?;
    }
    if of_app.len() > CAUSES {
        writeln!(out, "  … and {} more (--format json has all)", thousands(of_app.len() - CAUSES))?;
    }
    write_others(others, out)
}

/// Whether an edge begins in the inputs.
fn is_of_app(missed: &Missed) -> bool {
    matches!(missed.part, Part::AppToApp | Part::AppToLibrary)
}

/// How many edges are missed for which reason, of those from the inputs and of all.
fn reasons(missed: &[Missed], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\nWhy edges are missed")?;
    writeln!(out, "{:>10} {:>8}", "inputs", "all")?;
    for reason in REASONS {
        let all = missed.iter().filter(|missed| reason_of(&missed.cause) == reason);
        let of_app = all.clone().filter(|missed| is_of_app(missed)).count();
        writeln!(out, "{:>10} {:>8}  {reason}", thousands(of_app), thousands(all.count()))?;
    }
    Ok(())
}

fn reason_of(cause: &Cause) -> &'static str {
    let [caller, maker, callee, site] = REASONS;
    match cause {
        Cause::CallerNotReached { .. } => caller,
        Cause::ReceiverNotMade { .. } => maker,
        Cause::CalleeMissing => callee,
        Cause::SiteUnknown => site,
    }
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
    let [of_app, all] = [cause.app_edges(), cause.edges].map(|number| thousands(number as usize));
    writeln!(out, "{of_app:>10} {all:>8}  {caller}{place}")?;
    writeln!(out, "{:21}-> {callee}  ({kind}; {known})", "")
}

/// Tells in one line of causes that explain no edge from the inputs.
fn write_others(others: &[RootCause], out: &mut impl Write) -> io::Result<()> {
    if others.is_empty() {
        return Ok(());
    }
    let edges = others.iter().map(|cause| cause.edges as usize).sum();
    let (causes, edges) = (counted(others.len(), "cause"), counted(edges, "edge"));
    writeln!(out, "And {causes} of {edges} that begin in libraries (--format json has them).")
}

/// What to give to the analysis.
fn advise(sides: &Sides, out: &mut impl Write) -> io::Result<()> {
    let advice = sides.advice();
    if !advice.is_empty() {
        writeln!(out)?;
    }
    advice.iter().try_for_each(|line| writeln!(out, "{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(found: &Comparison) -> io::Result<String> {
        let mut out = Vec::new();
        causes(found, &mut out)?;
        String::from_utf8(out).map_err(io::Error::other)
    }

    /// A cause that explains so many edges, of them some from the inputs, with these.
    fn cause(app_to_library: u64, edges: u64) -> (RootCause, Vec<Missed>) {
        let (caller, callee, kind) = (Some("A.a()V".to_owned()), "B.b()V".to_owned(), "static".to_owned());
        let call = RecordedCall { caller, offset: Some(7), line: None, callee, kind, count: 1 };
        let part = |edge| if edge < app_to_library { Part::AppToLibrary } else { Part::Library };
        let missed = |edge| Missed { call: call.clone(), part: part(edge), cause: Cause::SiteUnknown };
        let missed = (0..edges).map(missed).collect();
        (RootCause { call, site_known: false, edges, app_to_app: 0, app_to_library }, missed)
    }

    fn found(causes: Vec<(RootCause, Vec<Missed>)>) -> Comparison {
        let (causes, missed): (Vec<_>, Vec<_>) = causes.into_iter().unzip();
        Comparison { causes, missed: missed.concat(), ..Comparison::default() }
    }

    #[test]
    fn causes_of_edges_of_libraries_are_summed_up() -> io::Result<()> {
        let both = told(&found(vec![cause(1, 4), cause(0, 1000)]))?;
        let listed = "explains (1)\n    inputs      all\n         1        4  A.a()V @7\n";
        let summed_up = "And 1 cause of 1,000 edges that begin in libraries (--format json has them).\n";
        assert!(both.contains(listed) && both.ends_with(summed_up), "{both}");
        let none = told(&found(vec![cause(0, 1000)]))?;
        let expected = format!("\nNo edge that begins in the inputs is missed.\n{summed_up}");
        assert!(none.ends_with(&expected) && !none.contains("First causes"), "{none}");
        assert_eq!(told(&Comparison::default())?, "\nNothing is missed.\n");
        Ok(())
    }

    #[test]
    fn nothing_has_no_share() -> io::Result<()> {
        let shown = |recorded, missed| {
            let mut out = Vec::new();
            row("all", Coverage { recorded, missed }, &mut out)?;
            String::from_utf8(out).map_err(io::Error::other)
        };
        assert!(shown(0, 0)?.ends_with("0          0         -\n"));
        assert!(shown(3, 0)?.ends_with("3          0    0.00 %\n"));
        Ok(())
    }
}
