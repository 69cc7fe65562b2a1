//! Explanations for people: a claim, and the steps that lead to it.

use std::io::{self, Write};

use heliostat_core::analysis::{Explained, Explanation, Place};

/// How many explanations are written.
const EXPLANATIONS: usize = 5;

/// Writes the first explanations.
pub fn write(explanations: &[Explanation], out: &mut impl Write) -> io::Result<()> {
    for (number, explanation) in explanations.iter().take(EXPLANATIONS).enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}:", explanation.claim)?;
        for (number, step) in (1..).zip(&explanation.steps) {
            write_step(number, step, out)?;
        }
        if explanation.steps.is_empty() {
            writeln!(out, "  it is there from the start")?;
        }
    }
    match explanations.len().saturating_sub(EXPLANATIONS) {
        0 => Ok(()),
        left => writeln!(out, "\n… and {left} more; a more exact question has fewer answers"),
    }
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
    fn long_answers_are_cut() {
        let explanation = Explanation { claim: "it is so".to_owned(), steps: Vec::new() };
        let mut out = Vec::new();
        write(&vec![explanation; EXPLANATIONS + 2], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("it is so:\n  it is there from the start\n").count(), EXPLANATIONS);
        assert!(text.ends_with("\n… and 2 more; a more exact question has fewer answers\n"), "{text}");
    }
}
