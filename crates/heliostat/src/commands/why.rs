//! `heliostat why`: explains what was found.

use std::io::Write;

use heliostat_core::analysis::{Answered, Unanswered};
use heliostat_core::{MethodPattern, Opened};
use heliostat_report::why::{self, Answer};

use super::{analysis, no_match, output};
use crate::args::{Format, WantedJdk, WhyOptions};
use crate::failure::Failure;

/// How many explanations are written as text.
const FOR_PEOPLE: usize = 5;
/// How many explanations are written as JSON.
const FOR_PROGRAMS: usize = 100;

pub(super) fn run(options: &WhyOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let (mut opened, found) = analysis::run(&options.inputs, &options.analysis, options.messages)?;
    let limit = if options.format == Format::Text { FOR_PEOPLE } else { FOR_PROGRAMS };
    let complete = found.summary.result.complete;
    let Answered { found: answer, remarks } = found.explain(&mut opened, &options.query, limit);
    if let Err(unanswered) = &answer
        && unanswered.is_misnamed(complete)
    {
        let why = misnamed(&mut opened, unanswered, &options.inputs.jdk.jdk);
        return Err(match opened.ended() {
            Some(ended) => Failure::Ended(analysis::unread(ended, &why)),
            None => Failure::Message(why),
        });
    }
    let reflection = &found.summary.reflection;
    let (reflective_calls, app_reflective_calls) =
        (reflection.unsound as usize, reflection.app_unsound as usize);
    let answer = Answer {
        found: answer.as_ref(),
        complete,
        remarks: &remarks,
        reflective_calls,
        app_reflective_calls,
    };
    let written = match options.format {
        Format::Text => why::text::write(answer, out),
        Format::Json => why::json::write(answer, out),
    };
    output::printed(written.and_then(|()| out.flush()))?;
    Ok(analysis::end(opened, found, options.messages))
}

/// What is wrong with the names of a question, and what may have been meant.
fn misnamed(opened: &mut Opened, unanswered: &Unanswered, jdk: &WantedJdk) -> String {
    match unanswered {
        Unanswered::NoMethod(pattern) => {
            no_match::text(pattern, &opened.why_no_match(&MethodPattern::new(pattern)), jdk)
        }
        other => why::no::text(other),
    }
}
