//! Explanations as JSON.

use std::io::{self, Write};

use heliostat_core::analysis::Explanation;
use serde::Serialize;

/// The version of the structure that this code writes.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    explanations: &'a [Explanation],
}

/// Writes an object with `schema` and all `explanations`, each with its `claim` and `steps`.
pub fn write(explanations: &[Explanation], out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Answer { schema: SCHEMA, explanations })?;
    out.write_all(b"\n")
}
