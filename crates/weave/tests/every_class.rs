//! Every class of the JDK and of the jars that are there, woven: what comes out is lowered and verified like any other class, and the
//! inferred types agree with every stack map frame that was rewritten.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsString;
use std::path::PathBuf;

use heliostat_classfile::ClassFile;
use heliostat_index::{Id, Ids};
use heliostat_input::{Environment, JdkChoice, Origin, Request};
use heliostat_ir::{Lowerer, verify};
use heliostat_program::{Builder, ClassId, Program, SourceId};
use heliostat_weave::{Depth, Numbers, Runtime, weave};

/// What has become of the methods.
#[derive(Debug, Default)]
struct Woven {
    sites: u32,
    methods: u32,
    coarse: Vec<String>,
    left: Vec<String>,
}

#[test]
fn of_the_jdk() {
    let woven = check(Vec::new(), 8);
    assert!(woven.methods > 50_000, "the JDK was not found: install one, or set JAVA_HOME");
    assert!(woven.left.len() + woven.coarse.len() < 20, "{woven:?}");
}

#[test]
fn of_real_jars() {
    for name in ["antlr", "jython-2.1", "bsh", "guava", "clojure"] {
        let jars = jars(name);
        if jars.is_empty() {
            continue;
        }
        let woven = check(jars, 1);
        assert!(woven.methods > 500 && woven.left.len() + woven.coarse.len() < 10, "{name}: {woven:?}");
    }
}

fn jars(name: &str) -> Vec<OsString> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.cache/programs").join(name);
    let Ok(listed) = std::fs::read_dir(folder) else { return Vec::new() };
    let files = listed.map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|e| e == "jar")).map(PathBuf::into_os_string).collect()
}

/// Weaves all inputs, or the JDK if there are none, and checks one class in so many.
fn check(inputs: Vec<OsString>, one_in: usize) -> Woven {
    let wanted = if inputs.is_empty() { Origin::Jdk } else { Origin::Input };
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        home: None,
    };
    let request = Request { inputs, jdk: JdkChoice::Auto, environment, ..Request::default() };
    let inputs = heliostat_input::open(&request).unwrap();
    let runtime = Runtime { table: 0x7f00_0000_0000, before_modules: false };
    // So that both short and long numbers are there.
    let mut numbers = Numbers { method: 30_000, site: 30_000 };
    let (mut builder, mut checked, mut all) = (Builder::new(), Vec::new(), Woven::default());
    for (index, entry) in inputs.classes.iter().enumerate() {
        let mut bytes = inputs.read(entry).unwrap();
        if inputs.archives[entry.archive].origin == wanted {
            let woven = weave(&bytes, numbers, runtime).unwrap();
            numbers.method += woven.methods.len() as u32;
            numbers.site += woven.sites.len() as u32;
            note(&woven, &ClassFile::read(&bytes).unwrap(), &mut all);
            bytes = woven.bytes.into();
            if index % one_in == 0 {
                checked.push(index);
            }
        }
        builder.add(bytes, SourceId::new(index)).unwrap();
    }
    let (mut program, _) = builder.finish();
    let sources: Vec<ClassId> = program.classes().ids().collect();
    let mut lowerer = Lowerer::new();
    for class in sources {
        if checked.binary_search(&program.classes()[class].source.index()).is_ok() {
            check_class(&mut lowerer, &mut program, class);
        }
    }
    all
}

fn note(woven: &heliostat_weave::Woven, class: &ClassFile<'_>, all: &mut Woven) {
    let text =
        |name: &[u8]| format!("{}.{}", String::from_utf8_lossy(class.name), String::from_utf8_lossy(name));
    all.sites += woven.sites.len() as u32;
    all.methods += woven.methods.len() as u32;
    all.left.extend(woven.left.iter().map(|(name, _)| text(name)));
    let coarse = woven.methods.iter().filter(|method| method.depth == Depth::Method);
    all.coarse.extend(coarse.map(|method| text(&method.name)));
}

fn check_class(lowerer: &mut Lowerer, program: &mut Program, class: ClassId) {
    program.link(class);
    for method in Ids::between(program.classes()[class].methods.clone()) {
        if program.methods()[method].has_code() {
            let name = program.method_name(method);
            let lowered = lowerer.lower_checked(program, method);
            let (body, frames) = lowered.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(frames.disagreements, [], "{name}");
            verify(program, &body).unwrap_or_else(|violation| panic!("{name}: {violation}"));
        }
    }
    program.unlink(class);
}
