//! `heliostat why`: explains what was found.

use std::io::{self, Write};

use heliostat_core::analysis::{Explained, Explanation, Query, Unanswered};
use heliostat_core::{MethodPattern, Opened};

use super::{analysis, no_match};
use crate::args::{WantedJdk, WhyOptions};
use crate::failure::Failure;

/// How many explanations are printed.
const EXPLANATIONS: usize = 5;

pub(super) fn run(options: &WhyOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let query = Query::new(&options.query);
    let (mut opened, found) = analysis::run(&options.inputs, &options.analysis, options.messages)?;
    match found.explain(&mut opened, &query) {
        Ok(explanations) => write(&explanations, out)?,
        Err(unanswered) => {
            return Err(Failure::Message(refusal(&mut opened, &unanswered, &options.inputs.jdk.jdk)));
        }
    }
    out.flush()?;
    Ok(analysis::end(opened, found, options.messages))
}

fn write(explanations: &[Explanation], out: &mut impl Write) -> io::Result<()> {
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
    if explanations.len() > EXPLANATIONS {
        writeln!(
            out,
            "\n… and {} more; a more exact question has fewer answers",
            explanations.len() - EXPLANATIONS
        )?;
    }
    Ok(())
}

fn write_step(number: usize, step: &Explained, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  {number}. {}", step.text)?;
    let Some(place) = &step.place else { return Ok(()) };
    match place.line {
        Some(line) => writeln!(out, "     at line {line}, bytecode offset {}", place.offset),
        None => writeln!(out, "     at bytecode offset {}", place.offset),
    }
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
