//! `--reflection-log`: what comes of the entries of a log is told, and what they say is explained.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use crate::support::{Scratch, compile, run};

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
fn why_cites_the_log() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("A.java", MAIN)]) else { return };
    let log = scratch.write("a.log", LOG.as_bytes());
    for (callee, reason) in [
        ("A.run", "a log of real runs has this call"),
        ("A.go", "a log of real runs has this call, and the receiver's type selects"),
    ] {
        let question = format!("A.main -> {callee}");
        let told = run(&["why", &question, &classes, "--reflection-log", &log]);
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        assert!(told.stdout.contains(reason), "{callee}: {}", told.stdout);
        assert!(!told.stdout.contains("the call names the method"), "{callee}: {}", told.stdout);
    }
}
