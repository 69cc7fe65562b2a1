//! `heliostat why`: explains what was found.

use std::io::Write;

use heliostat_core::analysis::{Query, Unanswered};
use heliostat_core::{MethodPattern, Opened};
use heliostat_report::why;

use super::{analysis, no_match};
use crate::args::{Format, WantedJdk, WhyOptions};
use crate::failure::Failure;

pub(super) fn run(options: &WhyOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let query = Query::new(&options.query);
    let (mut opened, found) = analysis::run(&options.inputs, &options.analysis, options.messages)?;
    match (found.explain(&mut opened, &query), options.format) {
        (Ok(explanations), Format::Text) => why::text::write(&explanations, out)?,
        (Ok(explanations), Format::Json) => why::json::write(&explanations, out)?,
        (Err(unanswered), format) => {
            let refusal = refusal(&mut opened, &unanswered, &options.inputs.jdk.jdk);
            if found.summary.result.ended_by.is_none() || matches!(unanswered, Unanswered::NoMethod(_)) {
                return Err(Failure::Message(refusal));
            }
            // What is not there yet might have come.
            match format {
                Format::Text => writeln!(out, "so far: {refusal}")?,
                Format::Json => why::json::write(&[], out)?,
            }
        }
    }
    out.flush()?;
    Ok(analysis::end(opened, found, options.messages))
}

fn refusal(opened: &mut Opened, unanswered: &Unanswered, jdk: &WantedJdk) -> String {
    match unanswered {
        Unanswered::NoMethod(pattern) => {
            let why = opened.why_no_match(&MethodPattern::new(pattern));
            no_match::text(pattern, &why, jdk)
        }
        Unanswered::NotReached(methods) => no_match::listed("not reached:", methods),
        Unanswered::NoEdge => "there is no such call edge; both methods are reached".to_owned(),
        Unanswered::NoVariable(known) => {
            format!("no such variable, or nothing that holds objects; there are {}", known.join(", "))
        }
        Unanswered::Empty => "the variable points to nothing".to_owned(),
        Unanswered::NotOfType(others) => {
            no_match::listed("it points to nothing of that type, but to", others)
        }
    }
}
