//! `heliostat metadata`: reachability metadata for GraalVM's native image.

use std::io::Write;
use std::path::Path;

use heliostat_core::metadata::metadata;
use heliostat_report::Difference;
use heliostat_report::metadata::{FILE, Read, document, listing, merge, read, write};
use heliostat_report::text::counted;
use serde_json::Value;

use super::{analysis, output, written};
use crate::args::{Messages, MetadataOptions};
use crate::failure::Failure;
use crate::{console, exit};

pub(super) fn run(options: &MetadataOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let messages = options.messages;
    // What cannot be read or written is told before anything is analysed in vain.
    let kept = options.merged.iter().map(|file| open(file, messages)).collect::<Result<Vec<_>, _>>()?;
    let check = options.check.as_deref();
    let checked = check.map(|file| open(file, messages).map(|value| (file, value))).transpose()?;
    let files = analysis::files(options.output.as_deref())?;
    let (opened, found) = analysis::run(&options.inputs, &options.analysis, messages)?;
    let complete = found.summary.result.complete;
    let ours = document(&metadata(&opened, &found, options.scope.into()), complete);
    let file = kept.into_iter().fold(ours, merge);
    let mut code = exit::DONE;
    if let Some((path, checked)) = checked {
        let difference = Difference::new(&listing(&file), &listing(&checked), complete);
        code = written::tell(&difference, path, messages, out)?;
    } else if let (Some(files), Some(directory)) = (files, &options.output) {
        let artifact = written::artifact(options.artifact.as_ref(), &opened);
        let name = format!("META-INF/native-image/{}/{}/{FILE}", artifact.group, artifact.name);
        written::write(files, directory, &name, messages, |out| write(&file, out))?;
    } else {
        output::printed(write(&file, out).and_then(|()| out.flush()))?;
    }
    written::tell_uncovered(&found, messages);
    Ok(analysis::end(opened, found, messages).max(code))
}

/// Reads a file, and tells what of it is not used.
fn open(path: &Path, messages: Messages) -> Result<Value, Failure> {
    let name = path.display().to_string();
    let Read { file, left_out } =
        read(&name, &written::read(path)?).map_err(|why| Failure::Message(format!("{name}: {why}")))?;
    if let Some(first) = left_out.first() {
        let count = counted(left_out.len(), "part");
        let remark = format!("{name}: {count} cannot be said in {FILE}, hence not used, as {first}");
        console::remark(&remark, messages);
    }
    Ok(file)
}
