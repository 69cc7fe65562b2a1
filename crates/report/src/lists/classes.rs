//! The classes of the program, without those of the JDK, as a table: `class, checksum, archive`.

use std::io::{self, Write};

use heliostat_core::Opened;

use crate::tsv::{end, field};

/// Writes a row per class, with the CRC-32 of its bytes: so that two programs can be told apart.
pub fn write(opened: &Opened, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "class\tchecksum\tarchive")?;
    for (class, checksum, archive) in opened.checksums() {
        writeln!(out, "{}\t{checksum:08x}\t{}", field(&class), field(archive))?;
    }
    end(complete, out)
}
