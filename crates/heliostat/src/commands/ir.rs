//! `heliostat ir`: the IR of methods.

use std::io::{self, Write};

use heliostat_core::program::MethodId;
use heliostat_core::{Opened, ir};

use crate::args::{IrOptions, Wanted};
use crate::failure::Failure;
use crate::{console, exit, session};

/// How many guesses are told when nothing matches.
const GUESSES: usize = 5;

pub(super) fn run(options: &IrOptions, out: &mut impl Write) -> Result<u8, Failure> {
    let mut opened = session::open(&options.inputs, options.messages)?;
    let methods = opened.methods_like(&options.method.pattern);
    let printed = print_all(&mut opened, &methods, out)?;
    out.flush()?;
    console::problems(&opened.problems, options.messages);
    if methods.is_empty() {
        return Err(no_match(&opened, &options.method));
    }
    Ok(if printed { exit::DONE } else { exit::BAD })
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
        if let Some(text) = text(opened, method) {
            let separator = if printed { "\n" } else { "" };
            write!(out, "{separator}{text}")?;
            printed = true;
        }
    }
    Ok(printed)
}

/// The text of a method; without code, a comment that says so.
fn text(opened: &mut Opened, method: MethodId) -> Option<String> {
    let data = opened.program.methods()[method];
    if !data.has_code() {
        let why = if data.flags.is_native() { "native" } else { "abstract" };
        return Some(format!("# {}: {why}, no code\n", opened.program.method_name(method)));
    }
    match opened.lower(method) {
        Ok(body) => Some(ir::print(&opened.program, &body)),
        Err(problem) => {
            opened.problems.push(problem);
            None
        }
    }
}

fn no_match(opened: &Opened, wanted: &Wanted) -> Failure {
    let mut lines = vec![format!("no method matches `{}`", wanted.text)];
    let guesses = opened.suggestions(&wanted.pattern);
    if !guesses.is_empty() {
        lines.push("  what is there with a similar name:".to_owned());
        lines.extend(guesses.iter().take(GUESSES).map(|guess| format!("  {guess}")));
    }
    Failure::Message(lines.join("\n"))
}
