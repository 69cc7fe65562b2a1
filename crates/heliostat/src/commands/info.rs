//! `heliostat info`: what was read.

use std::io::Write;

use heliostat_core::{Info, Opened, info};

use crate::args::{Format, InfoOptions, Messages};
use crate::failure::Failure;
use crate::progress::Meter;
use crate::text::{report, style};
use crate::{console, exit, session};

pub(super) fn run(options: &InfoOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let mut opened = session::open(&options.inputs, options.messages)?;
    if options.bodies {
        let mut meter = Meter::start(options.messages);
        opened.check_bodies(&mut |step| meter.show(step));
    }
    let info = gather(&mut opened, options.messages);
    match options.format {
        Format::Text => {
            let style = style::of_output(options.all, options.messages, "use --all");
            report::write(&info, style, out)?;
        }
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &info)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    console::problems(&info.problems, info.problem_count, options.messages);
    session::require_classes(&opened)?;
    Ok(exit::DONE)
}

pub(super) fn gather(opened: &mut Opened, messages: Messages) -> Info {
    let mut meter = Meter::start(messages);
    info(opened, &mut |step| meter.show(step))
}
