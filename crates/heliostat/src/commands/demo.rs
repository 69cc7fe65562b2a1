//! `heliostat demo`: what Heliostat does, shown on a program built into it.

use std::io::Write;

use bytes::Bytes;
use heliostat_core::analysis::Budget;
use heliostat_core::{AnalysisSettings, MemoryFile, MethodPattern, Opened, Settings, analyse};
use heliostat_report::summary;

use crate::args::DemoOptions;
use crate::failure::Failure;
use crate::progress::Meter;
use crate::text::{report, style};
use crate::{console, exit, session};

/// Made from the sources beside it by the script `build` there.
const JAR: &[u8] = include_bytes!("../../demo/demo.jar");
const METHOD: &str = "demo.Main.load";

pub(super) fn run(options: &DemoOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let jar = MemoryFile { name: "demo.jar".to_owned(), bytes: Bytes::from_static(JAR) };
    let settings = Settings { memory: vec![jar], ..Settings::default() };
    let mut opened =
        session::open_settings(settings, &options.jdk.jdk, &Budget::default(), options.messages)?;
    writeln!(out, "A small program is built into this binary, as demo.jar. What is in it?\n")?;
    writeln!(out, "$ heliostat info demo.jar")?;
    let info = super::info::gather(&mut opened, options.messages);
    report::write(&info, style::of_output(false, options.messages, "use --all"), out)?;
    writeln!(
        out,
        "\nOne of its methods makes the name of a class from parts, and an object of that class:\n"
    )?;
    writeln!(out, "$ heliostat ir demo.jar --method {METHOD}")?;
    let methods = opened.methods_like(&MethodPattern::new(METHOD));
    super::ir::print_all(&mut opened, &methods, out)?;
    analyze(&mut opened, options, out)?;
    writeln!(out, "\nTry it on a program of yours: heliostat analyze app.jar")?;
    out.flush()?;
    console::problems(opened.problems.listed(), opened.problems.total(), options.messages);
    std::mem::forget(opened);
    Ok(exit::DONE)
}

fn analyze(opened: &mut Opened, options: &DemoOptions, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "\nWhat does it reach, in itself and in the JDK?\n\n$ heliostat analyze demo.jar")?;
    out.flush()?;
    let mut meter = Meter::start(options.messages);
    let found = analyse(opened, &AnalysisSettings::default(), &mut |step| meter.show(step));
    drop(meter);
    if let Ok(found) = found {
        let style = style::of_output(false, options.messages, "-o DIR lists all");
        summary::text::write(opened, &found, style, out)?;
        std::mem::forget(found);
    }
    Ok(())
}
