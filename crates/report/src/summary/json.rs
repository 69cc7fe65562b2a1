//! The summary as `summary.json`.

use std::io::{self, Write};

use heliostat_core::analysis::Summary;

/// Writes it, indented, with a line end.
pub fn write(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, summary)?;
    out.write_all(b"\n")
}
