//! `--reflection-log`: what comes of the entries of a log is told, and what they say is explained.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use crate::support::{DEMO, Scratch, compile, run};

const MAIN: &str = "import java.lang.reflect.*;
public class A {
  int x;
  public static void main(String[] a) throws Exception {
    Class<?> c = Class.forName(a[0]);
    Method m = c.getMethod(\"run\");
    m.invoke(null);
    m.invoke(new A());
    Field f = c.getField(\"x\");
    f.setInt(null, f.getInt(null));
  }
  static void run() {}
  void go() {}
  static void unreached() throws Exception { Class.forName(\"B\"); }
}
";

const LOG: &str = "\
# used: five, of which one has no line
Class.forName;A;A.main;5;;
Method.invoke;<A: void run()>;A.main;7;;
Method.invoke;<A: void go()>;A.main;8;;
Field.get*;<A: int x>;A.main;;;
Field.set*;<A: int x>;A.main;10;;
# unused: of another line, of a method that is not reached
Class.forName;A;A.main;6;;
Class.forName;A;A.unreached;14;;
# unknown: no such class, no such field, no constructor, a constructor
Class.forName;Nowhere;A.main;5;;
Field.get*;<A: long x>;A.main;10;;
Constructor.newInstance;<A: void run()>;A.main;7;;
Method.invoke;<A: void <init>()>;A.main;7;;
# others
Class.getMethod;<A: void run()>;A.main;6;;
";

#[test]
fn what_comes_of_a_log_is_told() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("A.java", MAIN)]) else { return };
    let log = scratch.write("a.log", LOG.as_bytes());
    let out = scratch.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let told = run(&["analyze", &classes, "--reflection-log", &log, "-o", out]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let line = "Reflection log: 5 of 12 entries used; not 2 of calls that are not reached or not at that line, \
                4 with names that the program does not have, 1 of kinds that say nothing here, as look-ups";
    assert!(told.stdout.lines().any(|text| text == line), "{}", told.stdout);
    assert!(told.stdout.contains(", reflection from a log\n"), "{}", told.stdout);
    let beyond =
        "\nNot covered: what the program calls or makes by reflection beyond the log (--reflection none)";
    assert!(told.stdout.contains(beyond), "{}", told.stdout);
    assert!(!told.stderr.contains("is not used"), "{}", told.stderr);
    let summary = fs::read_to_string(format!("{out}/summary.json")).expect("a file");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let reflection = &summary["reflection"];
    let expected = serde_json::json!({ "used": 5, "unused": 2, "unknown": 4, "others": 1 });
    assert_eq!(reflection["log"], expected);
    // Of forName, getMethod, invoke twice and getField, the log does not have the look-ups.
    for (name, count) in [("app_sites", 5), ("app_resolved", 3), ("app_unsound", 2)] {
        assert_eq!(reflection[name], count, "{name}: {reflection}");
    }
}

#[test]
fn entries_that_are_not_used_are_listed() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("A.java", MAIN)]) else { return };
    let log = scratch.write("a.log", LOG.as_bytes());
    let more = scratch.write("b.log", "Class.forName;Nowhere;A.main;5;;\n".repeat(20).as_bytes());
    let told = run(&["analyze", &classes, "-v", "--reflection-log", &log, "--reflection-log", &more]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let unused: Vec<&str> = told.stderr.lines().filter(|line| line.contains(" not used")).collect();
    assert_eq!(unused.len(), 21, "{}", told.stderr);
    for expected in [
        format!(
            "{log}, line 9: Class.forName of A is not used: its call is not reached, or not at that line"
        ),
        format!("{log}, line 12: Field.get* of <A: long x> is not used: the program does not have its names"),
        format!("{log}, line 16: Class.getMethod of <A: void run()> is not used: its kind says nothing here"),
        format!("{more}, line 1: Class.forName of Nowhere is not used: the program does not have its names"),
        "… and 7 not used".to_owned(),
    ] {
        assert!(unused.contains(&format!("heliostat: {expected}").as_str()), "{expected}: {unused:#?}");
    }
}

#[test]
fn what_is_no_log_is_an_error() {
    let scratch = Scratch::new();
    let analyze = |log: &str| run(&["analyze", DEMO, "--jdk", "none", "--reflection-log", log]);
    let text = scratch.write("README.md", b"\nSome text;\nand; some; more\n");
    let told = analyze(&text);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    let expected = format!("heliostat: error: {text}: this is no TamiFlex log, as line 2: ");
    assert!(told.stderr.starts_with(&expected), "{}", told.stderr);
    let empty = scratch.write("empty.log", b"");
    let told = analyze(&empty);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert!(told.stderr.contains(&format!("{empty}: not one entry of a TamiFlex log\n")), "{}", told.stderr);
}

#[test]
fn a_directory_is_no_log() {
    let scratch = Scratch::new();
    let log = scratch.write("trace/reflection.log", b"");
    let directory = log.trim_end_matches("/reflection.log");
    let top = scratch.path().to_str().expect("UTF-8");
    for (path, why) in [(directory, format!("; did you mean {log}?")), (top, ", not a log".to_owned())] {
        let told = run(&["analyze", DEMO, "--jdk", "none", "--reflection-log", path]);
        assert_eq!(told.code, Some(2));
        assert_eq!(told.stderr, format!("heliostat: error: {path}: it is a directory{why}\n"));
    }
}

#[test]
fn why_cites_the_log() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("A.java", MAIN)]) else { return };
    let log = scratch.write("a.log", LOG.as_bytes());
    for (callee, reason) in
        [("A.run", "a log of real runs has this call"), ("A.go", "a log of real runs has this call")]
    {
        let question = format!("A.main -> {callee}");
        let told = run(&["why", &question, &classes, "--reflection-log", &log]);
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        assert!(told.stdout.contains(reason), "{callee}: {}", told.stdout);
        assert!(!told.stdout.contains("the call names the method"), "{callee}: {}", told.stdout);
    }
}
