//! Which calls of the program annotations mean: an annotation is an entry of a log that names its call by number in place of a line.

use heliostat_program::{MethodId, Program};
use heliostat_pta::{At, LoggedCall};
use heliostat_trace::annotations::Annotation;

use super::log::{Unused, done, methods};
use super::place::called_offsets;

/// The calls that an annotation means, or why there are none. Without parameters it means all methods of its name that have such a call.
pub(super) fn calls(program: &mut Program, annotation: &Annotation) -> Result<Vec<LoggedCall>, Unused> {
    let mut callers = methods(program, &annotation.caller);
    if let Some(parameters) = &annotation.parameters {
        callers.retain(|&caller| descriptor(program, caller).starts_with(parameters.as_str()));
    }
    let done = done(program, annotation.api, &annotation.target).ok_or(Unused::Unknown)?;
    if callers.is_empty() {
        return Err(Unused::Unknown);
    }
    let mut calls = Vec::new();
    for caller in callers {
        program.link(program.methods()[caller].class);
        let (class, name) = &annotation.called;
        let offsets = called_offsets(program, caller, class, name);
        if let Some(&offset) = offsets.get(annotation.index as usize) {
            calls.push(LoggedCall { caller, at: At::Offset(offset), done });
        }
    }
    if calls.is_empty() { Err(Unused::NoCall) } else { Ok(calls) }
}

fn descriptor(program: &Program, method: MethodId) -> String {
    let selector = program.selector(program.methods()[method].selector);
    program.descriptor_text(selector.descriptor)
}
