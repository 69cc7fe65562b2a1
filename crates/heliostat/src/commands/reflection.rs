//! `heliostat reflection`: what reflective calls do, how that is known, and what is unknown.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::ValueEnum;
use heliostat_core::analysis::{Known, ReflectiveSite};
use heliostat_core::{MethodId, Opened};
use heliostat_report::reflection::{Sites, annotations, json, sarif, tamiflex, text};
use heliostat_report::{Files, summary};

use super::analysis::{self, unwritable};
use super::{no_match, output};
use crate::args::{OnlyKnown, ReflectionFormat, ReflectionOptions};
use crate::failure::Failure;
use crate::text::style;

pub(super) fn run(options: &ReflectionOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let run = &options.run;
    let is_asked = |format: &ReflectionFormat| options.formats.contains(format);
    let formats: Vec<_> = ReflectionFormat::value_variants().iter().copied().filter(is_asked).collect();
    if let [_, _, ..] = formats[..]
        && run.output.is_none()
    {
        let message = "several formats are written into a directory; name one with -o DIR";
        return Err(Failure::Message(message.to_owned()));
    }
    let files = analysis::files(run.output.as_deref())?;
    let (mut opened, found) = analysis::run(&run.inputs, &run.analysis, run.messages)?;
    let methods = methods(&mut opened, options)?;
    let all = found.reflective_sites(&opened);
    let is_asked = |site: &&ReflectiveSite| {
        methods.as_ref().is_none_or(|methods| methods.contains(&site.place.method))
            && (options.only.is_empty() || options.only.iter().any(|&only| known(only) == site.known))
    };
    let sites = Sites {
        summary: &found.summary,
        sites: all.iter().filter(is_asked).collect(),
        total: all.len(),
        // Whoever names a method of the JDK asks for it.
        with_jdk: options.all || methods.is_some(),
    };
    if let (Some(files), Some(directory)) = (files, &run.output) {
        write_files(&sites, &formats, options, files).map_err(|error| unwritable(directory, &error))?;
    } else {
        let format = formats.first().copied().unwrap_or(ReflectionFormat::Text);
        output::printed(write(&sites, format, options, out).and_then(|()| out.flush()))?;
    }
    Ok(analysis::end(opened, found, run.messages))
}

fn known(only: OnlyKnown) -> Known {
    match only {
        OnlyKnown::Unresolved => Known::Unresolved,
        OnlyKnown::Partly => Known::Partly,
        OnlyKnown::Resolved => Known::Resolved,
    }
}

/// The names of the methods that are asked for; none if all are.
fn methods(opened: &mut Opened, options: &ReflectionOptions) -> Result<Option<BTreeSet<String>>, Failure> {
    let mut names = BTreeSet::new();
    let mut unmatched = Vec::new();
    for wanted in &options.methods {
        let found = opened.methods_like(&wanted.pattern);
        if found.is_empty() {
            let why = opened.why_no_match(&wanted.pattern);
            unmatched.push(no_match::text(&wanted.text, &why, &options.run.inputs.jdk.jdk));
        }
        names.extend(found.into_iter().map(|method: MethodId| opened.program.method_name(method)));
    }
    match (unmatched.is_empty(), opened.ended()) {
        (true, _) => Ok((!options.methods.is_empty()).then_some(names)),
        (false, Some(ended)) => Err(Failure::Ended(analysis::unread(ended, &unmatched.join("\n")))),
        (false, None) => Err(Failure::Message(unmatched.join("\n"))),
    }
}

fn write(
    sites: &Sites<'_>,
    format: ReflectionFormat,
    options: &ReflectionOptions,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        ReflectionFormat::Text => {
            text::write(sites, style::of_output(options.all, options.run.messages, "--all shows them"), out)
        }
        ReflectionFormat::Json => json::write(sites, out),
        ReflectionFormat::Sarif => sarif::write(sites, &options.source_root, out),
        ReflectionFormat::Tamiflex => tamiflex::write(sites, out),
        ReflectionFormat::Annotations => annotations::write(sites, out),
    }
}

fn write_files(
    sites: &Sites<'_>,
    formats: &[ReflectionFormat],
    options: &ReflectionOptions,
    mut files: Files,
) -> io::Result<()> {
    for &format in formats {
        files.write(format.file(), |out| write(sites, format, options, out))?;
    }
    files.write(output::SUMMARY, |out| summary::json::write(sites.summary, out))?;
    output::finish(files, options.run.messages).map(drop)
}
