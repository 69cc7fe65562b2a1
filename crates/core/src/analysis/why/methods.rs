//! The methods that a question means.

use heliostat_program::{ClassId, MethodId};

use super::query::Pattern;
use super::{Unanswered, owners};
use crate::pattern::Reading;
use crate::readable::Readable;
use crate::{MethodPattern, Opened};

/// How many names a remark has.
const NAMES: usize = 3;

/// The methods that a pattern means.
pub(super) struct Meaning {
    /// The methods: one at least.
    pub(super) methods: Vec<MethodId>,
    /// That these are others than the pattern says.
    pub(super) remarks: Vec<String>,
}

/// The methods that a pattern means; if there are none, those that have this name in explanations; if there are none, those that
/// the class has all the same.
pub(super) fn meant(opened: &Opened, pattern: &Pattern) -> Result<Meaning, Unanswered> {
    let readings = Wanted::readings(pattern);
    let mut named = readings.iter().map(|wanted| wanted.named(opened));
    match named.find(|methods| !methods.is_empty()) {
        Some(methods) => Ok(Meaning { methods, remarks: Vec::new() }),
        None => owners::find(opened, &pattern.text, &readings),
    }
}

/// One way to read the text of a pattern.
pub(super) struct Wanted {
    pub(super) pattern: MethodPattern,
    /// `(int, Object[])`: types of Java, with or without their packages.
    parameters: Option<Vec<String>>,
}

impl Wanted {
    fn readings(pattern: &Pattern) -> Vec<Self> {
        let as_written = Self { pattern: pattern.pattern.clone(), parameters: None };
        [Some(as_written), Self::readable(&pattern.text)].into_iter().flatten().collect()
    }

    /// `java.util.Map$Entry.of(int, Object[])`.
    fn readable(text: &str) -> Option<Self> {
        let (name, parameters) = text.strip_suffix(')')?.split_once('(')?;
        let parameters = parameters.split(',').map(plain).filter(|ty| !ty.is_empty()).collect();
        Some(Self { pattern: MethodPattern::new(name), parameters: Some(parameters) })
    }

    fn named(&self, opened: &Opened) -> Vec<MethodId> {
        let named = opened.methods_like(&self.pattern).into_iter();
        named.filter(|&method| self.has_parameters(opened, method)).collect()
    }

    /// Whether it means a method, had that been declared by this class.
    pub(super) fn is_in(&self, opened: &Opened, class: ClassId, method: MethodId) -> bool {
        let program = &opened.program;
        let selector = program.selector(program.methods()[method].selector);
        let text = |symbol| program.symbols.bytes(symbol);
        let (name, descriptor) = (text(selector.name), text(program.method_type(selector.descriptor).text));
        let matches = |reading| self.pattern.matches(reading, opened.internal_name(class), name, descriptor);
        self.pattern.last_part() == name
            && (matches(Reading::Exact) || matches(Reading::Loose))
            && self.has_parameters(opened, method)
    }

    fn has_parameters(&self, opened: &Opened, method: MethodId) -> bool {
        let Some(wanted) = &self.parameters else { return true };
        let program = &opened.program;
        let selector = program.selector(program.methods()[method].selector);
        let types = &program.method_type(selector.descriptor).parameters;
        let fits = |(&ty, wanted): (&_, &String)| {
            let full = plain(&Readable(program).ty(ty));
            let before = full.strip_suffix(wanted.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        types.len() == wanted.len() && types.iter().zip(wanted).all(fits)
    }
}

/// A type with dots only, however it was written.
fn plain(ty: &str) -> String {
    ty.trim().replace(['/', '$'], ".").replace("...", "[]")
}

/// The first of some methods, in one line.
pub(super) fn in_one_line(names: Readable<'_>, methods: &[MethodId]) -> String {
    let first: Vec<String> = methods.iter().take(NAMES).map(|&method| names.method(method)).collect();
    let first = first.join(", ");
    match methods.len().saturating_sub(NAMES) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
