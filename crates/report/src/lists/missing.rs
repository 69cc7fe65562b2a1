//! The classes that are missing, as a table: `class, referring_classes, calls, allocations, fields, others`.

use std::io::{self, Write};

use heliostat_core::analysis::{Gaps, MissingClass};

use crate::tsv::{end, field};

/// Writes a row per class, with the number of classes of the inputs that refer to it and of what reached code does with it;
/// `gaps.tsv` tells where.
pub fn write(gaps: &Gaps, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "class\treferring_classes\tcalls\tallocations\tfields\tothers")?;
    for missing in &gaps.missing_classes {
        let MissingClass { class, referring_classes, calls, allocations, fields, others } = missing;
        let numbers = [referring_classes, calls, allocations, fields, others];
        let numbers = numbers.map(ToString::to_string).join("\t");
        writeln!(out, "{}\t{numbers}", field(class))?;
    }
    end(complete, out)
}
