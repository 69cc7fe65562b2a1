//! How much there is, and for which Java it was compiled.

use std::collections::BTreeMap;

use heliostat_input::Origin;
use serde::Serialize;

use crate::Opened;

/// The class version of Java N is this much greater than N.
const FIRST_MAJOR: u16 = 44;

/// How much there is, by origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// In the inputs.
    pub input: Count,
    /// In the libraries.
    pub class_path: Count,
    /// In the JDK.
    pub jdk: Count,
}

/// How much of something there is, without classes that are hidden or could not be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Classes.
    pub classes: usize,
    /// Methods.
    pub methods: usize,
    /// Methods that have bytecode.
    pub methods_with_code: usize,
    /// Fields.
    pub fields: usize,
}

/// How many classes of the inputs have a class file version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassVersion {
    /// The major version, such as 61.
    pub major: u16,
    /// The first Java release that writes it, such as `Java 17`.
    pub release: String,
    /// How many classes have it.
    pub classes: usize,
}

pub(super) fn totals(opened: &Opened) -> Totals {
    let program = &opened.program;
    let mut totals = Totals::default();
    for (id, class) in program.classes().iter() {
        let count = match opened.origin(id) {
            Origin::Input => &mut totals.input,
            Origin::ClassPath => &mut totals.class_path,
            Origin::Jdk => &mut totals.jdk,
        };
        let methods = program.methods().slice(class.methods.clone());
        count.classes += 1;
        count.methods += methods.len();
        count.methods_with_code += methods.iter().filter(|method| method.has_code()).count();
        count.fields += program.fields().slice(class.fields.clone()).len();
    }
    totals
}

pub(super) fn versions(opened: &Opened) -> Vec<ClassVersion> {
    let mut by_major: BTreeMap<u16, usize> = BTreeMap::new();
    for (id, class) in opened.program.classes().iter() {
        if opened.is_input(id) {
            *by_major.entry(class.version.major).or_default() += 1;
        }
    }
    let version = |(major, classes)| ClassVersion { major, release: release(major), classes };
    by_major.into_iter().map(version).collect()
}

impl Opened {
    /// What the user should know before believing anything that is found.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let majors = self.program.classes().iter().filter(|&(id, _)| self.is_input(id));
        let newest = majors.map(|(_, class)| class.version.major).max().unwrap_or_default();
        let feature = self.jdk().and_then(|jdk| jdk.feature);
        let too_old = feature.filter(|&feature| newest > feature.saturating_add(FIRST_MAJOR));
        let warn = |feature| {
            let needed = release(newest);
            format!("the inputs need {needed}, the JDK is {feature}; choose another with --jdk")
        };
        too_old.map(warn).into_iter().collect()
    }
}

/// Java 1.0 and 1.1 share a version; the releases after 1.4 dropped the `1.`.
fn release(major: u16) -> String {
    match major {
        ..=45 => "Java 1.1".to_owned(),
        46..=48 => format!("Java 1.{}", major - FIRST_MAJOR),
        49.. => format!("Java {}", major - FIRST_MAJOR),
    }
}

#[cfg(test)]
mod tests {
    use super::release;

    #[test]
    fn releases() {
        let names = [45, 46, 48, 49, 52, 61, 69].map(release);
        assert_eq!(names, ["Java 1.1", "Java 1.2", "Java 1.4", "Java 5", "Java 8", "Java 17", "Java 25"]);
    }
}
