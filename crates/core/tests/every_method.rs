//! What makes the lowering trustworthy: for every method of the JDK and of the CI programs, the verifier passes and
//! the inferred types agree with every `StackMapTable` frame; and the text form reads back.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsString;
use std::path::PathBuf;

use heliostat_core::ir::{Lowerer, parse, print, verify};
use heliostat_core::program::{ClassId, MethodId, Program};
use heliostat_core::{Environment, JdkChoice, Opened, Settings, open};
use heliostat_index::Ids;

/// The programs flagged `ci` in bench/programs.toml; log4j-1.2, antlr and collections-2.1 have `jsr`.
const PROGRAMS: [&str; 5] = ["antlr", "collections-2.1", "jackson", "kotlin-stdlib", "log4j-1.2"];

/// Text round trips are costly; one method in so many is enough for the whole JDK.
const JDK_ROUND_TRIPS: u32 = 16;

#[test]
fn of_the_jdk() {
    let mut opened = open_with_jdk(Vec::new());
    assert!(opened.program.classes().len() > 5_000, "the JDK was not found: install one, or set JAVA_HOME");
    check_all(&mut opened, |_, _| true, JDK_ROUND_TRIPS);
}

#[test]
fn of_real_jars() {
    for name in PROGRAMS {
        let mut opened = open_with_jdk(jars(name));
        let archives = opened.inputs.archives.len();
        assert!(archives > 1, "{name}: only the JDK was read");
        let is_own = |opened: &Opened, class| {
            let archive = opened.entry(class).archive;
            opened.inputs.archives[archive].origin == heliostat_input::Origin::Input
        };
        let methods = check_all(&mut opened, is_own, 1);
        assert!(methods > 1000, "{name}: only {methods} methods");
    }
}

fn jars(name: &str) -> Vec<OsString> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.cache/programs").join(name);
    let listed = std::fs::read_dir(&folder)
        .unwrap_or_else(|_| panic!("run `cargo xtask fetch --ci` for {name} first"));
    let jars =
        listed.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "jar"));
    jars.map(PathBuf::into_os_string).collect()
}

fn open_with_jdk(inputs: Vec<OsString>) -> Opened {
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        home: None,
    };
    let settings = Settings { inputs, jdk: JdkChoice::Auto, environment, ..Settings::default() };
    let opened = open(&settings).unwrap();
    assert_eq!(opened.problems, [], "real programs are read without problems");
    opened
}

/// Checks the methods of the classes that `include` takes; returns how many.
fn check_all(opened: &mut Opened, include: impl Fn(&Opened, ClassId) -> bool, round_trips: u32) -> u32 {
    let mut lowerer = Lowerer::new();
    let mut methods = 0;
    for class in opened.program.classes().ids() {
        if !include(opened, class) {
            continue;
        }
        opened.program.link(class);
        for method in Ids::between(opened.program.classes()[class].methods.clone()) {
            if opened.program.methods()[method].has_code() {
                methods += 1;
                check(&mut lowerer, &mut opened.program, method, methods % round_trips == 0);
            }
        }
        opened.program.unlink(class);
    }
    methods
}

fn check(lowerer: &mut Lowerer, program: &mut Program, method: MethodId, round_trip: bool) {
    let name = program.method_name(method);
    let (body, frames) = lowerer.lower_checked(program, method).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(frames.disagreements, [], "{name}");
    verify(program, &body).unwrap_or_else(|violation| panic!("{name}: {violation}"));
    if round_trip {
        let text = print(program, &body);
        let again = parse(program, &text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(print(program, &again), text, "{name}");
        assert_eq!(
            (&again.insts, &again.values, &again.blocks),
            (&body.insts, &body.values, &body.blocks),
            "{name}"
        );
    }
}
