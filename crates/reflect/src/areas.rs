//! Which parts of the JDK have to do with each other.
//!
//! Without contexts, whatever is put into any collection comes out of all of them, so that every name of a class that
//! the JDK has somewhere arrives at every place where it loads classes by name. But what one part of the JDK names, it does not mean for
//! another: at a call in the JDK, a class of the JDK counts only if both are of one module or of one family of packages. A class of the
//! program counts there only if it extends or implements such a class of the JDK, as what is plugged in there does; where the JDK is there
//! for any class, as for beans, it counts anyway. Calls of the program are about all classes.

use std::collections::HashMap;

use heliostat_index::IdMap;
use heliostat_program::{ClassId, Program, TypeId};

/// The module that has parts of everything.
const BASE: &str = "java.base";

/// How many parts of a package's name make a family, by how the name begins; two if it is not here.
const PARTS: &[(&str, usize)] = &[("com/sun/org/apache/", 5), ("com/sun/", 3)];

/// Families that are one.
const SAME: &[(&str, &str)] = &[
    ("java/security", "sun/security"),
    ("javax/security", "sun/security"),
    ("javax/crypto", "sun/security"),
];

/// Families that are there for any class of programs.
const GENERIC: &[&str] = &["java/beans", "com/sun/beans", "javax/management", "com/sun/jmx"];

/// Where in the JDK a class is: the numbers of its module and of the first two parts of its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Area {
    /// The module; 0 for `java.base`, which has parts of everything, and where there are no modules.
    module: u32,
    /// The family of packages; 0 for classes that are not the JDK's.
    family: u32,
    /// Whether its code is there for any class of programs.
    is_generic: bool,
}

impl Area {
    fn is_near(self, other: Self) -> bool {
        self.family == other.family || (self.module != 0 && self.module == other.module)
    }
}

/// The areas of all classes.
#[derive(Debug, Clone)]
pub struct Areas(IdMap<ClassId, Area>);

impl Default for Areas {
    fn default() -> Self {
        Self::new()
    }
}

impl Areas {
    /// Areas, none of which is known.
    pub fn new() -> Self {
        Self(IdMap::with_default(Area::default()))
    }

    /// The areas of a program's classes: of each, the name of its module if it is the JDK's, an empty one if there are no modules.
    pub fn find(program: &Program, module: impl Fn(ClassId) -> Option<String>) -> Self {
        let (mut areas, mut numbers) = (Self::new(), Numbers::default());
        for class in program.classes().ids() {
            let Some(module) = module(class) else { continue };
            let name = program.class_name(class);
            let family = family(&name);
            areas.0[class] = Area {
                module: if module.is_empty() || module == BASE { 0 } else { numbers.of(&module) },
                family: numbers.of(family),
                is_generic: GENERIC.contains(&family),
            };
        }
        areas
    }

    /// Whether a class is the JDK's.
    pub(crate) fn is_platform(&self, class: ClassId) -> bool {
        self.0[class].family != 0
    }

    /// Whether a call in one class may well be about another.
    pub(crate) fn may_mean(&self, program: &Program, caller: ClassId, class: ClassId) -> bool {
        let (area, target) = (self.0[caller], self.0[class]);
        if area.family == 0 || area.is_generic {
            return true;
        }
        if target.family != 0 {
            return area.is_near(target);
        }
        let mut above = program.super_classes(class).chain(program.super_interfaces(class).iter().copied());
        above.any(|above| {
            let is_known = program.classes()[above].ty != TypeId::OBJECT && self.is_platform(above);
            is_known && area.is_near(self.0[above])
        })
    }
}

fn family(class: &str) -> &str {
    let parts = PARTS.iter().find(|(begin, _)| class.starts_with(begin)).map_or(2, |&(_, parts)| parts);
    let end = class.match_indices('/').map(|(end, _)| end).take(parts).last().unwrap_or(0);
    let family = &class[..end];
    SAME.iter().find(|(other, _)| *other == family).map_or(family, |&(_, same)| same)
}

/// Numbers for names, from 1 on.
#[derive(Default)]
struct Numbers(HashMap<String, u32>);

impl Numbers {
    fn of(&mut self, name: &str) -> u32 {
        let next = self.0.len() as u32 + 1;
        *self.0.entry(name.to_owned()).or_insert(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_of_packages() {
        for (class, expected) in [
            ("java/util/logging/Handler", "java/util"),
            ("java/lang/Object", "java/lang"),
            ("com/sun/jndi/ldap/LdapCtx", "com/sun/jndi"),
            ("com/sun/org/apache/xerces/internal/parsers/DOMParser", "com/sun/org/apache/xerces"),
            ("javax/crypto/Cipher", "sun/security"),
            ("Top", ""),
        ] {
            assert_eq!(family(class), expected, "{class}");
        }
    }
}
