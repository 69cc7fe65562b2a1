//! The reached native methods that nothing models, as a table: `method, calls`.

use std::io::{self, Write};

use heliostat_core::analysis::Gaps;

use crate::tsv::{end, field};

/// Writes a row per method, with the number of call edges to it.
pub fn write(gaps: &Gaps, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "method\tcalls")?;
    gaps.natives
        .iter()
        .try_for_each(|native| writeln!(out, "{}\t{}", field(&native.method), native.calls))?;
    end(complete, out)
}
