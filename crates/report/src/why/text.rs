//! Answers for people: a claim, and the steps that lead to it; or why there is none.

use std::io::{self, Write};

use heliostat_core::analysis::{Explained, Explanation, Explanations, Place};

use super::{Answer, no};

/// Writes an answer.
pub fn write(answer: Answer<'_>, out: &mut impl Write) -> io::Result<()> {
    for remark in answer.remarks {
        writeln!(out, "({remark})")?;
    }
    match answer.found {
        Ok(explanations) => write_all(explanations, out),
        // What is not there yet might have come.
        Err(unanswered) if !answer.complete => writeln!(out, "{}", no::so_far(unanswered)),
        Err(unanswered) => {
            writeln!(out, "{}", no::text(unanswered))?;
            let doubt = no::doubt(unanswered, answer.reflective_calls, answer.app_reflective_calls);
            doubt.map_or(Ok(()), |doubt| writeln!(out, "{doubt}"))
        }
    }
}

fn write_all(explanations: &Explanations, out: &mut impl Write) -> io::Result<()> {
    for (number, explanation) in explanations.first.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        write_one(explanation, out)?;
    }
    match explanations.left_out {
        0 => Ok(()),
        left => writeln!(out, "\n… and {left} more; a more exact question has fewer answers"),
    }
}

fn write_one(explanation: &Explanation, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}:", explanation.claim)?;
    for (number, step) in (1..).zip(&explanation.steps) {
        write_step(number, step, out)?;
    }
    if explanation.steps.is_empty() {
        writeln!(out, "  how that comes about cannot be told")?;
    }
    Ok(())
}

fn write_step(number: usize, step: &Explained, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  {number}. {}", step.text)?;
    step.place.as_ref().map_or(Ok(()), |place| writeln!(out, "     at {}", place_text(place)))
}

/// A place as stack traces have it, and the bytecode offset.
fn place_text(place: &Place) -> String {
    let offset = place.offset;
    match (&place.source_file, place.line) {
        (Some(file), Some(line)) => format!("{file}:{line} (offset {offset})"),
        (None, Some(line)) => format!("line {line} (offset {offset})"),
        (Some(file), None) => format!("{file} (offset {offset})"),
        (None, None) => format!("offset {offset}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_like_stack_traces() {
        let text = |source_file: Option<&str>, line| {
            let source_file = source_file.map(str::to_owned);
            place_text(&Place { method: "a/B.c()V".to_owned(), offset: 7, line, source_file })
        };
        assert_eq!(text(Some("B.java"), Some(12)), "B.java:12 (offset 7)");
        assert_eq!(text(None, Some(12)), "line 12 (offset 7)");
        assert_eq!(text(Some("B.java"), None), "B.java (offset 7)");
        assert_eq!(text(None, None), "offset 7");
    }

    #[test]
    fn what_was_left_out_is_told() {
        let explanation = Explanation { claim: "it is so".to_owned(), steps: Vec::new() };
        let explanations = Explanations { first: vec![explanation; 2], left_out: 3 };
        let mut out = Vec::new();
        let (found, remarks) = (Ok(&explanations), &[][..]);
        let answer = Answer { found, complete: true, remarks, reflective_calls: 0, app_reflective_calls: 0 };
        write(answer, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("it is so:\n").count(), 2);
        assert!(text.ends_with("\n… and 3 more; a more exact question has fewer answers\n"), "{text}");
    }
}
