//! The classes of the program, without those of the JDK, as a table: `class, checksum, part, archive`. The part is
//! `input` or `library`.

use std::io::{self, Write};

use heliostat_core::Opened;

use crate::tsv::{end, field};

/// Writes a row per class, with the CRC-32 of its bytes: so that two programs can be told apart.
pub fn write(opened: &Opened, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "class\tchecksum\tpart\tarchive")?;
    for (class, checksum, is_input, archive) in opened.checksums() {
        let part = if is_input { "input" } else { "library" };
        writeln!(out, "{}\t{checksum:08x}\t{part}\t{}", field(&class), field(archive))?;
    }
    end(complete, out)
}
