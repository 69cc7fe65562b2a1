//! Methods of a class that inherits them, or that is outside the inputs and named without its package.

use heliostat_classfile::mutf8;
use heliostat_index::FastSet;
use heliostat_program::{ClassId, MethodId, MethodRef, Resolution};

use super::super::entries::find_class;
use super::Unanswered;
use super::methods::{Meaning, Wanted, in_one_line};
use super::types::simply_named;
use crate::readable::Readable;
use crate::{MethodPattern, Opened};

/// A class that was named, and which of its methods are meant.
struct Owned {
    class: ClassId,
    /// One at least.
    methods: Vec<MethodId>,
}

/// What the classes that a text names have or inherit. Of those outside the inputs only one may have it.
pub(super) fn find(opened: &Opened, text: &str, readings: &[Wanted]) -> Result<Meaning, Unanswered> {
    let found = readings.iter().map(|wanted| owned(opened, wanted)).find(|found| !found.is_empty());
    let found = found.unwrap_or_default();
    match &found[..] {
        [] => Err(Unanswered::NoMethod(text.to_owned())),
        [first, _, ..] if !opened.is_input(first.class) => {
            let names = found.iter().map(|owned| full_name(opened, owned)).collect();
            Err(Unanswered::AmbiguousMethod { text: text.to_owned(), names })
        }
        _ => {
            let remarks = found.iter().filter_map(|owned| inheritance(opened, owned)).collect();
            // Classes may inherit the same.
            let mut seen = FastSet::default();
            let methods = found.iter().flat_map(|owned| &owned.methods).copied();
            Ok(Meaning { methods: methods.filter(|&method| seen.insert(method)).collect(), remarks })
        }
    }
}

/// What to write to mean this class: `java.util.List.of`.
fn full_name(opened: &Opened, owned: &Owned) -> String {
    let program = &opened.program;
    let class = Readable(program).ty(program.classes()[owned.class].ty);
    let method = owned.methods.first().map(|&m| program.selector(program.methods()[m].selector).name);
    let name = method.map_or_else(String::new, |name| program.name_text(name));
    format!("{class}.{name}")
}

/// That a class inherits what is meant.
fn inheritance(opened: &Opened, owned: &Owned) -> Option<String> {
    let is_inherited = |&method: &MethodId| opened.program.methods()[method].class != owned.class;
    owned.methods.iter().any(is_inherited).then(|| {
        let names = Readable(&opened.program);
        let class = names.ty(opened.program.classes()[owned.class].ty);
        format!("{class} inherits it; asked about is {}", in_one_line(names, &owned.methods))
    })
}

fn owned(opened: &Opened, wanted: &Wanted) -> Vec<Owned> {
    let owners = owners(opened, &wanted.pattern).into_iter();
    let owned = owners.map(|class| Owned { class, methods: methods_of(opened, class, wanted) });
    owned.filter(|owned| !owned.methods.is_empty()).collect()
}

/// The classes that stand before the name of a method: the one of that full name, else those of that simple name, of the inputs if
/// there are any.
fn owners(opened: &Opened, pattern: &MethodPattern) -> Vec<ClassId> {
    let owner = pattern.owner().filter(|_| !pattern.has_star());
    let Some(name) = owner.map(mutf8::decode_lossy) else { return Vec::new() };
    if let Some(class) = find_class(opened, &name) {
        return vec![class];
    }
    let types = simply_named(&opened.program, &name.replace('/', "$")).into_iter();
    let classes = types.filter_map(|ty| opened.program.class_of(ty));
    let (inputs, others): (Vec<_>, Vec<_>) = classes.partition(|&class| opened.is_input(class));
    if inputs.is_empty() { others } else { inputs }
}

/// The methods that are meant of those that a class declares; if there are none, of those that it inherits.
fn methods_of(opened: &Opened, class: ClassId, wanted: &Wanted) -> Vec<MethodId> {
    let meant_in =
        |from: ClassId| opened.methods_of(from).filter(move |&method| wanted.is_in(opened, class, method));
    let own: Vec<MethodId> = meant_in(class).collect();
    if !own.is_empty() {
        return own;
    }
    let program = &opened.program;
    let ancestors = program.super_classes(class).chain(program.super_interfaces(class).iter().copied());
    let mut seen = FastSet::default();
    let selectors = ancestors.flat_map(meant_in).map(|method| program.methods()[method].selector);
    let selectors = selectors.filter(|&selector| seen.insert(selector));
    let inherited = selectors.filter_map(|selector| {
        let of = &program.classes()[class];
        let reference = MethodRef { owner: of.ty, selector, interface: of.flags.is_interface() };
        match program.resolve_method(reference, class) {
            Resolution::Found(member) | Resolution::Assumed { member, .. } => Some(member),
            _ => None,
        }
    });
    inherited.filter(|&method| is_inheritable(opened, method)).collect()
}

/// Resolution would find constructors and initialisers of superclasses, too.
fn is_inheritable(opened: &Opened, method: MethodId) -> bool {
    let program = &opened.program;
    let name = program.symbols.bytes(program.selector(program.methods()[method].selector).name);
    !name.starts_with(b"<")
}
