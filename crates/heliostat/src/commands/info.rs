//! `heliostat info`: what was read.

use std::io::Write;

use heliostat_core::{Info, Opened, info};

use crate::args::{Format, InfoOptions, Messages};
use crate::failure::Failure;
use crate::progress::Meter;
use crate::text::report;
use crate::{console, exit, session};

pub(super) fn run(options: &InfoOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let mut opened = session::open(&options.inputs, options.messages)?;
    let info = gather(&mut opened, options.messages);
    match options.format {
        Format::Text => report::write(&info, options.all, out)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &info)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    console::problems(&info.problems, options.messages);
    if is_unreadable(&info) {
        return Err(Failure::Message("no class could be read from the inputs".to_owned()));
    }
    Ok(exit::DONE)
}

pub(super) fn gather(opened: &mut Opened, messages: Messages) -> Info {
    let mut meter = Meter::start(messages);
    info(opened, &mut |step| meter.show(step))
}

/// Whether there are no classes, and not because there are none.
fn is_unreadable(info: &Info) -> bool {
    let damaged = info.archives.iter().any(|archive| archive.origin == "input" && archive.problems > 0);
    info.totals.input.classes == 0 && damaged
}
