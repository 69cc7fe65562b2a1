//! `heliostat info`.

use serde_json::Value;

use crate::support::{DEMO, Scratch, class, has_jdk, jar, run};

#[test]
fn the_sample_program() {
    let run = run(&["info", DEMO, "--jdk", "none"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for expected in [
        "no JDK",
        "Archives (1)",
        "55  Java 11  4 classes",
        "demo/Main  Main-Class of ",
        "1  demo/spi/Audit  from demo/Main",
        "of java/... (use --all)",
        "No problems",
    ] {
        assert!(run.stdout.contains(expected), "{expected}: {}", run.stdout);
    }
}

#[test]
fn with_a_jdk_only_what_is_really_missing_is_told() {
    if !has_jdk() {
        return;
    }
    let run = run(&["info", DEMO]);
    assert!(run.stdout.contains("\n  JDK "), "{}", run.stdout);
    assert!(run.stdout.contains("Missing classes, by number of referring classes in the inputs (1)"));
}

#[test]
fn json_has_the_fields() {
    let run = run(&["info", DEMO, "--jdk", "none", "--format", "json"]);
    let info: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(info["schema"], 1);
    assert_eq!(info["jdk"], Value::Null);
    assert_eq!(info["totals"]["input"]["classes"], 4);
    assert_eq!(info["archives"][0]["kind"], "jar");
    assert_eq!(info["archives"][0]["main_class"], "demo/Main");
    assert_eq!(info["class_versions"][0]["release"], "Java 11");
    assert_eq!(info["main_classes"][0]["named_by"]["header"], "Main-Class");
    assert_eq!(info["main_classes"][0]["has_main"], true);
    let classes = info["missing"]["input"]["classes"].as_array().expect("a list");
    let audit = classes.iter().find(|class| class["name"] == "demo/spi/Audit").expect("the missing class");
    assert_eq!((&audit["referring_classes"], &audit["from"][0]), (&1.into(), &"demo/Main".into()));
    for list in ["modules", "duplicates", "unread_jars", "problems"] {
        assert_eq!(info[list], Value::Array(Vec::new()), "{list}");
    }
}

#[test]
fn a_directory_with_a_class_path() {
    let scratch = Scratch::new();
    scratch.write("app/a/A.class", &class("a/A", &[("main", b"\xB1")]));
    scratch.write("app/a/B.class", &class("a/B", &[]));
    scratch.write("lib/a/B.class", &class("a/B", &[]));
    scratch.write("lib/c/C.class", &class("c/C", &[]));
    let (app, lib) = (scratch.path().join("app"), scratch.path().join("lib"));
    let run = run(&[
        "info".as_ref(),
        app.as_os_str(),
        "--jdk".as_ref(),
        "none".as_ref(),
        "--cp".as_ref(),
        lib.as_ref(),
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<_> = run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert!(lines.contains(&vec!["inputs", "2", "1", "1", "0"]), "{}", run.stdout);
    assert!(lines.contains(&vec!["class", "path", "1", "0", "0", "0"]), "{}", run.stdout);
    assert!(run.stdout.contains("Duplicate classes (1)\n  a/B  from app, not lib\n"), "{}", run.stdout);
}

#[test]
fn a_corrupt_class_is_named_and_the_rest_is_read() {
    let scratch = Scratch::new();
    let good = class("a/Good", &[]);
    let path =
        scratch.write("a.jar", &jar(&[("a/Bad.class", b"\xCA\xFE\xBA\xBE\0\0"), ("a/Good.class", &good)]));
    let told = run(&["info", &path, "--jdk", "none"]);
    assert_eq!(told.code, Some(0));
    assert!(told.stdout.contains("Problems (1)"), "{}", told.stdout);
    assert!(told.stdout.contains("52  Java 8  1 class\n"), "{}", told.stdout);
    let expected =
        format!("heliostat: {path}!/a/Bad.class: unexpected end of data (offset 6)\nheliostat: 1 problem\n");
    assert_eq!(told.stderr, expected);
    let json = run(&["info", &path, "--jdk", "none", "--format", "json", "--quiet"]);
    assert_eq!(json.stderr, "");
    let info: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(
        (&info["problems"][0]["entry"], &info["problems"][0]["offset"]),
        (&"a/Bad.class".into(), &6.into())
    );
    assert_eq!(info["archives"][0]["problems"], 1);
}

#[test]
fn many_problems_are_cut_unless_all_are_wanted() {
    let scratch = Scratch::new();
    for i in 0..14 {
        scratch.write(&format!("app/Bad{i:02}.class"), b"bad");
    }
    let good = scratch.write("app/Good.class", &class("Good", &[]));
    let app = good.trim_end_matches("/Good.class");
    let cut = run(&["info", app, "--jdk", "none"]);
    assert_eq!(cut.stderr.lines().count(), 11);
    assert!(cut.stderr.ends_with("heliostat: ... and 4 more problems (use -v)\n"), "{}", cut.stderr);
    let all = run(&["info", app, "--jdk", "none", "-v"]);
    assert!(all.stderr.ends_with("heliostat: 14 problems\n"), "{}", all.stderr);
    assert_eq!(run(&["info", app, "--jdk", "none", "--quiet"]).stderr, "");
}
