//! `heliostat demo`: what Heliostat does, shown on a program built into it.

use std::io::Write;

use bytes::Bytes;
use heliostat_core::{MemoryFile, MethodPattern, Settings};

use crate::args::DemoOptions;
use crate::failure::Failure;
use crate::text::{Style, report};
use crate::{console, exit, session};

/// Made from the sources beside it by the script `build` there.
const JAR: &[u8] = include_bytes!("../../demo/demo.jar");
const METHOD: &str = "demo.Main.load";

pub(super) fn run(options: &DemoOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let jar = MemoryFile { name: "demo.jar".to_owned(), bytes: Bytes::from_static(JAR) };
    let settings = Settings { memory: vec![jar], ..Settings::default() };
    let mut opened = session::open_settings(settings, &options.jdk.jdk, options.messages)?;
    writeln!(out, "A small program is built into this binary, as demo.jar. What is in it?\n")?;
    writeln!(out, "$ heliostat info demo.jar")?;
    let info = super::info::gather(&mut opened, options.messages);
    report::write(&info, Style::of_output(false, options.messages), out)?;
    writeln!(
        out,
        "\nOne of its methods makes the name of a class from parts, and an object of that class:\n"
    )?;
    writeln!(out, "$ heliostat ir demo.jar --method {METHOD}")?;
    let methods = opened.methods_like(&MethodPattern::new(METHOD));
    super::ir::print_all(&mut opened, &methods, out)?;
    writeln!(out, "\nTry it on a program of yours: heliostat info app.jar")?;
    out.flush()?;
    console::problems(&info.problems, info.problem_count, options.messages);
    Ok(exit::DONE)
}
