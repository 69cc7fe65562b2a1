//! The engine and the rules agree on small programs, one for each part of the language and of the models.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use bytes::Bytes;
use heliostat_core::JdkChoice;
use heliostat_core::ir::Value;
use heliostat_core::program::{MethodId, Program};
use heliostat_core::pta::reflection::NoReflection;
use heliostat_core::pta::{Entry, Flavour, HeapOptions, Options, Selector, Service, analyse};
use heliostat_index::Id;
use heliostat_oracle::check;

use support::{
    DEEP_FLAVOURS, DISTINCT, FLAVOURS, MERGED, agree, classes, jdk, main_of, opened, options, with_library,
};

/// A test for each program of `tests/java`.
macro_rules! programs {
    ($($name:ident)*) => {
        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                agree_on(stringify!($name));
            }
        )*
    };
}

programs! {
    array_types
    arrays
    bootstrap
    containers
    exceptions
    hello
    initialisers
    inner
    interfaces
    lambda_classes
    lambdas
    natives
    references
    services
    statics
    texts
    unsafes
}

#[test]
fn every_program_is_tested() {
    let mut names: Vec<String> =
        sources().iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, PROGRAMS);
}

/// The whole start of the JVM: every class that is named by one that is there, is there.
#[test]
fn hello_with_all_of_the_library() {
    let mut program = program("hello", usize::MAX);
    let options = options_of(&program, "hello", Flavour::INSENSITIVE, MERGED);
    assert!(agree("hello insens, all of the library", &mut program, &options) > 10_000_000);
}

/// The rules of one flavour do not accept the answer of another.
#[test]
fn a_wrong_answer_is_told() {
    let mut program = program("containers", 1);
    let [asked, told] =
        [FLAVOURS[0].1, FLAVOURS[2].1].map(|flavour| options_of(&program, "containers", flavour, DISTINCT));
    let solution = analyse(&mut program, &told, &mut NoReflection, &mut |_| true);
    let report = check(&program, &solution, &asked);
    let calls = report.relations.iter().find(|relation| relation.name == "calls").unwrap();
    assert!(calls.missing > 0 && calls.unfounded > 0, "{report}");
    assert!(report.to_string().contains("\n  - containers/Main.main"), "{report}");
}

#[test]
fn an_answer_that_is_not_whole_is_told() {
    let mut program = program("containers", 2);
    let options = options_of(&program, "containers", Flavour::INSENSITIVE, MERGED);
    let solution = analyse(&mut program, &options, &mut NoReflection, &mut |_| false);
    let report = check(&program, &solution, &options);
    assert!(report.problems.contains(&"the analysis did not come to its end".to_owned()), "{report}");
    assert!(report.problems.iter().any(|problem| problem.starts_with("reached, and")), "{report}");
}

/// Says no to every second variable and allocation site.
struct EverySecond;

impl Selector for EverySecond {
    fn variable(&self, _: MethodId, value: Option<Value>) -> bool {
        value.is_some_and(|value| value.index() % 2 == 0)
    }

    fn allocation(&self, _: MethodId, offset: u32) -> bool {
        offset.is_multiple_of(2)
    }
}

#[test]
fn selectors_agree() {
    for name in ["containers", "lambdas", "arrays"] {
        for (flavour_name, flavour) in FLAVOURS.into_iter().chain(DEEP_FLAVOURS) {
            let mut program = program(name, 2);
            let mut options = options_of(&program, name, flavour, MERGED);
            options.selector = Some(Box::new(EverySecond));
            agree(&format!("{name} {flavour_name}, every second"), &mut program, &options);
        }
    }
}

/// What makes providers of services is called by `ServiceLoader`, and so are the initialisers of their classes.
#[test]
fn providers_have_callers() {
    let mut program = program("services", 3);
    let main = Entry::Main(main_of(&program, "services/Main"));
    let options = Options {
        services: services_of(&program),
        ..options(Flavour::INSENSITIVE, MERGED, vec![main], false)
    };
    let solution = analyse(&mut program, &options, &mut NoReflection, &mut |_| true);
    let calls = solution.calls();
    let callers = |callee: &str| -> Vec<String> {
        let of_callee = calls.iter().filter(|call| program.method_name(call.callee) == callee);
        let text = of_callee.map(|call| (call.kind.name(), program.method_name(call.caller)));
        text.map(|(kind, caller)| format!("{kind} {caller}")).collect()
    };
    let new = "java/util/ServiceLoader$ProviderImpl.newInstance()Ljava/lang/Object;";
    let ask = "java/util/ServiceLoader$ProviderImpl.invokeFactoryMethod()Ljava/lang/Object;";
    assert_eq!(callers("services/Main$Plain.<init>()V"), [format!("reflective {new}")]);
    assert_eq!(callers("services/Main$Plain.<clinit>()V"), [format!("clinit {new}")]);
    let method = "services/Main$Provided.provider()Lservices/Main$Codec;";
    assert_eq!(callers(method), [format!("reflective {ask}")]);
    assert_eq!(callers("services/Main$Never.<init>()V"), [""; 0]);
}

/// With little of the library, every object is told apart; with more, as few as the options allow.
fn agree_on(name: &str) {
    for (heap, rounds, library) in [(DISTINCT, 1, "little library"), (MERGED, 2, "more library")] {
        for (flavour_name, flavour) in FLAVOURS.into_iter().chain(DEEP_FLAVOURS) {
            let mut program = program(name, rounds);
            let options = options_of(&program, name, flavour, heap);
            agree(&format!("{name} {flavour_name}, {library}"), &mut program, &options);
        }
    }
}

fn program(name: &str, rounds: usize) -> Program {
    let own = opened(vec![compiled().join(name).into_os_string()], JdkChoice::None);
    let mut files = classes(&own.program);
    if name == "bootstrap" {
        files = files.iter().map(with_own_bootstrap).collect();
    }
    with_library(files, &jdk().program, rounds)
}

/// The class with another bootstrap class for its lambdas; see `bootstrap.java`.
fn with_own_bootstrap(class: &Bytes) -> Bytes {
    let (usual, own) = (b"java/lang/invoke/LambdaMetafactory", b"bootstrap/StandInLambdaMetafactory");
    let mut bytes = class.to_vec();
    for at in 0..bytes.len().saturating_sub(usual.len()) {
        if bytes[at..].starts_with(usual) {
            bytes[at..at + own.len()].copy_from_slice(own);
        }
    }
    bytes.into()
}

fn options_of(program: &Program, name: &str, flavour: Flavour, heap: HeapOptions) -> Options {
    let main = main_of(program, &format!("{name}/Main"));
    Options { services: services_of(program), ..options(flavour, heap, vec![Entry::Main(main)], true) }
}

/// The providers of the program of that name; none in others.
fn services_of(program: &Program) -> Vec<Service> {
    let pairs = [("Codec", "Plain"), ("Codec", "Provided"), ("Unused", "Never")];
    let class = |name: &str| program.find_class(&format!("services/Main${name}"));
    let known = pairs.into_iter().filter_map(|(service, provider)| {
        Some(Service { service: program.classes()[class(service)?].ty, provider: class(provider)? })
    });
    known.collect()
}

/// The folder with the classes of all programs.
fn compiled() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-java");
        let home = jdk().jdk().expect("a JDK").home.clone();
        let output = Command::new(home.join("bin/javac"))
            .args([OsStr::new("-nowarn"), OsStr::new("-d"), folder.as_os_str()])
            .args(sources())
            .output()
            .expect("these tests need a JDK of version 17 or later, with its compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    })
}

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
