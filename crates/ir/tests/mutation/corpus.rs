//! The classes that are mutated: small ones of the JDK, and old ones with subroutines.

use bytes::Bytes;

use crate::asm::{Asm, Body};
use crate::jdk;
use crate::subject::Subject;

/// How many classes of the JDK are taken, and how large they may be: small ones make for many rounds.
const CLASSES: usize = 240;
const SIZES: std::ops::Range<usize> = 300..2200;

/// Intact classes that some mutants meet.
const COMPANIONS: [&str; 5] = [
    "java/lang/Object",
    "java/lang/Comparable",
    "java/util/Iterator",
    "java/util/concurrent/Callable",
    "java/util/function/Function",
];

/// What is mutated, and what it is surrounded with.
pub(crate) struct Corpus {
    pub(crate) subjects: Vec<Subject>,
    pub(crate) companions: Vec<Bytes>,
}

impl Corpus {
    pub(crate) fn new() -> Self {
        let inputs = jdk::jdk();
        let fitting: Vec<Subject> = jdk::classes(&inputs)
            .filter(|bytes| SIZES.contains(&bytes.len()))
            .filter_map(|bytes| Subject::new(&bytes))
            .filter(|subject| !subject.instructions.is_empty())
            .collect();
        let step = (fitting.len() / CLASSES).max(1);
        let mut subjects: Vec<Subject> = fitting.into_iter().step_by(step).collect();
        assert!(subjects.len() >= CLASSES, "the JDK has only {} small classes", subjects.len());
        subjects.extend(old_classes().into_iter().filter_map(|bytes| Subject::new(&bytes.into())));
        let is_companion = |entry: &&heliostat_input::Entry| {
            COMPANIONS.iter().any(|name| inputs.name(entry) == name.as_bytes())
        };
        let companions = inputs.classes.iter().filter(is_companion).filter_map(|e| inputs.read(e).ok());
        Self { subjects, companions: companions.collect() }
    }
}

/// Classes as compilers made them before `finally` was copied: `jsr` and `ret`, nested and in handlers.
fn old_classes() -> Vec<Vec<u8>> {
    // try { if (x == 0) return 1; } finally { n++; } return 2;
    let simple = Body {
        handlers: vec![[0, 8, 14, 0]],
        ..Body::new([
            0x1a, 0x9a, 0, 7, // 0: iload_0; ifne 8
            0xa8, 0, 19,   // 4: jsr 23
            0x04, // 7: iconst_1 (falls into the other exit)
            0xa8, 0, 15, // 8: jsr 23
            0x05, 0xac, 0,    // 11: iconst_2; ireturn; nop
            0x4c, // 14: astore_1
            0xa8, 0, 8, // 15: jsr 23
            0x2b, 0xbf, 0, 0, 0,    // 18: aload_1; athrow
            0x4d, // 23: astore_2
            0x84, 0, 1, // 24: iinc 0 1
            0xa9, 2, // 27: ret 2
        ])
    };
    // A subroutine that calls another, and one that is left without `ret`.
    let nested = Body::new([
        0xa8, 0, 6, // 0: jsr 6
        0x1a, 0xac, 0,    // 3: iload_0; ireturn
        0x4c, // 6: astore_1
        0xa8, 0, 11, // 7: jsr 18
        0x1a, 0x9a, 0, 5, // 10: iload_0; ifne 16
        0xa9, 1, // 14: ret 1
        0x1a, 0xac, // 16: iload_0; ireturn
        0x4d, // 18: astore_2
        0x84, 0, 1, // 19: iinc 0 1
        0xa9, 2, // 22: ret 2
    ]);
    let versions = [(45, 3), (46, 0), (48, 0), (49, 0)];
    let class = |(i, version): (usize, (u16, u16))| {
        let mut asm = Asm::new(format!("old/Old{i}"));
        asm.version = version;
        asm.method("simple", "(I)I", &simple);
        asm.method("nested", "(I)I", &nested);
        asm.bytes()
    };
    versions.into_iter().enumerate().map(class).collect()
}
