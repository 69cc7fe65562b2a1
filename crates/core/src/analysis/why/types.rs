//! The type that a question names.

use heliostat_classfile::mutf8;
use heliostat_index::Ids;
use heliostat_program::{ClassId, Program, Subtype, TypeId};
use heliostat_pta::{Types, What};

use super::super::entries::find_class;
use super::{Explainer, Unanswered};
use crate::Opened;
use crate::likeness::likeness;
use crate::pattern::{java_simple_name, simple_name};
use crate::readable::{PRIMITIVES, Readable};

/// Which objects are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All.
    Any,
    /// Those of a type.
    Of(TypeId),
    /// Those of an array type that nothing has.
    Nothing,
}

impl Explainer<'_> {
    /// Whether an object is of a type. That `Object` is missing leaves nothing open: nothing is above it. Without a JDK everything
    /// would be of every type otherwise.
    pub(super) fn is_of(&self, what: What, ty: TypeId) -> Subtype {
        let program = self.names.program;
        let types = Types { program, facts: &self.analysis.solution.facts };
        match (types.is_of(what, ty), what) {
            (Subtype::Unknown, What::Of(own) | What::Empty(own)) if lacks_only_object(program, own) => {
                Subtype::No
            }
            (answer, _) => answer,
        }
    }
}

/// Whether all ancestors of a class, or of what an array has, are there but `Object`.
fn lacks_only_object(program: &Program, ty: TypeId) -> bool {
    let mut ty = ty;
    while let Some(element) = program.types.element(ty) {
        ty = element;
    }
    let Some(class) = program.class_of(ty) else { return false };
    let mut all = program.super_classes(class).chain(program.super_interfaces(class).iter().copied());
    all.all(|class| {
        let above = program.classes()[class].super_type.expand();
        let interfaces = program.declared_interfaces(class);
        (above == Some(TypeId::OBJECT) || program.super_class(class).is_some())
            && interfaces.iter().all(|&ty| program.class_of(ty).is_some())
    })
}

/// The type of a name, as `java.util.Map$Entry`, `java/util/Map$Entry`, `String[]` or `[I`.
pub(super) fn find(opened: &Opened, text: &str) -> Result<Wanted, Unanswered> {
    let program = &opened.program;
    let of = |ty: Option<TypeId>| ty.map_or(Wanted::Nothing, Wanted::Of);
    if text.starts_with('[') {
        return Ok(of(named(program, text)));
    }
    let element = text.trim_end_matches("[]");
    let dimensions = (text.len() - element.len()) / 2;
    let primitive = PRIMITIVES.iter().find(|&&(_, word)| word == element && dimensions > 0);
    let element = match primitive {
        Some(&(ty, _)) => ty,
        None => find_named(opened, element)?,
    };
    Ok(of((0..dimensions).try_fold(element, |ty, _| program.types.array(ty))))
}

/// The type of exactly this name, there or missing.
fn named(program: &Program, name: &str) -> Option<TypeId> {
    program.types.find(program.symbols.find(&mutf8::encode(&name.replace('.', "/")))?)
}

fn find_named(opened: &Opened, text: &str) -> Result<TypeId, Unanswered> {
    let name = text.strip_prefix('L').and_then(|text| text.strip_suffix(';')).unwrap_or(text);
    let program = &opened.program;
    if let Some(class) = find_class(opened, name) {
        return Ok(program.classes()[class].ty);
    }
    if let Some(missing) = named(program, name).filter(|&ty| program.types.is_missing(ty)) {
        return Ok(missing);
    }
    match simply_named(program, name)[..] {
        [only] => Ok(only),
        [] => Err(Unanswered::NoType { text: text.to_owned(), similar: similar(opened, name) }),
        ref several => {
            let classes = several.iter().map(|&ty| Readable(program).ty(ty)).collect();
            Err(Unanswered::AmbiguousType { text: text.to_owned(), classes })
        }
    }
}

/// The classes, there or missing, of a name without its package; if there are none, the inner classes of that name.
pub(super) fn simply_named(program: &Program, name: &str) -> Vec<TypeId> {
    let name = mutf8::encode(name);
    let classes = || {
        let types = Ids::new(0..program.types.len());
        types.filter(|&ty| program.class_of(ty).is_some() || program.types.is_missing(ty))
    };
    let those = |simple: fn(&[u8]) -> &[u8]| -> Vec<TypeId> {
        let is_called = |&ty: &TypeId| simple(program.symbols.bytes(program.types.name(ty))) == name;
        classes().filter(is_called).collect()
    };
    let found = those(simple_name);
    if found.is_empty() { those(java_simple_name) } else { found }
}

/// Classes of a similar name, the most alike first, those of the inputs before others.
fn similar(opened: &Opened, name: &str) -> Vec<String> {
    let name = mutf8::encode(&name.replace('.', "/"));
    let alike = |class: ClassId| {
        let distance = likeness(java_simple_name(&name), java_simple_name(opened.internal_name(class)))?;
        Some((distance, !opened.is_input(class), opened.program.class_name(class)))
    };
    let mut found: Vec<_> = opened.program.classes().ids().filter_map(alike).collect();
    found.sort_unstable();
    found.into_iter().map(|(.., name)| name.replace('/', ".")).collect()
}
