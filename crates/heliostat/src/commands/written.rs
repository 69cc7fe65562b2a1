//! What `metadata` and `keep` share: one file for the user's own tree, and whether one that is there says the same.

use std::io::{self, Write};
use std::path::Path;

use heliostat_core::metadata::Artifact;
use heliostat_core::{Analysis, Opened};
use heliostat_report::{Difference, Files};

use super::analysis::unwritable;
use super::{output, uncovered};
use crate::args::Messages;
use crate::failure::Failure;
use crate::{console, exit};

/// The artifact that was asked for, or that of the inputs.
pub(super) fn artifact(wanted: Option<&Artifact>, opened: &Opened) -> Artifact {
    wanted.cloned().unwrap_or_else(|| Artifact::of(opened))
}

/// Writes a file below a directory, and tells where.
pub(super) fn write(
    mut files: Files,
    directory: &Path,
    name: &str,
    messages: Messages,
    content: impl FnOnce(&mut io::BufWriter<std::fs::File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let written = files.write(name, content).and_then(|()| files.finish_unlisted());
    for path in written.map_err(|error| unwritable(directory, &error))? {
        console::remark(&format!("written: {}", path.display()), messages);
    }
    Ok(())
}

/// Reads a file that the user has named.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|error| Failure::Message(format!("cannot read {}: {error}", file.display())))
}

/// Tells how much of reflection is not known.
pub(super) fn tell_uncovered(found: &Analysis, messages: Messages) {
    if found.reflective.is_empty() && !found.gaps.reflection.is_empty() {
        let hint = "--reflection-log takes what reflective calls did in a real run";
        console::remark(&format!("it is not known what any reflective call does; {hint}"), messages);
    }
    uncovered::tell(&found.gaps, "`heliostat analyze -o` tells where", messages);
}

/// Prints how a file differs from what is found; returns the exit code of that.
pub(super) fn tell(
    difference: &Difference,
    file: &Path,
    messages: Messages,
    out: &mut impl Write,
) -> Result<u8, Failure> {
    let name = file.display().to_string();
    if difference.is_empty() {
        console::remark(&format!("{name} is up to date"), messages);
        return Ok(exit::DONE);
    }
    output::printed(difference.write(&name, out).and_then(|()| out.flush()))?;
    Ok(exit::FINDINGS)
}
