//! Classes that a program has made while it ran.
//!
//! A process keeps the bytes of each class that it may have made, with the location that it names. Whether a file has it is settled when
//! the process has ended: those that one has are dropped, and those that none has lose their location.

use heliostat_classfile::mutf8;
use heliostat_weave::log::{self, ClassCode, Record, Records};

/// A class that no file has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MadeClass {
    /// Its internal name.
    pub name: String,
    /// Its class file, as it was defined.
    pub bytes: Vec<u8>,
}

/// A class that the program may have made.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Its internal name.
    pub name: &'a str,
    /// Where it is from, as its code source says; empty if that says nothing.
    pub location: &'a str,
}

/// The classes that a process has made, as far as that is settled.
pub(crate) fn read(classes: &[u8]) -> Vec<MadeClass> {
    let codes = codes(classes).filter(|code| code.location.is_empty());
    codes.map(|code| MadeClass { name: mutf8::decode_lossy(&code.name), bytes: code.bytes }).collect()
}

/// The classes of a process with what can be settled: whether a file has one, or none if that cannot be said. None if nothing changes.
pub fn settled(classes: &[u8], mut is_in_file: impl FnMut(Candidate<'_>) -> Option<bool>) -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    let mut has_changed = false;
    for mut code in codes(classes) {
        let name = mutf8::decode_lossy(&code.name);
        let is_open = !code.location.is_empty();
        let found = is_open.then(|| is_in_file(Candidate { name: &name, location: &code.location }));
        has_changed |= found.flatten().is_some();
        match found.flatten() {
            Some(true) => continue,
            Some(false) => code.location.clear(),
            None => {}
        }
        kept.extend(log::write(&Record::Code(code)));
    }
    has_changed.then_some(kept)
}

fn codes(classes: &[u8]) -> impl Iterator<Item = ClassCode> {
    Records::new(classes).filter_map(|record| match record {
        Record::Code(code) => Some(code),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes() -> Vec<u8> {
        let code = |name: &str, location: &str| {
            let (name, location) = (name.as_bytes().to_vec(), location.to_owned());
            log::write(&Record::Code(ClassCode { bytes: name.clone(), name, location }))
        };
        [code("A", "file:/a"), code("B", ""), code("C", "file:/a")].concat()
    }

    fn names(classes: &[u8]) -> Vec<String> {
        read(classes).into_iter().map(|made| made.name).collect()
    }

    #[test]
    fn what_no_file_has_was_made() {
        let settled_once = settled(&classes(), |class| Some(class.name == "A")).unwrap();
        assert_eq!(names(&settled_once), ["B", "C"]);
        assert_eq!(settled(&settled_once, |_| Some(true)), None);
    }

    #[test]
    fn what_cannot_be_said_stays_open() {
        let settled_once = settled(&classes(), |class| (class.name == "A").then_some(true)).unwrap();
        assert_eq!(names(&settled_once), ["B"]);
        let settled_twice = settled(&settled_once, |_| Some(false)).unwrap();
        assert_eq!(names(&settled_twice), ["B", "C"]);
        assert_eq!(settled(&classes(), |_| None), None);
    }

    #[test]
    fn without_knowledge_of_files_the_location_decides() {
        assert_eq!(names(&classes()), ["B"]);
        assert_eq!((names(b""), settled(b"", |_| Some(true))), (Vec::new(), None));
        assert_eq!(names(&classes()[..5]), Vec::<String>::new());
    }
}
