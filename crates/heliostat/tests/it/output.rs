//! Files that `-o` writes: which, whole, and of this run only.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{DEMO, Scratch, compile, has_jdk, run};

fn names(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).expect("a directory").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn files_of_an_older_run_go() {
    let scratch = Scratch::new();
    let out = scratch.path().join("out");
    let path = out.to_str().expect("UTF-8");
    let done = |arguments: &[&str]| {
        let told = run(&[arguments, &["--jdk", "none", "-o", path]].concat());
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        names(&out)
    };
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    let of_graph = set(&[
        ".heliostat-files",
        "callgraph.json",
        "callgraph.dot",
        "summary.json",
        "gaps.tsv",
        "natives.tsv",
        "missing.tsv",
    ]);
    assert_eq!(done(&["callgraph", DEMO, "--format", "json,dot"]), of_graph);
    fs::write(out.join("notes.txt"), b"the user's").expect("a file");
    let all = [
        ".heliostat-files",
        "summary.json",
        "callgraph.tsv",
        "methods.txt",
        "entries.tsv",
        "natives.tsv",
        "gaps.tsv",
        "missing.tsv",
        "classes.tsv",
        "reflection.tsv",
        "notes.txt",
    ];
    let with_tables: BTreeSet<_> = set(&all).into_iter().chain(set(&["facts", "derived"])).collect();
    assert_eq!(done(&["analyze", DEMO, "--emit", "facts"]), with_tables);
    assert_eq!(done(&["analyze", DEMO]), set(&all));
    // A run that fails leaves everything as it was.
    let told = run(&["callgraph", DEMO, "--jdk", "none", "--main", "Nobody", "-o", path]);
    assert_eq!((told.code, names(&out)), (Some(2), set(&all)));
}

#[test]
fn what_goes_is_an_older_run_s_and_is_told() {
    let scratch = Scratch::new();
    let own = scratch.write("out/entries.tsv", b"the user's");
    let out = own.trim_end_matches("/entries.tsv");
    let told = |arguments: &[&str]| {
        let told = run(&[arguments, &["--jdk", "none", "-o", out]].concat());
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        told.stderr
    };
    assert!(!told(&["callgraph", DEMO, "--format", "dot"]).contains("removed"));
    assert_eq!(fs::read(&own).expect("a file"), b"the user's", "no run has written it");
    let stderr = told(&["callgraph", DEMO]);
    let expected = "heliostat: removed what an older run had written there: callgraph.dot\n";
    assert!(stderr.contains(expected), "{stderr}");
    told(&["analyze", DEMO, "--emit", "facts"]);
    let stderr = told(&["callgraph", DEMO]);
    let expected = "there: methods.txt, entries.tsv, classes.tsv, reflection.tsv, facts/ (";
    assert!(stderr.contains(expected) && stderr.contains(" files), derived/ ("), "{stderr}");
    told(&["analyze", DEMO]);
    let quiet = run(&["callgraph", DEMO, "--jdk", "none", "-q", "-o", out]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_trace_is_not_overwritten() {
    let scratch = Scratch::new();
    let classes = scratch.write("trace/classes.tsv", b"of the trace");
    scratch.write("trace/raw/run", b"");
    let trace = classes.trim_end_matches("/classes.tsv");
    for command in ["analyze", "callgraph"] {
        let told = run(&[command, DEMO, "--jdk", "none", "-o", trace]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{command}");
        let expected = format!("heliostat: error: cannot write to {trace}: it holds a trace, ");
        assert!(told.stderr.starts_with(&expected), "{}", told.stderr);
        assert_eq!(fs::read(&classes).expect("a file"), b"of the trace");
        assert_eq!(names(Path::new(trace)).len(), 2, "{command}");
    }
}

#[test]
fn a_format_that_is_asked_for_twice_is_written_once() {
    let scratch = Scratch::new();
    let out = scratch.path().join("out");
    let asked = ["callgraph", DEMO, "--jdk", "none", "--format", "tsv,tsv"];
    let told = run(&[&asked[..], &["-o", out.to_str().expect("UTF-8")]].concat());
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let printed = run(&asked);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert_eq!(fs::read_to_string(out.join("callgraph.tsv")).expect("a file"), printed.stdout);
}

#[test]
fn several_formats_need_a_directory() {
    let told = run(&["callgraph", DEMO, "--jdk", "none", "--format", "tsv,dot"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(told.stderr.contains("name one with -o DIR"), "{}", told.stderr);
}

#[test]
fn what_is_incomplete_says_so_everywhere() {
    if !has_jdk() {
        return;
    }
    let scratch = Scratch::new();
    let out = scratch.path().join("out");
    let path = out.to_str().expect("UTF-8");
    assert_eq!(run(&["analyze", DEMO, "--time-limit", "0", "-o", path]).code, Some(3));
    for name in ["callgraph.tsv", "methods.txt", "entries.tsv", "natives.tsv", "gaps.tsv", "missing.tsv"] {
        let text = fs::read_to_string(out.join(name)).expect(name);
        assert!(text.ends_with("\n# incomplete: the analysis was ended early\n"), "{name}: {text}");
    }
    let graph = run(&["callgraph", DEMO, "--time-limit", "0", "--format", "tsv,json,dot", "-o", path]);
    assert_eq!(graph.code, Some(3));
    assert!(graph.stderr.ends_with("ended the analysis; the result is incomplete\n"), "{}", graph.stderr);
    for (name, mark) in [
        ("callgraph.tsv", "\n# incomplete: "),
        ("callgraph.json", "\"complete\":false"),
        ("callgraph.dot", "label=\"incomplete: a limit or Ctrl-C ended the analysis\";"),
        ("summary.json", "\"complete\": false"),
    ] {
        let text = fs::read_to_string(out.join(name)).expect(name);
        assert!(text.contains(mark), "{name}: {text}");
    }
    let whole = run(&["callgraph", DEMO, "--jdk", "none"]).stdout;
    assert!(!whole.contains("incomplete"), "{whole}");
}

#[test]
fn the_application_alone() {
    let scratch = Scratch::new();
    let source = "public class A {
  public static void main(String[] x) { b(); System.out.println(x); }
  static void b() {}
}
";
    let Some(classes) = compile(&scratch, &[("A.java", source)]) else { return };
    let all = run(&["callgraph", &classes]).stdout;
    let app = run(&["callgraph", &classes, "--app-only"]).stdout;
    let own: Vec<&str> =
        all.lines().filter(|row| row.starts_with("caller\t") || row.starts_with("A.")).collect();
    assert_eq!(app.lines().collect::<Vec<_>>(), own);
    assert!(app.contains("\tA.b()V\tstatic\n") && app.contains("\tjava/io/PrintStream.println("), "{app}");
    let json = run(&["callgraph", &classes, "--app-only", "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let methods = json["methods"].as_array().expect("a list").len();
    assert!(methods < 10, "only methods of these edges: {methods}");
}
