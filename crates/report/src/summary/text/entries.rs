//! Where the program was entered.

use std::io::{self, Write};

use heliostat_core::Opened;
use heliostat_core::analysis::{Entries, EntryGroup, EntryReason, OTHER_TYPES, OWN_TYPES, entry_method};
use heliostat_core::info::MainClass;

use crate::lists::entries::{ABSTRACT, inherited, is_abstract, mentioned, reason};
use crate::text::{Align, Row, Style, thousands, write_list};

pub(super) fn write(
    opened: &Opened,
    entries: &Entries,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    for main in &entries.unusable {
        writeln!(out, "\nWarning: {}", unusable(main))?;
    }
    let (public, others): (Vec<_>, Vec<_>) =
        entries.groups.iter().partition(|group| group.reason == EntryReason::Public);
    let rows: Vec<Row> = others.iter().flat_map(|group| rows(opened, group)).collect();
    write_list("Entry points", rows.len(), &[Align::Left], &rows, style, out)?;
    for group in public {
        let number = thousands(group.entries.len());
        writeln!(
            out,
            "\nEntry points: all {number} public and protected methods of public types, inherited ones included"
        )?;
    }
    for remark in entries.groups.iter().filter_map(remark) {
        writeln!(out, "  {remark}")?;
    }
    match entries.all().into_iter().filter(|&entry| is_abstract(opened, entry)).count() {
        0 => Ok(()),
        1 => writeln!(out, "  1 of them is {ABSTRACT}"),
        some => writeln!(out, "  {} of them are {ABSTRACT}", thousands(some)),
    }
}

fn rows(opened: &Opened, group: &EntryGroup) -> Vec<Row> {
    let note = if group.reason == EntryReason::EveryMain { String::new() } else { reason(&group.reason) };
    let row = |&entry| Row {
        cells: vec![opened.program.method_name(entry_method(entry))],
        note: [note.clone(), inherited(opened, entry)].concat(),
    };
    group.entries.iter().map(row).collect()
}

/// What to know about some entry points.
fn remark(group: &EntryGroup) -> Option<String> {
    let called = format!(
        "called with objects of types that fit, at most {OWN_TYPES} of the inputs and {OTHER_TYPES} others per parameter"
    );
    match group.reason {
        EntryReason::EveryMain if group.entries.len() > 1 => Some(
            "No manifest names a main class, so every main method is an entry point; --main chooses"
                .to_owned(),
        ),
        EntryReason::Public => Some(format!("They are {called}")),
        EntryReason::Pattern(_) => Some(format!("Methods other than main are {called}")),
        _ => None,
    }
}

fn unusable(main: &MainClass) -> String {
    let by = main.named_by.as_ref().map(mentioned).unwrap_or_default();
    format!("{by} is {}, which {}", main.class, flaw(main))
}

/// What is wrong with a main class.
pub fn flaw(main: &MainClass) -> String {
    match (&main.archive, &main.unreadable) {
        (Some(_), _) => "has no main method".to_owned(),
        (None, Some(why)) => format!("could not be read: {why}"),
        (None, None) => "is missing".to_owned(),
    }
}
