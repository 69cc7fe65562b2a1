//! Where the program is entered, as a table: `method, how, why`.

use std::io::{self, Write};

use heliostat_core::Opened;
use heliostat_core::analysis::{Entries, EntryReason, entry_method};
use heliostat_core::info::Mention;
use heliostat_core::pta::Entry;

use crate::text::file;
use crate::tsv::field;

/// Writes a row per entry point: `main` is given what a launcher gives, `open` objects of types that fit.
pub fn write(opened: &Opened, entries: &Entries, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "method\thow\twhy")?;
    for group in &entries.groups {
        for &entry in &group.entries {
            let method = opened.program.method_name(entry_method(entry));
            let why = [reason(&group.reason), inherited(opened, entry)].concat();
            let how = if matches!(entry, Entry::Open(_)) { "open" } else { "main" };
            writeln!(out, "{}\t{how}\t{}", field(&method), field(&why))?;
        }
    }
    Ok(())
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
        Entry::Main(_) | Entry::Open(_) => String::new(),
    }
}

/// The line of a manifest that names a class.
pub(crate) fn mentioned(mention: &Mention) -> String {
    format!("{} of {}", mention.header, file(&mention.archive))
}
