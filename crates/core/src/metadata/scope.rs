//! Which reflective calls count: what happens within the JDK, native images know by themselves.

use std::collections::BTreeSet;

use heliostat_classfile::mutf8;
use heliostat_index::FastMap;
use heliostat_input::{Entry, Origin};

use super::names;
use super::needs::{ApiKind, Subject};
use crate::analysis::{ReflectiveTarget, Target};
use crate::{Opened, is_platform_name};

/// Packages of the JDK whose own look-ups native images have dealt with, as prefixes. GraalVM's agent leaves them out, too: enums,
/// annotations, generic signatures, copies of arrays, the start of the program.
const DEALT_WITH: [&str; 17] = [
    "java/io/",
    "java/lang/",
    "java/math/",
    "java/net/",
    "java/nio/",
    "java/text/",
    "java/time/",
    "java/util/",
    "jdk/internal/",
    "sun/invoke/",
    "sun/launcher/",
    "sun/misc/",
    "sun/net/",
    "sun/nio/",
    "sun/reflect/",
    "sun/text/",
    "sun/util/",
];

/// What of these looks up what others have named.
const FOR_OTHERS: [&str; 7] = [
    "java/lang/ClassLoader",
    "java/lang/Module",
    "java/net/URLConnection",
    "java/util/ServiceLoader",
    "java/util/concurrent/atomic/",
    "sun/invoke/util/BytecodeDescriptor",
    "sun/reflect/misc/",
];

/// Which reflective calls count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those in the inputs, and those about something in the inputs.
    Inputs,
    /// All but those in the JDK about something in the JDK: the libraries' too.
    Program,
    /// All of them.
    All,
}

impl Scope {
    pub(super) fn has(self, origins: &Origins<'_>, target: &ReflectiveTarget) -> bool {
        let caller = names::split_method(&target.place.method).map_or("", |(class, _, _)| class);
        let (here, there) = (origins.class(caller), origins.target(&target.target));
        match self {
            Self::All => true,
            // What the code of a proxy looks up, a native image has looked up when it was built.
            _ if names::is_hidden(caller) => false,
            _ if here == Some(Origin::Jdk) && is_dealt_with(caller, target) => false,
            Self::Inputs => here == Some(Origin::Input) || there == Some(Origin::Input),
            // What is not there at all is no part of the JDK.
            Self::Program => here != Some(Origin::Jdk) || there.is_some_and(|there| there != Origin::Jdk),
        }
    }
}

/// Whether native images know of a call in the JDK by themselves: of classes and members, not of streams of objects.
fn is_dealt_with(caller: &str, target: &ReflectiveTarget) -> bool {
    let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| caller.starts_with(prefix));
    let is_other = ApiKind::of(target.api) == ApiKind::Other;
    let is_member = matches!(
        target.target,
        Target::Class { .. } | Target::Method { .. } | Target::Field { .. } | Target::Members { .. }
    );
    is_other && is_member && is(&DEALT_WITH) && !is(&FOR_OTHERS)
}

/// Where classes and resources come from.
pub(super) struct Origins<'a> {
    opened: &'a Opened,
    /// The first of the resources of each name, in class-path order.
    resources: FastMap<&'a [u8], Entry>,
    /// The base names of resource bundles, with slashes, that the inputs have as properties.
    bundles: BTreeSet<String>,
}

impl<'a> Origins<'a> {
    pub(super) fn new(opened: &'a Opened) -> Self {
        let mut resources = FastMap::default();
        let mut bundles = BTreeSet::new();
        for entry in &opened.inputs.resources {
            let name = opened.inputs.name(entry);
            resources.entry(name).or_insert(*entry);
            if opened.inputs.archives[entry.archive].origin == Origin::Input {
                let name = String::from_utf8_lossy(name);
                bundles.extend(name.strip_suffix(".properties").into_iter().flat_map(base_names));
            }
        }
        Self { opened, resources, bundles }
    }

