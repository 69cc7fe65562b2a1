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
        let why = reason(&group.reason);
        for &entry in &group.entries {
            let method = opened.program.method_name(entry_method(entry));
            let how = if matches!(entry, Entry::Main(_)) { "main" } else { "open" };
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

/// The line of a manifest that names a class.
pub(crate) fn mentioned(mention: &Mention) -> String {
    format!("{} of {}", mention.header, file(&mention.archive))
}
