//! Where in the JDK classes are.

use std::collections::HashMap;

use heliostat_input::Origin;
use heliostat_reflect::{Area, Areas};

use crate::Opened;

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

/// The areas of the JDK's classes.
pub(super) fn find(opened: &Opened) -> Areas {
    let mut areas = Areas::new();
    let mut numbers = Numbers::default();
    for (class, _) in opened.program.classes().iter().filter(|&(id, _)| opened.origin(id) == Origin::Jdk) {
        let name = opened.program.class_name(class);
        let (_, path) = opened.place(class);
        let module =
            path.strip_suffix(&format!("{name}.class")).map_or("", |module| module.trim_matches('/'));
        let family = family(&name);
        let area = Area {
            module: if module.is_empty() || module == BASE { 0 } else { numbers.of(module) },
            family: numbers.of(family),
            is_generic: GENERIC.contains(&family),
        };
        areas.set(class, area);
    }
    areas
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
