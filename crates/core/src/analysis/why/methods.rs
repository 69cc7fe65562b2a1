//! The methods that a question means.

use heliostat_program::MethodId;

use super::query::Pattern;
use crate::readable::Readable;
use crate::{MethodPattern, Opened};

/// The methods that a pattern means; if there are none, those that have this name in explanations.
pub(super) fn meant(opened: &Opened, pattern: &Pattern) -> Vec<MethodId> {
    let found = opened.methods_like(&pattern.pattern);
    if found.is_empty() { readable(opened, &pattern.text).unwrap_or_default() } else { found }
}

/// `java.util.Map$Entry.of(int, Object[])`: parameters are types of Java, with or without their packages.
fn readable(opened: &Opened, text: &str) -> Option<Vec<MethodId>> {
    let (name, parameters) = text.strip_suffix(')')?.split_once('(')?;
    let wanted: Vec<String> = parameters.split(',').map(plain).filter(|ty| !ty.is_empty()).collect();
    let named = opened.methods_like(&MethodPattern::new(name)).into_iter();
    Some(named.filter(|&method| has_parameters(opened, method, &wanted)).collect())
}

fn has_parameters(opened: &Opened, method: MethodId, wanted: &[String]) -> bool {
    let program = &opened.program;
    let selector = program.selector(program.methods()[method].selector);
    let types = &program.method_type(selector.descriptor).parameters;
    let fits = |(&ty, wanted): (&_, &String)| {
        let full = plain(&Readable(program).ty(ty));
        full.strip_suffix(wanted.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    types.len() == wanted.len() && types.iter().zip(wanted).all(fits)
}

/// A type with dots only, however it was written.
fn plain(ty: &str) -> String {
    ty.trim().replace(['/', '$'], ".").replace("...", "[]")
}