    /// Where a class or an array of it comes from; a primitive is the JDK's. None if it is not there.
    pub(super) fn class(&self, class_or_array: &str) -> Option<Origin> {
        let Some(name) = names::element(class_or_array) else { return Some(Origin::Jdk) };
        let class = self.opened.program.find_class(name);
        let missing = || is_platform_name(name).then_some(Origin::Jdk);
        class.map(|class| self.opened.origin(class)).or_else(missing)
    }

    /// Where what a call is about comes from. None if it is not there.
    fn target(&self, target: &Target) -> Option<Origin> {
        match target {
            Target::Class { class }
            | Target::Method { class, .. }
            | Target::Field { class, .. }
            | Target::Members { class } => self.class(class),
            // A proxy belongs to its most particular interface.
            Target::Proxy { interfaces } => {
                let all = interfaces.iter().filter_map(|name| self.class(name));
                all.min_by_key(|&origin| rank(origin))
            }
            Target::Resource { path } => self.resource(path),
            Target::Bundle { name } => self.bundle(name),
        }
    }

    fn resource(&self, path: &str) -> Option<Origin> {
        let found = self.resources.get(path.as_bytes());
        let origin = found.map(|entry| self.opened.inputs.archives[entry.archive].origin);
        origin.or_else(|| path.strip_suffix(".class").and_then(|class| self.class(class)))
    }

    fn bundle(&self, name: &str) -> Option<Origin> {
        let path = name.replace('.', "/");
        if self.bundles.contains(&path) { Some(Origin::Input) } else { self.class(&path) }
    }

    /// The module of the JDK that has a resource, if that is where it is: native images look for it there.
    pub(super) fn module(&self, subject: &Subject) -> Option<String> {
        let Subject::Resource(path) = subject else { return None };
        let entry = self.resources.get(path.as_bytes())?;
        self.opened.inputs.module(entry).map(mutf8::decode_lossy)
    }
}

/// What the base name of a bundle may be by the name of one of its files: that ends before the locale, if there is one.
fn base_names(file: &str) -> impl Iterator<Item = String> {
    let start = file.rfind('/').map_or(0, |slash| slash + 1);
    let ends = file.char_indices().filter(move |&(at, letter)| letter == '_' && at > start);
    let ends = ends.map(|(at, _)| at).chain([file.len()]);
    ends.filter_map(|end| file.get(..end).map(str::to_owned))
}

/// Inputs first, the JDK last.
fn rank(origin: Origin) -> u8 {
    match origin {
        Origin::Input => 0,
        Origin::ClassPath => 1,
        Origin::Jdk => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{How, Place};

    #[test]
    fn what_the_jdk_looks_up_for_itself() {
        let of = |caller: &str, api, target| {
            let place = Place { method: format!("{caller}.m()V"), offset: 0, line: None, source_file: None };
            is_dealt_with(
                caller,
                &ReflectiveTarget { place, api, target, how: How::Log, because: Vec::new() },
            )
        };
        let class = || Target::Class { class: "a/A".to_owned() };
        assert!(of("java/util/Arrays", "Array.newInstance", class()));
        assert!(of("sun/reflect/generics/factory/CoreReflectionFactory", "Class.forName", class()));
        assert!(!of("java/util/ServiceLoader$LazyClassPathLookupIterator", "Class.forName", class()));
        assert!(!of("java/beans/Introspector", "Class.forName", class()));
        assert!(!of("java/io/ObjectStreamClass", "ObjectInputStream.readObject", class()));
        let bundle = Target::Bundle { name: "a.B".to_owned() };
        assert!(!of("java/util/logging/Logger", "ResourceBundle.getBundle", bundle));
    }

    #[test]
    fn locales_are_no_part_of_base_names() {
        let of = |file: &str| base_names(file).collect::<Vec<_>>();
        assert_eq!(of("a_b/Messages_de_CH"), ["a_b/Messages", "a_b/Messages_de", "a_b/Messages_de_CH"]);
        assert_eq!(of("_x"), ["_x"]);
    }
}
