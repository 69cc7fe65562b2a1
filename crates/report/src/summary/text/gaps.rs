//! What the result does not cover, the most important first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use heliostat_core::analysis::{
    Bounded, Gaps, MissingClass, MissingProvider, Native, Summary, SummaryReflection, Unresolved,
};

use super::number;
use crate::text::{Align, Row, Style, file, write_list};

const NAMES: &[Align] = &[Align::Left];
const COUNTS: &[Align] = &[Align::Right, Align::Left];

pub(super) fn write(gaps: &Gaps, summary: &Summary, style: Style, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\nNot covered: {}", reflection(&summary.reflection))?;
    write_missing(gaps, style, out)?;
    let mut tell = |title: &str, columns: &[Align], total: usize, rows: Vec<Row>| {
        write_list(title, total, columns, &rows, style, out)
    };
    let lost: Vec<Row> =
        gaps.unresolved.iter().filter(|call| call.missing_class.is_none()).map(lost).collect();
    tell("Calls and handles of methods and fields that are not there", NAMES, lost.len(), lost)?;
    let unreadable = gaps.unreadable.iter().map(|name| row(name.clone(), String::new())).collect();
    tell("Methods that cannot be read", NAMES, gaps.unreadable.len(), unreadable)?;
    let providers = gaps.missing_providers.iter().map(provider).collect();
    tell("Missing providers of services", NAMES, gaps.missing_providers.len(), providers)?;
    let bootstraps = by_frequency(gaps.bootstraps.iter().map(|s| s.bootstrap.as_deref().unwrap_or("?")));
    tell(
        "Bootstrap methods of which not all is known, by call sites and constants",
        COUNTS,
        bootstraps.len(),
        bootstraps,
    )?;
    tell("Native methods without a model, by calls", COUNTS, gaps.natives.len(), natives(gaps))?;
    let mut bounded: Vec<&Bounded> = gaps.bounded.iter().collect();
    bounded.sort_by_key(|bounded| Reverse(bounded.left_out));
    let bounded = bounded.into_iter().map(|bounded| counted(bounded.left_out, &bounded.ty)).collect();
    tell("Types of parameters, by types that fit and were not tried", COUNTS, gaps.bounded.len(), bounded)
}

/// What the program calls or makes by reflection, in one line.
fn reflection(found: &SummaryReflection) -> String {
    let beyond = match (&found.log, &found.annotations) {
        (Some(_), Some(_)) => " beyond the log and the annotations",
        (Some(_), None) => " beyond the log",
        (None, Some(_)) => " beyond the annotations",
        (None, None) => "",
    };
    let what = format!("what the program calls or makes by reflection{beyond} (--reflection {})", found.mode);
    let [unsound, app, sites] = [found.unsound, found.app_unsound, found.sites].map(number);
    match found.sites {
        0 => what,
        1 => format!("{what}: {unsound} of 1 reached call site, {app} in the inputs"),
        _ => format!("{what}: {unsound} of {sites} reached call sites, {app} in the inputs"),
    }
}

/// The missing classes that reached code uses, and how many others there are.
fn write_missing(gaps: &Gaps, style: Style, out: &mut impl Write) -> io::Result<()> {
    let used = missing(gaps);
    write_list(
        "Missing classes, by what reached code does with them",
        used.len(),
        COUNTS,
        &used,
        style,
        out,
    )?;
    let others = number((gaps.missing_classes.len() - used.len()) as u64);
    match (used.len(), gaps.missing_classes.len()) {
        (used, all) if used == all => Ok(()),
        (0, _) => {
            writeln!(out, "\nMissing classes that reached code does not use: {others} ({})", style.more)
        }
        _ => writeln!(out, "  and {others} more that reached code does not use ({})", style.more),
    }
}

/// The missing class that reached code uses most first, with what it does with it.
fn missing(gaps: &Gaps) -> Vec<Row> {
    let mut classes: Vec<&MissingClass> = gaps.used_missing_classes().collect();
    classes.sort_by_key(|class| Reverse((class.uses(), class.referring_classes)));
    let row = |class: &MissingClass| {
        let parts = [
            (class.calls, "call"),
            (class.allocations, "allocation"),
            (class.fields, "field access"),
            (class.others, "other use"),
        ];
        let parts = parts.into_iter().filter(|&(count, _)| count > 0);
        let parts: Vec<String> = parts.map(|(count, noun)| plural(count, noun)).collect();
        Row { note: parts.join(", "), ..counted(class.uses(), &class.class) }
    };
    classes.into_iter().map(row).collect()
}

fn plural(count: u64, noun: &str) -> String {
    let end = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{end}", number(count))
}

fn row(name: String, note: String) -> Row {
    Row { cells: vec![name], note }
}

fn lost(call: &Unresolved) -> Row {
    let callee = call.callee.clone().unwrap_or_else(|| "?".to_owned());
    row(callee, format!("from {}", call.place.method))
}

fn provider(missing: &MissingProvider) -> Row {
    let note = format!("of {}, named in {}", missing.service, file(&missing.archive));
    row(missing.provider.clone(), note)
}

/// The most called first.
fn natives(gaps: &Gaps) -> Vec<Row> {
    let mut natives: Vec<&Native> = gaps.natives.iter().collect();
    natives.sort_by_key(|native| Reverse(native.calls));
    natives.into_iter().map(|native| counted(native.calls, &native.method)).collect()
}

/// How often each name occurs, the most frequent first.
fn by_frequency<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Row> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts.into_iter().map(|(name, count)| counted(count, name)).collect()
}

fn counted(count: u64, name: &str) -> Row {
    Row { cells: vec![number(count), name.to_owned()], note: String::new() }
}
