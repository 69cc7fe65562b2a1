//! What the tests share: a JDK, cut down to what a program needs first, and a run of both implementations.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    reason = "for tests, each of which needs a part"
)]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use bytes::Bytes;
use heliostat_core::program::{Builder, ClassId, MethodId, Program, SourceId, TypeId};
use heliostat_core::pta::reflection::NoReflection;
use heliostat_core::pta::{Entry, Flavour, HeapOptions, Kind, Options, ReflectionLog, analyse};
use heliostat_core::{Environment, JdkChoice, Opened, Settings, open};
use heliostat_index::{IdSet, Ids};
use heliostat_oracle::check;

/// The flavours that must agree on every program.
pub(crate) const FLAVOURS: [(&str, Flavour); 3] = [
    ("insens", Flavour::INSENSITIVE),
    ("1call", Flavour { kind: Kind::CallSite, depth: 1, heap: 0 }),
    ("1obj", Flavour { kind: Kind::Object, depth: 1, heap: 0 }),
];

/// More of them, for small programs.
pub(crate) const DEEP_FLAVOURS: [(&str, Flavour); 4] = [
    ("2call+1", Flavour { kind: Kind::CallSite, depth: 2, heap: 1 }),
    ("2obj+1", Flavour { kind: Kind::Object, depth: 2, heap: 1 }),
    ("2type+1", Flavour { kind: Kind::Type, depth: 2, heap: 1 }),
    ("hybrid2+1", Flavour { kind: Kind::Hybrid, depth: 2, heap: 1 }),
];

/// Every `new`, and every string constant, is an object of its own.
pub(crate) const DISTINCT: HeapOptions =
    HeapOptions { distinct_strings: true, distinct_builders: true, distinct_exceptions: true };
/// Strings, builders and exceptions are one object per type.
pub(crate) const MERGED: HeapOptions =
    HeapOptions { distinct_strings: false, distinct_builders: false, distinct_exceptions: false };

/// Opens these inputs; with a JDK behind them, or without any.
pub(crate) fn opened(inputs: Vec<OsString>, jdk: JdkChoice) -> Opened {
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        home: None,
    };
    open(&Settings { inputs, jdk, environment, ..Settings::default() }).unwrap()
}

/// The JDK of this machine.
pub(crate) fn jdk() -> &'static Opened {
    static JDK: OnceLock<Opened> = OnceLock::new();
    JDK.get_or_init(|| {
        let opened = opened(Vec::new(), JdkChoice::Auto);
        assert!(
            opened.program.classes().len() > 5_000,
            "the JDK was not found: install one, or set JAVA_HOME"
        );
        opened
    })
}

/// The classes of a program.
pub(crate) fn classes(program: &Program) -> Vec<Bytes> {
    program.classes().values().map(|class| class.bytes.clone()).collect()
}

/// A program of these classes and of a library that is cut down to what they name, what that names, and so on for at most
/// so many rounds, always with what is above.
pub(crate) fn with_library(own: Vec<Bytes>, library: &Program, rounds: usize) -> Program {
    let mut files = own;
    for _ in 0..rounds {
        let named = named_in_vain(build(&files), library);
        if named.is_empty() {
            break;
        }
        files.extend(named.into_iter().map(|class| library.classes()[class].bytes.clone()));
    }
    build(&files)
}

/// The classes of the library that a program names, with what is above them, as far as it does not have them.
fn named_in_vain(mut program: Program, library: &Program) -> BTreeSet<ClassId> {
    program.classes().ids().for_each(|class| program.link(class));
    let types = Ids::<TypeId>::new(0..program.types.len()).filter(|&ty| program.types.is_missing(ty));
    let named = types.filter_map(|ty| library.find_class(&program.type_name(ty)));
    let with_supers = named.flat_map(|class| {
        library.super_classes(class).chain(library.super_interfaces(class).iter().copied())
    });
    with_supers.filter(|&class| program.find_class(&library.class_name(class)).is_none()).collect()
}

fn build(files: &[Bytes]) -> Program {
    let mut builder = Builder::new();
    for (number, bytes) in (0..).zip(files) {
        builder.add(bytes.clone(), SourceId::from_u32(number)).unwrap();
    }
    builder.finish().0
}

/// `main(String[])` of a class.
pub(crate) fn main_of(program: &Program, class: &str) -> MethodId {
    let selector = program.find_selector("main", "([Ljava/lang/String;)V").unwrap();
    program.declared_method(program.find_class(class).unwrap(), selector).unwrap()
}

/// All that others may call of the public classes of a package: public and protected methods with code.
pub(crate) fn open_entries(program: &Program, package: &str) -> Vec<Entry> {
    let is_meant = |class: &ClassId| {
        program.class_name(*class).starts_with(package) && program.classes()[*class].flags.is_public()
    };
    let classes = program.classes().ids().filter(is_meant);
    let methods = classes.flat_map(|class| Ids::between(program.classes()[class].methods.clone()));
    let is_open = |method: &MethodId| {
        let method = &program.methods()[*method];
        method.has_code() && (method.flags.is_public() || method.flags.is_protected())
    };
    methods.filter(is_open).map(Entry::Open).collect()
}

/// Analyses a program with the engine, then by the rules; returns how many tuples there are. What differs fails the test.
pub(crate) fn agree(name: &str, program: &mut Program, options: &Options) -> usize {
    let begin = Instant::now();
    let solution = analyse(program, options, &mut NoReflection, &mut |_| true);
    let (solved, methods) = (begin.elapsed(), solution.methods().count());
    let begin = Instant::now();
    let report = check(program, &solution, options);
    let counts: Vec<String> = report.relations.iter().map(|r| format!("{} {}", r.expected, r.name)).collect();
    println!(
        "{name}: {methods} methods, {} tuples ({}); engine {:.2} s, rules {:.2} s",
        report.tuples(),
        counts.join(", "),
        solved.as_secs_f64(),
        begin.elapsed().as_secs_f64()
    );
    assert_eq!(report.differences(), 0, "{name}\n{report}");
    report.tuples()
}

/// The options of a run from entry points.
pub(crate) fn options(flavour: Flavour, heap: HeapOptions, entries: Vec<Entry>, startup: bool) -> Options {
    let (inputs, services) = (IdSet::new(), Vec::new());
    Options {
        flavour,
        heap,
        entries,
        inputs,
        open_classes: Vec::new(),
        services,
        log: ReflectionLog::default(),
        most_contexts: None,
        selector: None,
        startup,
    }
}
