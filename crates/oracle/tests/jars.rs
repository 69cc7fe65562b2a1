//! The engine and the rules agree on real programs, with a library that is cut down so that the rules come to an end.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::ffi::OsString;
use std::path::PathBuf;

use heliostat_core::JdkChoice;
use heliostat_core::program::Program;
use heliostat_core::pta::{Entry, Flavour};

use support::{
    DEEP_FLAVOURS, FLAVOURS, MERGED, agree, classes, jdk, main_of, open_entries, opened, options,
    with_library,
};

/// An application, from its main method, with much of the library.
#[test]
fn antlr() {
    let main = |program: &Program| vec![Entry::Main(main_of(program, "antlr/Tool"))];
    assert!(agree_on("antlr", 3, &FLAVOURS, main) > 5_000_000);
    agree_on("antlr", 2, &DEEP_FLAVOURS, main);
}

/// A library of 2002, with many subroutines, from all that is public.
#[test]
fn collections() {
    let open = |program: &Program| open_entries(program, "org/apache/commons/collections/");
    assert!(agree_on("collections-2.1", 1, &FLAVOURS, open) > 500_000);
    agree_on("collections-2.1", 1, &DEEP_FLAVOURS, open);
}

/// A library that uses much of the JDK and whose own optional parts are missing.
#[test]
fn log4j() {
    let open = |program: &Program| open_entries(program, "org/apache/log4j/");
    assert!(agree_on("log4j-1.2", 1, &FLAVOURS, open) > 1_000_000);
}

/// A library of today, of several jars.
#[test]
fn jackson() {
    let open = |program: &Program| open_entries(program, "com/fasterxml/jackson/core/");
    assert!(agree_on("jackson", 1, &FLAVOURS, open) > 200_000);
}

/// Bytecode that is not from javac.
#[test]
fn kotlin() {
    let open = |program: &Program| open_entries(program, "kotlin/text/");
    assert!(agree_on("kotlin-stdlib", 1, &FLAVOURS, open) > 100_000);
    agree_on("kotlin-stdlib", 1, &DEEP_FLAVOURS, open);
}

/// Returns how many tuples there are, of all flavours.
fn agree_on(
    name: &str,
    rounds: usize,
    flavours: &[(&str, Flavour)],
    entries: impl Fn(&Program) -> Vec<Entry>,
) -> usize {
    let own = classes(&opened(jars(name), JdkChoice::None).program);
    let mut tuples = 0;
    for &(flavour_name, flavour) in flavours {
        let mut program = with_library(own.clone(), &jdk().program, rounds);
        let options = options(flavour, MERGED, entries(&program), true);
        tuples += agree(&format!("{name} {flavour_name}"), &mut program, &options);
    }
    tuples
}

fn jars(name: &str) -> Vec<OsString> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.cache/programs").join(name);
    let listed = std::fs::read_dir(&folder)
        .unwrap_or_else(|_| panic!("run `cargo xtask fetch --ci` for {name} first"));
    let paths = listed.map(|file| file.unwrap().path());
    let mut jars: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "jar")).collect();
    jars.sort();
    jars.into_iter().map(PathBuf::into_os_string).collect()
}
