//! `--annotations`: what users say of reflective calls is part of the program; what means nothing is told.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use crate::support::{DEMO, Run, Scratch, compile, json, run};

const MAIN: &str = "import java.lang.reflect.*;
public class A {
  int x;
  public static void main(String[] a) throws Exception {
    Class<?> c = Class.forName(a[0]); c = Class.forName(a[1]);
    c.getMethod(a[0]).invoke(null); c.getMethod(a[0]).invoke(null);
    Field f = c.getField(a[0]); f.setInt(null, f.getInt(null));
    B.load(); B.load(1);
  }
  static void run() {}
  static void go(int i, String[] s) {}
  static void unreached() throws Exception { Class.forName(\"B\"); }
}
class B {
  static void load() throws Exception { Class.forName(System.getenv(\"X\")).newInstance(); }
  static void load(int i) throws Exception { Class.forName(System.getenv(\"Y\")).newInstance(); }
}
";

const ANNOTATIONS: &str = "\
# the second call of each, on the same line as the first

A.main/java.lang.Class.forName/1 B
A.main(java.lang.String[])/java.lang.reflect.Method.invoke/1 <A: void go(int,java.lang.String[])>
A.main/java.lang.reflect.Field.getInt/0 <A: int x>
B.load()/java.lang.Class.newInstance/0 B
B.load(I)V/java.lang.Class.newInstance/0 A
# not there: the method, the target, the call; not reached
A.nowhere/java.lang.Class.forName/0 B
B.load(long)/java.lang.Class.forName/0 B
A.main/java.lang.Class.forName/0 Nowhere
A.main/java.lang.Class.forName/2 B
A.unreached/java.lang.Class.forName/0 B
# no sense
A.main/java.lang.Class.getMethod/0 B
A.main B
";

fn told(arguments: &[&str]) -> Run {
    let told = run(arguments);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    told
}

#[test]
fn one_call_of_a_line_is_meant() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("A.java", MAIN)]) else { return };
    let file = scratch.write("a.txt", ANNOTATIONS.as_bytes());
    let options = ["--reflection", "none", "--annotations", &file];
    let text = told(&[&["reflection", &classes], &options[..]].concat()).stdout;
    let expected = "
A
  main(String[])
    A.java:5  Class.forName    unresolved
    A.java:5  Class.forName    resolved: B (annotation)
    A.java:6  Class.getMethod  unresolved
    A.java:6  Method.invoke    unresolved
    A.java:6  Class.getMethod  unresolved
    A.java:6  Method.invoke    resolved: A.go(int, String[]) (annotation)
    A.java:7  Class.getField   unresolved
    A.java:7  Field.getInt     resolved: A.x (annotation)

B
  load()
    A.java:15  Class.forName      unresolved
    A.java:15  Class.newInstance  resolved: B.<init>() (annotation)
  load(int)
    A.java:16  Class.forName      unresolved
    A.java:16  Class.newInstance  resolved: A.<init>() (annotation)
";
    assert!(text.contains(expected), "{text}");
    let edges = told(&[&["callgraph", &classes], &options[..]].concat()).stdout;
    let rows = edges.lines().filter(|row| row.ends_with("\treflective") && !row.starts_with("java/"));
    let callees: Vec<_> = rows.filter_map(|row| row.split('\t').nth(3)).collect();
    assert_eq!(callees, ["A.go(I[Ljava/lang/String;)V", "B.<init>()V", "A.<init>()V"]);
    let why = told(&[&["why", "A.main -> A.go", &classes], &options[..]].concat()).stdout;
    assert!(why.contains("1. an annotation says so of this call\n"), "{why}");
}

#[test]
fn what_comes_of_annotations_is_told() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("A.java", MAIN)]) else { return };
    let file = scratch.write("a.txt", ANNOTATIONS.as_bytes());
    let text = told(&["analyze", &classes, "--annotations", &file]);
    let line = "Annotations: 5 of 10 used; not 1 of calls that are not reached, 4 with names or calls that the program does not have";
    assert!(text.stdout.lines().any(|text| text == line), "{}", text.stdout);
    for (number, what) in [
        (
            9,
            "A.nowhere/java.lang.Class.forName/0 is not used: the program does not have the method or the target",
        ),
        (
            10,
            "B.load(long)/java.lang.Class.forName/0 is not used: the program does not have the method or the target",
        ),
        (
            11,
            "A.main/java.lang.Class.forName/0 is not used: the program does not have the method or the target",
        ),
        (
            12,
            "A.main/java.lang.Class.forName/2 is not used: the method has no call of forName with that number",
        ),
        (13, "A.unreached/java.lang.Class.forName/0 is not used: the call is not reached"),
        (15, "nothing can be said of java.lang.Class.getMethod; expected one of Class.forName"),
        (
            16,
            "expected a call and a target, as in `com.acme.Loader.load/java.lang.Class.forName/0 com.acme.Plugin`",
        ),
    ] {
        let expected = format!("heliostat: {file}, line {number}: {what}");
        assert!(text.stderr.lines().any(|line| line.starts_with(&expected)), "{expected}: {}", text.stderr);
    }
    let summary = json(&told(&["analyze", &classes, "--annotations", &file, "--format", "json"]));
    let expected = serde_json::json!({ "used": 5, "unused": 1, "unknown": 4, "others": 0 });
    assert_eq!(summary["reflection"]["annotations"], expected);
    assert!(told(&["analyze", &classes, "--annotations", &file, "-q"]).stderr.is_empty());
}

#[test]
fn what_is_no_file_of_annotations_is_an_error() {
    let scratch = Scratch::new();
    let analyze = |file: &str| run(&["analyze", DEMO, "--jdk", "none", "--annotations", file]);
    let text = scratch.write("README.md", b"\nSome text\n");
    let told = analyze(&text);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    let expected =
        format!("heliostat: error: {text}: no line is an annotation, as line 2: expected a call and");
    assert!(told.stderr.starts_with(&expected), "{}", told.stderr);
    let told = analyze("nowhere.txt");
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.starts_with("heliostat: error: nowhere.txt: "), "{}", told.stderr);
}

/// What is written as annotations says what the log said that was given; the rest is to be filled in.
#[test]
fn annotations_that_can_be_given_again() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("A.java", MAIN)]) else { return };
    let log = "Class.forName;A;A.main;5;;\nMethod.invoke;<A: void run()>;A.main;6;;\nClass.newInstance;B;B.load;16;;\n";
    let log = scratch.write("a.log", log.as_bytes());
    let write = |option: &str, file: &str| {
        told(&["reflection", &classes, "--reflection", "none", option, file, "--format", "annotations"])
            .stdout
    };
    let written = write("--reflection-log", &log);
    let lines: Vec<&str> = written.lines().skip_while(|line| !line.contains("A.main")).collect();
    let expected = [
        "A.main(java.lang.String[])/java.lang.Class.forName/0 A",
        "A.main(java.lang.String[])/java.lang.Class.forName/1 A",
        "A.main(java.lang.String[])/java.lang.reflect.Method.invoke/0 <A: void run()>",
        "A.main(java.lang.String[])/java.lang.reflect.Method.invoke/1 <A: void run()>",
        "# B.load()/java.lang.Class.forName/0 ?",
        "# B.load()/java.lang.Class.newInstance/0 ?",
        "# B.load(int)/java.lang.Class.forName/0 ?",
        "B.load(int)/java.lang.Class.newInstance/0 B",
    ];
    assert_eq!(lines, expected);
    assert_eq!(write("--annotations", &scratch.write("b.txt", written.as_bytes())), written);
}
