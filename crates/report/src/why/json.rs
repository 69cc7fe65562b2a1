//! Answers as JSON.

use std::io::{self, Write};

use heliostat_core::analysis::{Explanation, Unanswered};
use serde::Serialize;

use super::{Answer, no};

/// The version of the structure that this code writes.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Written<'a> {
    schema: u32,
    complete: bool,
    answer: &'static str,
    reason: Option<String>,
    remarks: &'a [String],
    reflective_calls: usize,
    app_reflective_calls: usize,
    explanations: &'a [Explanation],
    left_out: usize,
}

/// Writes an object with `schema`; `complete`; the `answer`, which is `yes`, `no`, or `unknown` if nothing was found before the
/// analysis was ended, or if it does not look at the variable; for the latter two the `reason`; `remarks` about the methods that the question names; the number of
/// `reflective_calls` that are not followed, for which a `no` may be wrong, and of `app_reflective_calls` among them that are in the inputs; the first `explanations`, each with its `claim` and `steps`; and the number
/// of those `left_out`.
pub fn write(answer: Answer<'_>, out: &mut impl Write) -> io::Result<()> {
    let Answer { found, complete, remarks, reflective_calls, app_reflective_calls } = answer;
    let (word, explanations, left_out) = match found {
        Ok(explanations) => ("yes", &explanations.first[..], explanations.left_out),
        Err(unanswered) if complete && unanswered.is_no() => ("no", &[][..], 0),
        Err(_) => ("unknown", &[][..], 0),
    };
    let reason = found.err().map(|unanswered| reason(unanswered, complete));
    let written = Written {
        schema: SCHEMA,
        complete,
        answer: word,
        reason,
        remarks,
        reflective_calls,
        app_reflective_calls,
        explanations,
        left_out,
    };
    serde_json::to_writer_pretty(&mut *out, &written)?;
    out.write_all(b"\n")
}

/// What an analysis that was ended has not found is no reason by itself.
fn reason(unanswered: &Unanswered, complete: bool) -> String {
    if complete {
        return no::text(unanswered);
    }
    format!("the analysis was ended and is incomplete; {}", no::so_far(unanswered))
}
