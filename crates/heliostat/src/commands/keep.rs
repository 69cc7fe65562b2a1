//! `heliostat keep`: rules for shrinkers.

use std::io::Write;

use heliostat_core::metadata::keep;
use heliostat_report::Difference;
use heliostat_report::keep::{listing, write};

use super::{analysis, output, written};
use crate::args::KeepOptions;
use crate::exit;
use crate::failure::Failure;

pub(super) fn run(options: &KeepOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let messages = options.messages;
    // What cannot be read or written is told before anything is analysed in vain.
    let check = options.check.as_deref();
    let checked = check.map(|file| written::read(file).map(|text| (file, text))).transpose()?;
    let files = analysis::files(options.output.as_deref())?;
    let (opened, found) = analysis::run(&options.inputs, &options.analysis, messages)?;
    let complete = found.summary.result.complete;
    let rules = keep(&opened, &found);
    let mut code = exit::DONE;
    if let Some((path, checked)) = checked {
        let mut text = Vec::new();
        write(&rules, complete, &mut text)?;
        let [ours, theirs] = [&text, &checked].map(|text| listing(&String::from_utf8_lossy(text)));
        code = written::tell(&Difference::new(&ours, &theirs, complete), path, messages, out)?;
    } else if let (Some(files), Some(directory)) = (files, &options.output) {
        let artifact = written::artifact(options.artifact.as_ref(), &opened);
        let name = format!("META-INF/proguard/{}.{}.pro", artifact.group, artifact.name);
        written::write(files, directory, &name, messages, |out| write(&rules, complete, out))?;
    } else {
        output::printed(write(&rules, complete, out).and_then(|()| out.flush()))?;
    }
    written::tell_uncovered(&found, messages);
    Ok(analysis::end(opened, found, messages).max(code))
}
