//! `heliostat reflection`: the calls, what is known of each, and the formats.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use serde_json::{Value, json};

use crate::support::{DEMO, Run, Scratch, compile, json as parsed, run};

const MAIN: &str = "package app;
import java.lang.reflect.*;
public class Main {
  int x;
  public static void main(String[] a) throws Exception {
    Class<?> c = Class.forName(a[0]);
    c.getMethod(\"run\").invoke(null);
    c.getMethod(a[1]).invoke(new Main());
    Field f = c.getField(\"x\");
    f.setInt(null, 1);
    Object o = c.newInstance();
    new Other().load(a);
  }
  public static void run() {}
  public static void rush(int[] i, String s) {}
}
class Other {
  Object load(String[] a) throws Exception {
    Class<?> c = Class.forName(a[0]);
    c = Class.forName(a[1], false, null);
    Object o = c.getConstructor(int[].class).newInstance(new Object[] { null });
    return Array.newInstance(String.class, 1);
  }
  static void unreached() throws Exception { Class.forName(\"Nowhere\"); }
}
";

const LOG: &str = "\
Class.forName;app.Main;app.Main.main;6;;
Class.newInstance;app.Main;app.Main.main;11;;
Field.set*;<app.Main: int x>;app.Main.main;10;;
Method.invoke;<app.Main: void run()>;app.Main.main;7;;
Method.invoke;<app.Main: void rush(int[],java.lang.String)>;app.Main.main;7;;
";

/// The program with its log, if there is a compiler.
fn program(scratch: &Scratch) -> Option<(String, String)> {
    let classes = compile(scratch, &[("app/Main.java", MAIN)])?;
    Some((classes, scratch.write("a.log", LOG.as_bytes())))
}

/// What is told of the calls that nothing but a log knows.
fn told(arguments: &[&str]) -> Run {
    let told = run(&[&["reflection", "--reflection", "none"], arguments].concat());
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    told
}

#[test]
fn calls_by_class_and_method() {
    let scratch = Scratch::new();
    let Some((classes, log)) = program(&scratch) else { return };
    let text = told(&[&classes, "--reflection-log", &log]).stdout;
    let expected = "
app.Main
  main(String[])
    Main.java:6   Class.forName      partly: app.Main (log)
    Main.java:7   Class.getMethod    unresolved
    Main.java:7   Method.invoke      partly: 2 targets (log)
      app.Main.run()
      app.Main.rush(int[], String)
    Main.java:8   Class.getMethod    unresolved
    Main.java:8   Method.invoke      unresolved
    Main.java:9   Class.getField     unresolved
    Main.java:10  Field.setInt       partly: app.Main.x (log)
    Main.java:11  Class.newInstance  partly: app.Main.<init>() (log)

app.Other
  load(String[])
    Main.java:19  Class.forName            unresolved
    Main.java:20  Class.forName            unresolved
    Main.java:21  Class.getConstructor     unresolved
    Main.java:21  Constructor.newInstance  unresolved
    Main.java:22  Array.newInstance        resolved from what comes to it

What unresolved calls do is no part of the result. It can be given to the analysis:
  --reflection-log FILE ";
    assert!(text.contains(expected), "{text}");
    let counts = text.lines().find_map(|line| line.strip_prefix("  in the inputs")).unwrap_or_default();
    assert_eq!(counts.split_whitespace().collect::<Vec<_>>(), ["13", "8", "4", "1"], "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("  in the JDK") && line.ends_with("(--all shows them)"))
    );
    assert!(!text.contains("Nowhere") && !text.contains("\njava."), "{text}");
}

#[test]
fn some_of_the_calls() {
    let scratch = Scratch::new();
    let Some((classes, log)) = program(&scratch) else { return };
    let listed = |more: &[&str]| {
        let text = told(&[&[&classes, "--reflection-log", &log], more].concat()).stdout;
        let places = text.lines().filter_map(|line| line.trim_start().strip_prefix("Main.java:"));
        places.filter_map(|place| place.split(' ').next()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed(&["--only", "partly"]), ["6", "7", "10", "11"]);
    assert_eq!(listed(&["--only", "partly,resolved", "--method", "Other"]), ["22"]);
    assert_eq!(listed(&["--method", "load", "--method", "unreached"]), ["19", "20", "21", "21", "22"]);
    // Whoever names a method of the JDK asks for it.
    let of_jdk = told(&[&classes, "--method", "java.lang.Class.forName"]).stdout;
    assert!(of_jdk.contains("\nReflective calls of reached code: 1 of "), "{of_jdk}");
    assert!(of_jdk.contains("\njava.lang.Class\n  forName(Module, String)\n    Class.java:"), "{of_jdk}");
    let all = told(&[&classes, "--all"]).stdout;
    assert!(all.contains("\nCalls in the inputs:\n\napp.Main\n"), "{all}");
    assert!(all.contains("\nCalls in the JDK:\n\n") && all.contains("\njava.util."), "{all}");
    let unmatched = run(&["reflection", &classes, "--method", "app.Other.lode"]);
    assert_eq!((unmatched.code, unmatched.stdout.as_str()), (Some(2), ""));
    let expected = "heliostat: error: no method matches `app.Other.lode`\n  app/Other has";
    assert!(unmatched.stderr.contains(expected), "{}", unmatched.stderr);
}

#[test]
fn json_has_every_call() {
    let scratch = Scratch::new();
    let Some((classes, log)) = program(&scratch) else { return };
    let all = parsed(&told(&[&classes, "--reflection-log", &log, "--format", "json"]));
    assert_eq!((&all["schema"], &all["complete"]), (&json!(1), &json!(true)));
    let sites = all["sites"].as_array().expect("a list");
    assert!(sites.iter().any(|site| site["origin"] == "jdk"));
    let own: Vec<&Value> = sites.iter().filter(|site| site["origin"] == "input").collect();
    assert_eq!(own.len(), 13);
    let expected = json!({
        "method": "app/Main.main([Ljava/lang/String;)V",
        "offset": 62,
        "line": 10,
        "source_file": "Main.java",
        "api": "Field.setInt",
        "callee": "java/lang/reflect/Field.setInt(Ljava/lang/Object;I)V",
        "index": 0,
        "origin": "input",
        "known": "partly",
        "targets": [{
            "target": { "kind": "field", "class": "app/Main", "name": "x", "descriptor": "I" },
            "api": "Field.set*",
            "how": "log",
            "because": [],
        }],
    });
    assert!(own.contains(&&expected), "{own:#?}");
    let indices = own.iter().filter(|site| site["api"] == "Class.forName");
    let indices: Vec<_> = indices.map(|site| (site["line"].as_u64(), site["index"].as_u64())).collect();
    let expected = [(6, 0), (19, 0), (20, 1)].map(|(line, index)| (Some(line), Some(index)));
    assert_eq!(indices, expected);
}

/// What is written as a log says what the log said that was given: all that is written of an analysis with either is the same.
#[test]
fn a_log_that_can_be_given_again() {
    let scratch = Scratch::new();
    let Some((classes, log)) = program(&scratch) else { return };
    let written = |log: &str, name: &str| {
        let out = scratch.path().join(name);
        let path = out.to_str().expect("UTF-8");
        let formats = "text,json,sarif,tamiflex,annotations";
        told(&[&classes, "--reflection-log", log, "--format", formats, "-o", path]);
        let names =
            ["txt", "json", "sarif", "log", "annotations"].map(|end| out.join(format!("reflection.{end}")));
        names.map(|name| fs::read_to_string(name).expect("a file"))
    };
    let first = written(&log, "first");
    assert_eq!(first[3], LOG);
    assert_eq!(written(&scratch.write("b.log", first[3].as_bytes()), "second"), first);
}

#[test]
fn files_of_several_formats() {
    let scratch = Scratch::new();
    let out = scratch.path().join("out");
    let path = out.to_str().expect("UTF-8");
    let formats = ["--jdk", "none", "--format", "sarif,text,json,tamiflex,annotations"];
    let told = run(&[&["reflection", DEMO], &formats[..], &["-o", path]].concat());
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), ""), "{}", told.stderr);
    for name in ["reflection.txt", "reflection.json", "reflection.sarif", "reflection.log", "summary.json"] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let json = run(&["reflection", DEMO, "--jdk", "none", "--format", "json"]).stdout;
    assert_eq!(fs::read_to_string(out.join("reflection.json")).expect("a file"), json);
    let printed = run(&[&["reflection", DEMO], &formats[..]].concat());
    assert_eq!((printed.code, printed.stdout.as_str()), (Some(2), ""));
    let told = run(&["analyze", DEMO, "--jdk", "none", "-o", path]);
    let gone = "removed what an older run had written there: reflection.";
    assert!(told.stderr.contains(gone) && !out.join("reflection.sarif").exists(), "{}", told.stderr);
}

#[test]
fn what_was_ended_is_marked() {
    let scratch = Scratch::new();
    let Some((classes, _)) = program(&scratch) else { return };
    let ended = |format: &str| {
        let told = run(&["reflection", &classes, "--time-limit", "0", "--format", format]);
        assert_eq!(told.code, Some(3), "{}", told.stderr);
        assert!(told.stderr.contains("the result is incomplete"), "{}", told.stderr);
        told
    };
    assert!(ended("text").stdout.contains("\nIncomplete: the analysis was ended early."));
    assert_eq!(parsed(&ended("json"))["complete"], false);
    assert_eq!(ended("tamiflex").stdout, "# incomplete: the analysis was ended early\n");
    let invocation = &parsed(&ended("sarif"))["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert!(invocation["toolExecutionNotifications"][0]["message"]["text"].is_string(), "{invocation}");
}
