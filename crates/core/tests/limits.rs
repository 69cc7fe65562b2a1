//! What hostile inputs may cost is bounded, and said.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use heliostat_core::{Limits, MemoryFile, Settings, open};

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
    assert!(all.program.classes().len() > 2 && all.problems.is_empty());

    let limits = Limits { class_bytes: 100, ..Limits::default() };
    let cut = open(&Settings { memory, limits, ..Settings::default() }).unwrap();
    assert_eq!(cut.program.classes().len(), 1, "the class that goes past the limit is the last one");
    assert!(cut.problems.iter().all(|p| p.message.contains("limit on the bytes")), "{:?}", cut.problems);
    assert_eq!(cut.problems.len(), all.program.classes().len() - 1);
}

#[test]
fn every_broken_class_is_told() {
    let opened = open(&Settings { memory: broken(3), ..Settings::default() }).unwrap();
    assert_eq!(opened.program.classes().len(), 0);
    let archives: Vec<_> = opened.problems.iter().map(|p| p.archive.as_str()).collect();
    assert_eq!(archives, ["0.class", "1.class", "2.class"]);
}
