//! Entries of the file, put together: one for each type, or resource, and condition.

use std::collections::{BTreeMap, BTreeSet};

use super::needs::{Flag, Method, Need, Part, Subject};
use super::reason;
use crate::analysis::ReflectiveTarget;

/// What native images have to be told, in the order of names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Types, and what of them is used.
    pub types: Vec<TypeEntry>,
    /// Resources and bundles.
    pub resources: Vec<ResourceEntry>,
}

/// A type, and what of it is used once another type is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeEntry {
    /// The type.
    pub named: Named,
    /// The type that has to be reached.
    pub condition: String,
    /// The calls that need it.
    pub reasons: Vec<String>,
    /// What holds for it as a whole.
    pub flags: BTreeSet<Flag>,
    /// Its fields that are read or written, by name.
    pub fields: BTreeSet<String>,
    /// Its methods and constructors that are called.
    pub methods: BTreeSet<Method>,
}

/// How a type is named: with dots, `$` before nested classes, `[]` behind arrays.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// By its name.
    Type(String),
    /// A proxy class, by its interfaces.
    Proxy(Vec<String>),
}

/// A resource or bundle that is used once a type is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceEntry {
    /// Which.
    pub glob: Glob,
    /// The module that it is in, if it is one of the JDK's.
    pub module: Option<String>,
    /// The type that has to be reached.
    pub condition: String,
    /// The calls that need it.
    pub reasons: Vec<String>,
}

/// How a resource is named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Glob {
    /// A resource, by a pattern that means just it.
    Resource(String),
    /// A bundle, by its base name.
    Bundle(String),
}

/// Entries under construction.
#[derive(Default)]
pub(super) struct Entries {
    types: BTreeMap<(Named, String), Parts>,
    resources: BTreeMap<(Glob, Option<String>, String), BTreeSet<String>>,
}

#[derive(Default)]
struct Parts {
    reasons: BTreeSet<String>,
    flags: BTreeSet<Flag>,
    fields: BTreeSet<String>,
    methods: BTreeSet<Method>,
}

impl Entries {
    /// Adds what a call needs once a type is reached.
    pub(super) fn add(
        &mut self,
        need: &Need,
        condition: String,
        module: Option<&str>,
        target: &ReflectiveTarget,
    ) {
        let reason = reason::text(target);
        let named = match &need.subject {
            Subject::Type(name) => Named::Type(name.clone()),
            Subject::Proxy(interfaces) => Named::Proxy(interfaces.clone()),
            Subject::Resource(path) => {
                let Some(glob) = glob(path) else { return };
                return self.add_resource(Glob::Resource(glob), condition, module, reason);
            }
            Subject::Bundle(name) => {
                return self.add_resource(Glob::Bundle(name.clone()), condition, module, reason);
            }
        };
        let parts = self.types.entry((named, condition)).or_default();
        parts.reasons.insert(reason);
        match &need.part {
            Some(Part::Method(method)) => _ = parts.methods.insert(method.clone()),
            Some(Part::Field { name, .. }) => _ = parts.fields.insert(name.clone()),
            Some(Part::Flag(flag)) => _ = parts.flags.insert(*flag),
            None => {}
        }
    }

    fn add_resource(&mut self, glob: Glob, condition: String, module: Option<&str>, reason: String) {
        let key = (glob, module.map(str::to_owned), condition);
        self.resources.entry(key).or_default().insert(reason);
    }

    /// All of them, in the order of names.
    pub(super) fn finish(self) -> Metadata {
        let types = self.types.into_iter().map(|((named, condition), parts)| parts.finish(named, condition));
        let resources = self.resources.into_iter().map(|((glob, module, condition), reasons)| {
            let reasons = reasons.into_iter().collect();
            ResourceEntry { glob, module, condition, reasons }
        });
        Metadata { types: types.collect(), resources: resources.collect() }
    }
}

impl Parts {
    /// The entry, without what a flag says already.
    fn finish(self, named: Named, condition: String) -> TypeEntry {
        let Self { reasons, flags, mut fields, mut methods } = self;
        if flags.contains(&Flag::AllDeclaredFields) {
            fields.clear();
        }
        methods.retain(|method| {
            let all = if method.is_constructor() {
                Flag::AllDeclaredConstructors
            } else {
                Flag::AllDeclaredMethods
            };
            !flags.contains(&all)
        });
        TypeEntry { named, condition, reasons: reasons.into_iter().collect(), flags, fields, methods }
    }
}

/// The pattern that means just the resource of a path. It must have no empty parts; nothing but stars stands for anything else.
fn glob(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("/").replace('*', "\\*"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{How, Place, Target};
    use crate::metadata::needs::{self, Unknown};

    fn target(api: &'static str, target: Target) -> ReflectiveTarget {
        let place = Place { method: "m/M.main()V".to_owned(), offset: 0, line: Some(1), source_file: None };
        ReflectiveTarget { place, api, target, how: How::Log, because: Vec::new() }
    }

    fn entries(targets: Vec<(&str, ReflectiveTarget)>) -> Metadata {
        let mut entries = Entries::default();
        for (condition, target) in targets {
            let need = needs::of(&target, Unknown::EVERYTHING).unwrap();
            entries.add(&need, condition.to_owned(), None, &target);
        }
        entries.finish()
    }

    fn method(name: &str) -> Target {
        let (class, descriptor) = ("a/A".to_owned(), "(I)V".to_owned());
        Target::Method { class, name: name.to_owned(), descriptor }
    }

    #[test]
    fn one_entry_per_type_and_condition() {
        let class = || Target::Class { class: "a/A".to_owned() };
        let found = entries(vec![
            ("z.Z", target("Class.forName", class())),
            ("m.M", target("Method.invoke", method("run"))),
            ("m.M", target("Constructor.newInstance", method("<init>"))),
            ("m.M", target("Class.forName", class())),
            ("m.M", target("Class.forName", class())),
        ]);
        let conditions: Vec<&str> = found.types.iter().map(|entry| entry.condition.as_str()).collect();
        assert_eq!(conditions, ["m.M", "z.Z"]);
        let names: Vec<&str> = found.types[0].methods.iter().map(|method| method.name.as_str()).collect();
        assert_eq!(names, ["<init>", "run"]);
        assert_eq!(found.types[0].reasons.len(), 3, "equal ones are one: {:?}", found.types[0].reasons);
        assert!(found.types[1].methods.is_empty());
    }

    #[test]
    fn what_a_flag_says_is_not_said_again() {
        let members = |api| ("m.M", target(api, Target::Members { class: "a/A".to_owned() }));
        let used =
            || vec![("m.M", target("Method.invoke", method("run"))), ("m.M", target("X", method("<init>")))];
        let names = |more| {
            let found = entries(used().into_iter().chain([more]).collect());
            found.types[0].methods.iter().map(|method| method.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(members("Class.getDeclaredMethods")), ["<init>"]);
        assert_eq!(names(members("Class.getDeclaredConstructors")), ["run"]);
        assert_eq!(names(members("Class.getMethods")), ["<init>", "run"], "it may be one that is not public");
    }

    #[test]
    fn patterns_mean_just_the_resource() {
        assert_eq!(glob("a/b.txt").as_deref(), Some("a/b.txt"));
        assert_eq!(glob("a//b/").as_deref(), Some("a/b"));
        assert_eq!(glob("a/*.{x}").as_deref(), Some("a/\\*.{x}"));
        assert_eq!((glob(""), glob("/")), (None, None));
    }
}
