//! `heliostat ir`: the IR of methods.

use std::collections::BTreeSet;
use std::io::{self, Write};

use heliostat_core::{MethodId, Opened};

use super::no_match;
use crate::args::IrOptions;
use crate::failure::Failure;
use crate::{console, exit, session};

pub(super) fn run(options: &IrOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let mut opened = session::open(&options.inputs, options.messages)?;
    let mut methods = Vec::new();
    let mut unmatched = Vec::new();
    let mut seen = BTreeSet::new();
    for wanted in &options.methods {
        let found = opened.methods_like(&wanted.pattern);
        if found.is_empty() {
            unmatched.push(wanted);
        }
        methods.extend(found.into_iter().filter(|&method| seen.insert(method)));
    }
    let printed = print_all(&mut opened, &methods, out)?;
    out.flush()?;
    console::problems(opened.problems.listed(), opened.problems.total(), options.messages);
    session::require_classes(&opened)?;
    let mut errors: Vec<_> = unmatched
        .into_iter()
        .map(|wanted| {
            let why = opened.why_no_match(&wanted.pattern);
            no_match::text(&wanted.text, &why, &options.inputs.jdk.jdk)
        })
        .collect();
    if !printed && !methods.is_empty() {
        errors.push(match methods.len() {
            1 => "the method cannot be lowered".to_owned(),
            several => format!("none of the {several} methods can be lowered"),
        });
    }
    if errors.is_empty() { Ok(exit::DONE) } else { Err(Failure::Message(errors.join("\n"))) }
}

/// Prints the methods, a blank line between them; what cannot be lowered becomes a problem. Tells whether anything
/// was printed.
pub(super) fn print_all(opened: &mut Opened, methods: &[MethodId], out: &mut impl Write) -> io::Result<bool> {
    let mut printed = false;
    let mut last = None;
    for &method in methods {
        let class = opened.program.methods()[method].class;
        if let Some(left) = last.replace(class).filter(|&left| left != class) {
            opened.program.unlink(left);
        }
        if let Some(text) = opened.ir_text(method) {
            let separator = if printed { "\n" } else { "" };
            write!(out, "{separator}{text}")?;
            printed = true;
        }
    }
    Ok(printed)
}
