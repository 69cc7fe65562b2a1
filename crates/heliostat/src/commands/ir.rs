//! `heliostat ir`: the IR of methods.

use std::collections::BTreeSet;
use std::io::{self, Write};

use heliostat_core::program::MethodId;
use heliostat_core::{JdkChoice, NoMatch, Opened, ir};

use crate::args::{IrOptions, Wanted, WantedJdk};
use crate::failure::Failure;
use crate::{console, exit, session};

/// How many guesses are told when nothing matches.
const GUESSES: usize = 5;

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
    let mut errors: Vec<_> =
        unmatched.into_iter().map(|wanted| no_match(&mut opened, wanted, &options.inputs.jdk.jdk)).collect();
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
    let body = opened.lower(method)?;
    Some(ir::print(&opened.program, &body))
}

/// Why nothing matches, and what may have been meant.
fn no_match(opened: &mut Opened, wanted: &Wanted, jdk: &WantedJdk) -> String {
    let head = format!("no method matches `{}`", wanted.text);
    match opened.why_no_match(&wanted.pattern) {
        NoMatch::NoMethods { class } => format!("{head}: {class} has no methods"),
        NoMatch::NoSuchMethod { class, methods, alike: true } => {
            listed(&format!("{head}\n  {class} has with a similar name:"), &methods)
        }
        NoMatch::NoSuchMethod { class, methods, alike: false } => {
            listed(&format!("{head}\n  {class} has:"), &methods)
        }
        NoMatch::NoJdk => {
            let why =
                if *jdk == WantedJdk::Choice(JdkChoice::None) { "--jdk none" } else { "none was found" };
            format!("{head}: there is no JDK behind the inputs ({why}); choose one with --jdk")
        }
        NoMatch::MissingClass { class } => format!("{head}: {class} is referred to but missing"),
        NoMatch::Similar(names) if names.is_empty() => {
            format!(
                "{head}\n  classes outside the inputs are found by their full name only; see heliostat help ir"
            )
        }
        NoMatch::Similar(names) => listed(&format!("{head}\n  what is there with a similar name:"), &names),
    }
}

fn listed(head: &str, names: &[String]) -> String {
    let mut lines = vec![head.to_owned()];
    lines.extend(names.iter().take(GUESSES).map(|name| format!("  {name}")));
    if names.len() > GUESSES {
        lines.push(format!("  … and {} more", names.len() - GUESSES));
    }
    lines.join("\n")
}
