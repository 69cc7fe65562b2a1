//! What makes the lowering trustworthy: for every method of the JDK and of the CI programs, the verifier passes and
//! the inferred types agree with every `StackMapTable` frame; and the text form reads back.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsString;
use std::path::PathBuf;

use heliostat_core::ir::{Body, Lowerer, parse, print, verify};
use heliostat_core::program::{ClassId, MethodId, Program};
use heliostat_core::{Environment, JdkChoice, Opened, Origin, Settings, open};
use heliostat_index::Ids;

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
    let programs = programs();
    assert!(programs.len() > 3, "{programs:?}");
    for name in programs {
        let mut opened = open_with_jdk(jars(&name));
        let is_own = |opened: &Opened, class| opened.origin(class) == Origin::Input;
        let methods = check_all(&mut opened, is_own, 1);
        assert!(methods > 1000, "{name}: only {methods} methods");
    }
}

/// The programs flagged `ci` in bench/programs.toml; some of them have `jsr`.
fn programs() -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs.toml");
    let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let programs = table["program"].as_array().unwrap().iter();
    let flagged = programs.filter(|program| program.get("ci").and_then(toml::Value::as_bool) == Some(true));
    flagged.map(|program| program["name"].as_str().unwrap().to_owned()).collect()
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
    assert_eq!(opened.problems.listed(), [], "real programs are read without problems");
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
    check_body(program, &body, &name, round_trip);
    // Analyses get the body without what only frames speak of.
    let body = lowerer.lower(program, method).unwrap_or_else(|e| panic!("{name}: {e}"));
    check_body(program, &body, &name, round_trip);
}

fn check_body(program: &mut Program, body: &Body, name: &str, round_trip: bool) {
    verify(program, body).unwrap_or_else(|violation| panic!("{name}: {violation}"));
    if round_trip {
        let text = print(program, body);
        let again = parse(program, &text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(print(program, &again), text, "{name}");
        assert_eq!(
            (&again.insts, &again.values, &again.blocks),
            (&body.insts, &body.values, &body.blocks),
            "{name}"
        );
    }
}
