//! Why a pattern matches nothing, and what may have been meant.

use heliostat_classfile::mutf8;
use heliostat_program::{ClassId, MethodId};

use crate::likeness::likeness;
use crate::pattern::{Reading, java_simple_name};
use crate::{MethodPattern, Opened, is_platform_name};

/// Why a pattern matches nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoMatch {
    /// The class is there and declares no methods.
    NoMethods {
        /// Its name.
        class: String,
    },
    /// The class is there, without such a method.
    NoSuchMethod {
        /// Its name.
        class: String,
        /// Its methods of a similar name, the most alike first; if there are none, all of them.
        methods: Vec<String>,
        /// Whether they are of a similar name.
        alike: bool,
    },
    /// It names a class of the JDK, and there is no JDK.
    NoJdk,
    /// The inputs refer to the class, and nothing defines it.
    MissingClass {
        /// Its name.
        class: String,
    },
    /// Classes or methods of a similar name, the most alike first; there may be none.
    Similar(Vec<String>),
}

impl Opened {
    /// Why a pattern matches nothing. Links the classes of the inputs for a while, to see what they refer to.
    pub fn why_no_match(&mut self, pattern: &MethodPattern) -> NoMatch {
        for reading in [Reading::Exact, Reading::Loose] {
            if let Some(&class) = self.named_classes(pattern, reading).first() {
                return self.no_such_method(class, pattern);
            }
        }
        let names = pattern.class_names(Reading::Exact);
        let of_platform = names.iter().any(|name| is_platform_name(&mutf8::decode_lossy(name)));
        if self.jdk().is_none() && of_platform {
            return NoMatch::NoJdk;
        }
        match self.missing_class(pattern) {
            Some(class) => NoMatch::MissingClass { class },
            None => NoMatch::Similar(self.similar(pattern)),
        }
    }

    fn no_such_method(&self, class: ClassId, pattern: &MethodPattern) -> NoMatch {
        let name = self.program.class_name(class);
        let methods = self.methods_of(class);
        if methods.len() == 0 {
            return NoMatch::NoMethods { class: name };
        }
        let alike = self.alike_methods([class].into_iter(), pattern.last_part());
        if !alike.is_empty() {
            return NoMatch::NoSuchMethod { class: name, methods: alike, alike: true };
        }
        let methods = methods.map(|method| self.program.method_name(method)).collect();
        NoMatch::NoSuchMethod { class: name, methods, alike: false }
    }

    /// The class that a pattern names in full, if it is one that the inputs refer to in vain.
    fn missing_class(&mut self, pattern: &MethodPattern) -> Option<String> {
        let inputs: Vec<_> = self.program.classes().ids().filter(|&class| self.is_input(class)).collect();
        for class in inputs {
            // Names that only a constant pool has become known by linking.
            if self.program.linked(class).is_none() {
                self.program.link(class);
                self.program.unlink(class);
            }
        }
        let readings = [Reading::Exact, Reading::Loose].into_iter();
        let mut types = readings.flat_map(|reading| self.named_types(pattern, reading));
        let missing = types.find(|&ty| self.program.types.is_missing(ty))?;
        Some(self.program.type_name(missing))
    }

    /// What is in the inputs under a similar name; only if that is nothing, what is outside.
    fn similar(&self, pattern: &MethodPattern) -> Vec<String> {
        let (inside, outside): (Vec<_>, Vec<_>) =
            self.program.classes().ids().partition(|&class| self.is_input(class));
        let found = self.similar_among(&inside, pattern);
        if !found.is_empty() {
            return found;
        }
        // Every name of a method is somewhere in the JDK, and a star would find much that nobody meant.
        if pattern.owner().is_none() || pattern.has_star() {
            return Vec::new();
        }
        let methods = outside.iter().flat_map(|&class| self.methods_of(class));
        let meant = methods.filter(|&method| self.is_meant(pattern, Reading::Loose, method));
        let meant: Vec<_> = meant.map(|method| self.program.method_name(method)).collect();
        if meant.is_empty() { self.similar_among(&outside, pattern) } else { meant }
    }

    fn similar_among(&self, classes: &[ClassId], pattern: &MethodPattern) -> Vec<String> {
        let last = pattern.last_part();
        let owners = pattern.owner().map(|owner| self.alike_classes(classes, java_simple_name(owner)));
        let owners = owners.unwrap_or_default();
        let mut found = match pattern.owner() {
            Some(_) => self.alike_methods(owners.iter().copied(), last),
            None => self.alike_methods(classes.iter().copied(), last),
        };
        if found.is_empty() {
            let named = self.alike_classes(classes, last);
            found = owners.iter().chain(&named).map(|&class| self.program.class_name(class)).collect();
        }
        found
    }

    fn alike_classes(&self, classes: &[ClassId], wanted: &[u8]) -> Vec<ClassId> {
        let alike = |&class: &ClassId| {
            let distance = likeness(wanted, java_simple_name(self.internal_name(class)))?;
            Some((distance, self.program.class_name(class), class))
        };
        let mut found: Vec<_> = classes.iter().filter_map(alike).collect();
        found.sort_unstable();
        found.into_iter().map(|(.., class)| class).collect()
    }

    fn alike_methods(&self, classes: impl Iterator<Item = ClassId>, wanted: &[u8]) -> Vec<String> {
        let alike = |method: MethodId| {
            let name = self.program.selector(self.program.methods()[method].selector).name;
            let distance = likeness(wanted, self.program.symbols.bytes(name))?;
            Some((distance, self.program.method_name(method)))
        };
        let mut found: Vec<_> = classes.flat_map(|class| self.methods_of(class)).filter_map(alike).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, name)| name).collect()
    }
}
