//! Classes that a program has made while it ran.
//!
//! A process keeps the bytes of each class that it may have made. Whether a file has it is settled when the process has ended, and those
//! that one has are dropped.

use heliostat_classfile::mutf8;
use heliostat_weave::log::{self, ClassCode, Record, Records};

/// The first record of a file in which only classes are left that were made.
const SETTLED: &str = "settled";

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

/// The classes that a process has made. What is not settled has only those for which no location is given.
pub(crate) fn read(classes: &[u8]) -> Vec<MadeClass> {
    let is_settled = is_settled(classes);
    let codes = codes(classes).filter(|code| is_settled || code.location.is_empty());
    codes.map(|code| MadeClass { name: mutf8::decode_lossy(&code.name), bytes: code.bytes }).collect()
}

/// The classes of a process without those that a file has; none if that was settled before.
pub fn settled(classes: &[u8], mut is_in_file: impl FnMut(Candidate<'_>) -> bool) -> Option<Vec<u8>> {
    if classes.is_empty() || is_settled(classes) {
        return None;
    }
    let mut kept = log::write(&Record::Property(SETTLED.to_owned(), String::new()));
    for code in codes(classes) {
        let name = mutf8::decode_lossy(&code.name);
        if !is_in_file(Candidate { name: &name, location: &code.location }) {
            kept.extend(log::write(&Record::Code(code)));
        }
    }
    Some(kept)
}

fn is_settled(classes: &[u8]) -> bool {
    matches!(Records::new(classes).next(), Some(Record::Property(name, _)) if name == SETTLED)
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
        let settled_once = settled(&classes(), |class| class.name == "A").unwrap();
        assert_eq!(names(&settled_once), ["B", "C"]);
        assert_eq!(settled(&settled_once, |_| true), None);
    }

    #[test]
    fn without_knowledge_of_files_the_location_decides() {
        assert_eq!(names(&classes()), ["B"]);
        assert_eq!((names(b""), settled(b"", |_| true)), (Vec::new(), None));
        assert_eq!(names(&classes()[..5]), Vec::<String>::new());
    }
}
