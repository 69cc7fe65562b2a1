//! How long it takes to index the names of a large program, and to tell and colour all its string constants.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement shows its numbers, and fails by panicking"
)]

use std::path::PathBuf;
use std::time::Duration;

use heliostat_core::program::{Constant, PoolEntry, Program};
use heliostat_core::{Environment, JdkChoice, Settings, open};
use heliostat_index::{IdSet, Symbol};
use heliostat_reflect::strings::{
    Bounds, Candidates, Colouring, Kind, Lengths, Matching, Names, Resolver, Statistics, Telling, Value,
};

const RUNS: usize = 5;

#[test]
#[ignore = "needs the programs of `cargo xtask fetch`, and an idle machine"]
fn names_and_colours_of_the_jdk_and_jython() {
    measure(&["jython"]);
}

#[test]
#[ignore = "needs the programs of `cargo xtask fetch`, and an idle machine"]
fn names_and_colours_of_the_jdk_jython_and_zipkin() {
    measure(&["jython", "zipkin"]);
}

fn measure(programs: &[&str]) {
    let mut program = open_all(programs);
    let constants = string_constants(&mut program);
    println!("{programs:?}: {} classes, {} methods", program.classes().len(), program.methods().len());
    let (names, time) = measured(|| Names::new(&program));
    println!("names of classes, methods and fields: {:?}, {time:?}", Kind::ALL.map(|kind| names.count(kind)));
    for matching in [Matching::Whole, Matching::Parts(Lengths::default())] {
        let telling = Telling::new(&program, &names, matching);
        let count = || constants.iter().filter(|&&constant| telling.told(constant).anything()).count();
        let (told, time) = measured(count);
        println!("{matching:?}: {told} of {} constants are told, {time:?}", constants.len());
        let colour = || Colouring::new(&program, &names, matching, &constants, &IdSet::new());
        let (colouring, time) = measured(colour);
        println!("{:?}, {time:?}", colouring.statistics);
        let Statistics { strings, colours, largest_clique, .. } = colouring.statistics;
        assert!(largest_clique <= colours && colours < strings / 5);
        assert!(time < Duration::from_secs(1), "not near-linear");
    }
    show_classes(&program, &names, &constants);
}

/// How many classes constants name as beginnings and as ends, to choose a bound by.
fn show_classes(program: &Program, names: &Names, constants: &[Symbol]) {
    let bounds = Bounds { most_classes: usize::MAX, ..Bounds::default() };
    let resolver = Resolver::new(program, names, bounds);
    let count = |value: Value| match resolver.classes(&value) {
        Candidates::Of(classes) => classes.len(),
        Candidates::TooMany(_) | Candidates::Anything => 0,
    };
    let texts = || constants.iter().map(|&constant| program.symbols.bytes(constant));
    let beginnings: Vec<usize> = texts().map(|text| count(Value::partial(text, b""))).collect();
    let ends: Vec<usize> = texts().map(|text| count(Value::partial(b"", text))).collect();
    for most in [0, 10, 50, 100, 200, 500, 1000, 5000] {
        let more = |counts: &[usize]| counts.iter().filter(|&&count| count > most).count();
        println!("more than {most} classes: {} beginnings, {} ends", more(&beginnings), more(&ends));
    }
}

/// What something gives, and the least time of several runs that this thread spent on it.
fn measured<T>(run: impl Fn() -> T) -> (T, Duration) {
    let timed = || {
        let begin = spent();
        let result = run();
        (result, spent().saturating_sub(begin))
    };
    let others = (1..RUNS).map(|_| timed().1).min().unwrap();
    let (result, time) = timed();
    (result, time.min(others))
}

fn spent() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

fn open_all(programs: &[&str]) -> Program {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.cache/programs");
    let files = programs.iter().flat_map(|name| std::fs::read_dir(folder.join(name)).unwrap());
    let inputs = files.map(|file| file.unwrap().path().into_os_string()).collect();
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        home: None,
    };
    open(&Settings { inputs, jdk: JdkChoice::Auto, environment, ..Settings::default() }).unwrap().program
}

fn string_constants(program: &mut Program) -> Vec<Symbol> {
    let mut all = IdSet::new();
    for class in program.classes().ids() {
        program.link(class);
        for entry in program.linked(class).unwrap().entries() {
            if let PoolEntry::Constant(Constant::String(text)) = entry {
                all.insert(*text);
            }
        }
        program.unlink(class);
    }
    all.iter().collect()
}
