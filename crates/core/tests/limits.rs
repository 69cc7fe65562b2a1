//! What hostile inputs may cost is bounded, and said.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use heliostat_core::{Limits, MemoryFile, Settings, info, open};

/// Class files in memory that are only a magic number.
fn broken(n: usize) -> Vec<MemoryFile> {
    let bytes = bytes::Bytes::from_static(&[0xCA, 0xFE, 0xBA, 0xBE]);
    (0..n).map(|i| MemoryFile { name: format!("{i}.class"), bytes: bytes.clone() }).collect()
}

#[test]
fn classes_past_the_limit_are_not_read() {
    let jar = include_bytes!("../../heliostat/demo/demo.jar");
    let memory = vec![MemoryFile { name: "demo.jar".to_owned(), bytes: bytes::Bytes::from_static(jar) }];
    let all = open(&Settings { memory: memory.clone(), ..Settings::default() }).unwrap();
    assert!(all.program.classes().len() > 2 && all.problems.total() == 0);

    let limits = Limits { class_bytes: 100, ..Limits::default() };
    let cut = open(&Settings { memory, limits, ..Settings::default() }).unwrap();
    assert_eq!(cut.program.classes().len(), 1, "the class that goes past the limit is the last one");
    let listed = cut.problems.listed();
    assert!(listed.iter().all(|p| p.message.contains("limit on the bytes")), "{listed:?}");
    assert_eq!(listed.len(), all.program.classes().len() - 1);
}

#[test]
fn every_broken_class_is_told() {
    let opened = open(&Settings { memory: broken(3), ..Settings::default() }).unwrap();
    assert_eq!(opened.program.classes().len(), 0);
    let archives: Vec<_> = opened.problems.listed().iter().map(|p| p.archive.as_str()).collect();
    assert_eq!(archives, ["0.class", "1.class", "2.class"]);
}

/// A class whose constant pool has `n` class entries that name nothing.
fn damaged_pool(n: u16) -> Vec<u8> {
    let mut bytes = b"\xCA\xFE\xBA\xBE\0\0\0\x34".to_vec();
    bytes.extend((n + 3).to_be_bytes());
    bytes.extend(b"\x01\0\x01A\x07\0\x01");
    bytes.extend([7, 0xff, 0xff].repeat(n.into()));
    bytes.extend([0, 0x21, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn damage_past_the_limit_is_counted_not_kept() {
    let bytes = damaged_pool(1000);
    let memory = vec![MemoryFile { name: "A.class".to_owned(), bytes: bytes.into() }];
    let limits = Limits { listed: 10, ..Limits::default() };
    let mut opened = open(&Settings { memory, limits, ..Settings::default() }).unwrap();
    let before = opened.problems.total();
    let told = info(&mut opened, &mut |_| ());
    assert_eq!(told.problem_count - before, 1000);
    assert_eq!((told.problems.len(), told.archives[0].problems), (10, told.problem_count));
    let again = info(&mut opened, &mut |_| ());
    assert_eq!(again.problem_count, told.problem_count, "what was told is not told again");
}

#[test]
fn problems_of_archives_are_counted_with_the_others() {
    let mut memory = broken(3);
    memory.push(MemoryFile { name: "a.txt".to_owned(), bytes: bytes::Bytes::from_static(b"hello") });
    let settings = Settings { memory, ..Settings::default() };
    let opened = open(&settings).unwrap();
    assert_eq!((opened.problems.total(), opened.problems.listed().len()), (4, 4));

    let limits = Limits { listed: 0, ..Limits::default() };
    let opened = open(&Settings { limits, ..settings }).unwrap();
    assert_eq!((opened.problems.total(), opened.problems.listed()), (4, &[][..]));
}
