//! Where the program is entered, as a table: `method, how, why`.

use std::io::{self, Write};

use heliostat_core::analysis::{Entry, EntryReason, RootReason, entry_method};
use heliostat_core::info::Mention;
use heliostat_core::{Analysis, Opened};

use crate::text::file;
use crate::tsv::{end, field};

/// Writes a row per entry point, and then one for each other method that is called from outside the program:
///
/// | how | the method |
/// |---|---|
/// | `main` | is given what a launcher gives |
/// | `open` | is given objects of types that fit |
/// | `made` | prepares what entry points are given: constructors, class initialisers |
/// | `jvm` | is called by the JVM by itself |
///
/// An abstract entry point has no code to be given anything; what implements it is.
///
/// Which others there are depends on the analysis. If that is incomplete, the last line says so.
pub fn write(opened: &Opened, analysis: &Analysis, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "method\thow\twhy")?;
    for group in &analysis.entries.groups {
        for &entry in &group.entries {
            let method = opened.program.method_name(entry_method(entry));
            let why = [reason(&group.reason), inherited(opened, entry), supplied(opened, entry)].concat();
            let how = if matches!(entry, Entry::Open(_) | Entry::Member(_)) { "open" } else { "main" };
            writeln!(out, "{}\t{how}\t{}", field(&method), field(&why))?;
        }
    }
    for root in analysis.roots(opened) {
        let (how, why) = outside(&root.why);
        writeln!(out, "{}\t{how}\t{}", field(&root.method), field(&why))?;
    }
    end(analysis.summary.result.complete, out)
}

fn outside(reason: &RootReason) -> (&'static str, String) {
    match reason {
        RootReason::Selected(method) => ("open", format!("implements or overrides {method}")),
        RootReason::Initialised => ("made", "its class is initialised for an entry point".to_owned()),
        RootReason::Makes => ("made", "makes objects that entry points are given".to_owned()),
        RootReason::Jvm(topic) => ("jvm", format!("called by the JVM: {topic}")),
        RootReason::JvmInitialises => ("jvm", "its class is initialised by the JVM".to_owned()),
    }
}

/// Why an entry point is one, in few words.
pub(crate) fn reason(reason: &EntryReason) -> String {
    match reason {
        EntryReason::Asked => "--main".to_owned(),
        EntryReason::Manifest(mention) => mentioned(mention),
        EntryReason::EveryMain => "a main method".to_owned(),
        EntryReason::Public => "public".to_owned(),
        EntryReason::Pattern(pattern) => format!("matches {pattern}"),
    }
}

/// The class that inherits a main method, if the entry point is one's.
pub(crate) fn inherited(opened: &Opened, entry: Entry) -> String {
    match entry {
        Entry::Inherited(class, _) => format!(", inherited by {}", opened.program.class_name(class)),
        Entry::Main(_) | Entry::Open(_) | Entry::Member(_) => String::new(),
    }
}

/// Who supplies the code of an entry point that has none of its own.
fn supplied(opened: &Opened, entry: Entry) -> String {
    if is_abstract(opened, entry) { format!(", {ABSTRACT}") } else { String::new() }
}

/// What an abstract entry point means.
pub(crate) const ABSTRACT: &str = "abstract: users supply the code, or types below";

pub(crate) fn is_abstract(opened: &Opened, entry: Entry) -> bool {
    opened.program.methods()[entry_method(entry)].flags.is_abstract()
}

/// The line of a manifest that names a class.
pub(crate) fn mentioned(mention: &Mention) -> String {
    format!("{} of {}", mention.header, file(&mention.archive))
}
