//! What the result does not cover, the most important first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use heliostat_core::analysis::{Gaps, MissingProvider, Native, Summary, Unresolved};

use super::number;
use crate::text::{Align, Row, Style, file, write_list};

const NAMES: &[Align] = &[Align::Left];
const COUNTS: &[Align] = &[Align::Right, Align::Left];

pub(super) fn write(gaps: &Gaps, summary: &Summary, style: Style, out: &mut impl Write) -> io::Result<()> {
    let mode = summary.reflection.mode;
    writeln!(out, "\nNot covered: what the program calls or makes by reflection (--reflection {mode})")?;
    let mut tell = |title: &str, columns: &[Align], total: usize, rows: Vec<Row>| {
        write_list(title, total, columns, &rows, style, out)
    };
    let missing = by_frequency(gaps.unresolved.iter().filter_map(|call| call.missing_class.as_deref()));
    tell("Missing classes, by reached calls that need them", COUNTS, missing.len(), missing)?;
    let lost: Vec<Row> =
        gaps.unresolved.iter().filter(|call| call.missing_class.is_none()).map(lost).collect();
    tell("Calls of methods that are not there", NAMES, lost.len(), lost)?;
    let unreadable = gaps.unreadable.iter().map(|name| row(name.clone(), String::new())).collect();
    tell("Methods that cannot be read", NAMES, gaps.unreadable.len(), unreadable)?;
    let providers = gaps.missing_providers.iter().map(provider).collect();
    tell("Missing providers of services", NAMES, gaps.missing_providers.len(), providers)?;
    let bootstraps = by_frequency(gaps.bootstraps.iter().map(|s| s.bootstrap.as_deref().unwrap_or("?")));
    tell("Unknown bootstrap methods, by call sites", COUNTS, bootstraps.len(), bootstraps)?;
    tell("Native methods without a model, by calls", COUNTS, gaps.natives.len(), natives(gaps))
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
