//! The classes that are missing, as a table: `class, referring_classes, calls, allocations, fields`.

use std::io::{self, Write};

use heliostat_core::analysis::Gaps;

use crate::tsv::{end, field};

/// Writes a row per class, with the number of classes of the inputs that refer to it and of what reached code does with it;
/// `gaps.tsv` tells where.
pub fn write(gaps: &Gaps, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "class\treferring_classes\tcalls\tallocations\tfields")?;
    for missing in &gaps.missing_classes {
        let numbers = [missing.referring_classes, missing.calls, missing.allocations, missing.fields];
        let numbers = numbers.map(|number| number.to_string()).join("\t");
        writeln!(out, "{}\t{numbers}", field(&missing.class))?;
    }
    end(complete, out)
}
