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
        "of its packages (use --all)",
        "No problems (method bodies were not looked at; --bodies does)",
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
        format!("heliostat: {path}!/a/Bad.class at offset 6: unexpected end of data\nheliostat: 1 problem\n");
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
    assert!(cut.stderr.ends_with("heliostat: … and 4 more problems (use -v)\n"), "{}", cut.stderr);
    let all = run(&["info", app, "--jdk", "none", "-v"]);
    assert!(all.stderr.ends_with("heliostat: 14 problems\n"), "{}", all.stderr);
    assert_eq!(run(&["info", app, "--jdk", "none", "--quiet"]).stderr, "");
}

#[test]
fn totals_are_exact_where_lists_are_cut() {
    let scratch = Scratch::new();
    let names: Vec<_> = (0..199).map(|i| format!("Bad{i:03}.class")).collect();
    let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"bad"[..])).collect();
    let good = class("Good", &[]);
    entries.push(("Good.class", &good));
    let path = scratch.write("a.jar", &jar(&entries));
    let told = run(&["info", &path, "--jdk", "none"]);
    assert!(told.stdout.contains("\nProblems (199), told on standard error\n"), "{}", told.stdout);
    assert!(told.stdout.contains("1 class    199 unreadable, 199 problems\n"), "{}", told.stdout);
    assert!(told.stderr.ends_with("… and 189 more problems (use -v)\n"), "{}", told.stderr);
    let all = run(&["info", &path, "--jdk", "none", "-v"]);
    assert!(all.stderr.ends_with("heliostat: 199 problems\n"), "{}", all.stderr);
    assert!(
        run(&["info", &path, "--jdk", "none", "-q"]).stdout.ends_with("\nProblems (199), not shown (-q)\n")
    );
    let json = run(&["info", &path, "--jdk", "none", "--format", "json"]);
    let info: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((&info["problem_count"], &info["archives"][0]["problems"]), (&199.into(), &199.into()));
    assert_eq!(info["problems"].as_array().map(Vec::len), Some(100));
}

#[test]
fn bodies_are_looked_at_if_wanted() {
    let scratch = Scratch::new();
    let bytes = class("a/A", &[("bad", b"\x57\xB1"), ("good", b"\xB1")]);
    let path = scratch.write("a.jar", &jar(&[("a/A.class", &bytes)]));
    let without = run(&["info", &path, "--jdk", "none"]);
    assert!(without.stdout.ends_with("\nNo problems (method bodies were not looked at; --bodies does)\n"));
    let with = run(&["info", &path, "--jdk", "none", "--bodies"]);
    assert_eq!(with.code, Some(0));
    assert!(with.stdout.ends_with("\nProblems (1), told on standard error\n"), "{}", with.stdout);
    assert!(with.stderr.contains("a/A.class a/A.bad()V at offset "), "{}", with.stderr);
    let json = run(&["info", &path, "--jdk", "none", "--bodies", "--format", "json", "-q"]);
    let info: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((&info["bodies"]["methods"], &info["bodies"]["failed"]), (&2.into(), &1.into()));
    let demo = run(&["info", DEMO, "--jdk", "none", "--bodies"]).stdout;
    assert!(demo.contains("\nNo problems, and all "), "{demo}");
}

#[test]
fn main_classes_of_any_name_and_of_java_25() {
    let scratch = Scratch::new();
    let name = "a/\u{1F600}";
    let mut bytes = class(name, &[("main", b"\xB1")]);
    bytes[7] = 69;
    let old = class("a/Old", &[("main", b"\xB1")]);
    let manifest = format!("Manifest-Version: 1.0\r\nMain-Class: {name}\r\n");
    let entry = format!("{name}.class");
    let entries = [("META-INF/MANIFEST.MF", manifest.as_bytes()), (&*entry, &*bytes), ("a/Old.class", &*old)];
    let path = scratch.write("a.jar", &jar(&entries));
    let json = run(&["info", &path, "--jdk", "none", "--format", "json"]);
    let info: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let mains = info["main_classes"].as_array().expect("a list");
    assert_eq!(mains.len(), 1, "{}", json.stdout);
    assert_eq!((&mains[0]["class"], &mains[0]["archive"]), (&name.into(), &path.into()));
    assert_eq!(mains[0]["form"], "static void main()");
    let lone = scratch.write("lone.jar", &jar(&[(&*entry, &*bytes)]));
    let text = run(&["info", &lone, "--jdk", "none"]).stdout;
    assert!(text.contains(&format!("\n  {name}  static void main()\n")), "{text}");
}

#[test]
fn all_referrers_are_listed_if_all_is_wanted() {
    let scratch = Scratch::new();
    let classes: Vec<_> =
        (0..30).map(|i| (format!("pkg/C{i:02}.class"), class(&format!("pkg/C{i:02}"), &[]))).collect();
    let entries: Vec<(&str, &[u8])> = classes.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    let path = scratch.write("a.jar", &jar(&entries));
    let all = run(&["info", &path, "--jdk", "none", "--all"]).stdout;
    assert!(all.contains("Missing for want of a JDK, by number"), "{all}");
    assert!(all.contains("java/lang/Object  from pkg/C00, ") && all.contains(", pkg/C29\n"), "{all}");
    let json = run(&["info", &path, "--jdk", "none", "--format", "json"]);
    let info: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let missing = &info["missing"]["input"]["classes"][0];
    assert_eq!(missing["from"].as_array().map(Vec::len), Some(30));
}

#[test]
fn files_that_a_class_path_names_in_vain() {
    let scratch = Scratch::new();
    let manifest = b"Manifest-Version: 1.0\r\nClass-Path: gone.jar\r\n";
    let path =
        scratch.write("a.jar", &jar(&[("META-INF/MANIFEST.MF", manifest), ("A.class", &class("A", &[]))]));
    let told = run(&["info", &path, "--jdk", "none"]).stdout;
    assert!(told.contains("\nFiles that a Class-Path names and are not there (1)\n"), "{told}");
    assert!(told.contains("gone.jar") && told.contains("1 missing Class-Path file"), "{told}");
}

#[test]
fn a_wrong_checksum_is_told_and_the_class_is_read() {
    let scratch = Scratch::new();
    let mut bytes = jar(&[("A.class", &class("A", &[]))]);
    let central = bytes.windows(4).position(|w| w == b"PK\x01\x02").expect("a directory");
    bytes[central + 16] ^= 1;
    let path = scratch.write("a.jar", &bytes);
    let told = run(&["info", &path, "--jdk", "none"]);
    assert_eq!(told.code, Some(0));
    assert!(told.stderr.contains("CRC"), "{}", told.stderr);
}
