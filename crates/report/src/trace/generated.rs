//! The classes that a run has made, as a jar: what an analysis is to be given beside the program.

use std::io::{self, Write};

use heliostat_core::trace::MadeClass;
use rawzip::ZipArchiveWriter;

pub(super) fn write(made: &[MadeClass], out: &mut impl Write) -> io::Result<()> {
    let mut jar = ZipArchiveWriter::new(out);
    for class in made {
        add(&mut jar, class).map_err(io::Error::other)?;
    }
    jar.finish().map_err(io::Error::other)?;
    Ok(())
}

/// Adds a class, stored as it is.
fn add(jar: &mut ZipArchiveWriter<&mut impl Write>, class: &MadeClass) -> Result<(), rawzip::Error> {
    let (mut entry, config) = jar.new_file(format!("{}.class", class.name)).start()?;
    let mut data = config.wrap(&mut entry);
    data.write_all(&class.bytes)?;
    let (_, descriptor) = data.finish()?;
    entry.finish(descriptor)?;
    Ok(())
}
