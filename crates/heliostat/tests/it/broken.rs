//! Analysis of what is broken, empty, or asked for in vain: a clear message, and what can be had.

use std::fs;

use serde_json::Value;

use crate::support::{DEMO, Scratch, class, class_below, compile, jar, json, run, utf8};

#[test]
fn nothing_to_start_from() {
    let scratch = Scratch::new();
    let bytes = class("a/A", &[("m", b"\xB1")]);
    let path = scratch.write("a.jar", &jar(&[("a/A.class", &bytes)]));
    let told = run(&["analyze", &path, "--jdk", "none"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    let expected = "heliostat: error: no class of the inputs has a main method to start from\n  \
                    analyse a library with --entry public, or name methods with --entry PATTERN\n";
    assert_eq!(told.stderr, expected);
    for (options, expected) in [
        (["--main", "a.Gone"], "there is no class `a.Gone` to start from\n  neither has any class"),
        (["--main", "a.A"], "a/A has no main method\n"),
        (["--entry", "public"], "no public type of the inputs has a public or protected method"),
        (["--entry", "nonsense"], "no method matches `nonsense`"),
    ] {
        let told = run(&["callgraph", &path, "--jdk", "none", options[0], options[1]]);
        assert!(told.code == Some(2) && told.stderr.contains(expected), "{expected}: {}", told.stderr);
    }
    let told = run(&["analyze", DEMO, "--jdk", "none", "--main", "demo.Mian"]);
    let expected =
        "no class `demo.Mian` to start from\n  classes of the inputs that have a main method:\n  demo/Main\n";
    assert!(told.stderr.contains(expected), "{}", told.stderr);
}

#[test]
fn a_manifest_that_names_nothing() {
    let scratch = Scratch::new();
    let bytes = class("a/A", &[("m", b"\xB1")]);
    let manifest = b"Manifest-Version: 1.0\nMain-Class: a.A\n";
    let path = scratch.write("a.jar", &jar(&[("META-INF/MANIFEST.MF", manifest), ("a/A.class", &bytes)]));
    let told = run(&["analyze", &path, "--jdk", "none"]);
    let expected = format!("main method to start from\n  Main-Class of {path} is a/A, which has none\n");
    assert!(told.code == Some(2) && told.stderr.contains(&expected), "{}", told.stderr);
}

#[test]
fn a_main_class_that_is_damaged_is_not_called_missing() {
    let scratch = Scratch::new();
    let manifest = b"Manifest-Version: 1.0\nMain-Class: a.Main\n";
    let damaged: &[u8] = b"\xCA\xFE\xBA\xBE\0\0";
    let good = class("a/A", &[("m", b"\xB1")]);
    let entries = [("META-INF/MANIFEST.MF", &manifest[..]), ("a/Main.class", damaged), ("a/A.class", &good)];
    let path = scratch.write("a.jar", &jar(&entries));
    let why = format!("could not be read: {path}!/a/Main.class at offset 6: ");
    let told = run(&["analyze", &path, "--jdk", "none"]);
    let expected = format!("  Main-Class of {path} is a/Main, which {why}");
    assert!(told.code == Some(2) && told.stderr.contains(&expected), "{}", told.stderr);
    let told = run(&["callgraph", &path, "--jdk", "none", "--main", "a.Main"]);
    let expected = format!(
        "error: the class `a.Main` could not be read, so there is nothing to start from\n  {path}!/a/Main.class at offset 6"
    );
    assert!(told.code == Some(2) && told.stderr.contains(&expected), "{}", told.stderr);
    let told = run(&["info", &path, "--jdk", "none"]);
    assert!(told.stdout.contains("  a/Main  Main-Class of a.jar, could not be read\n"), "{}", told.stdout);
}

#[test]
fn a_damaged_main_class_beside_another() {
    let scratch = Scratch::new();
    let source = "package a;\npublic class One { public static void main(String[] x) {} }\n";
    let Some(classes) = compile(&scratch, &[("a/One.java", source)]) else { return };
    let one = fs::read(format!("{classes}/a/One.class")).expect("a class");
    let manifest = b"Manifest-Version: 1.0\nMain-Class: a.Main\n";
    let entries = [
        ("META-INF/MANIFEST.MF", &manifest[..]),
        ("a/Main.class", &b"\xCA\xFE\xBA\xBE\0\0"[..]),
        ("a/One.class", &one),
    ];
    let path = scratch.write("a.jar", &jar(&entries));
    let told = run(&["analyze", &path, "--jdk", "none"]);
    let expected = format!(
        "Warning: Main-Class of a.jar is a/Main, which could not be read: {path}!/a/Main.class at offset 6"
    );
    assert!(told.code == Some(0) && told.stdout.contains(&expected), "{}", told.stdout);
}

/// More classes than are read between two looks at the budget, the one to start from last.
fn many(scratch: &Scratch) -> String {
    let mut entries: Vec<(String, Vec<u8>)> =
        (0..500).map(|i| (format!("a/C{i}.class"), class(&format!("a/C{i}"), &[("m", b"\xB1")]))).collect();
    entries.push(("z/Last.class".to_owned(), class("z/Last", &[("start", b"\xB1")])));
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (name.as_str(), &**bytes)).collect();
    scratch.write("many.jar", &jar(&entries))
}

#[test]
fn limits_hold_while_inputs_are_read() {
    let scratch = Scratch::new();
    let path = many(&scratch);
    for (option, value, what) in
        [("--time-limit", "0", "the time limit ended"), ("--memory-limit", "1k", "the memory limit ended")]
    {
        let told = run(&["analyze", &path, "--jdk", "none", "--entry", "z.Last.start", option, value]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(3), ""), "{}", told.stderr);
        let expected =
            format!("error: {what} the reading of the inputs; so far no method matches `z.Last.start`");
        assert!(told.stderr.contains(&expected), "{}", told.stderr);
        let told = run(&[
            "callgraph",
            &path,
            "--jdk",
            "none",
            "--entry",
            "a.C1.m",
            option,
            value,
            "--format",
            "json",
        ]);
        assert_eq!(told.code, Some(3), "{}", told.stderr);
        assert!(told.stdout.starts_with("{\"schema\":1,\"complete\":false,\n"), "{}", told.stdout);
        assert!(told.stdout.contains("\"a/C1.m()V\""), "{}", told.stdout);
        let unread = "heliostat: not all classes were read before the end; what was not read is not listed as missing\n";
        assert!(told.stderr.contains(unread), "{}", told.stderr);
        let asked = ["analyze", &path, "--jdk", "none", "--entry", "a.C1.m", "--format", "json"];
        let told = run(&[&asked[..], &[option, value]].concat());
        assert_eq!(json(&told)["input"]["complete"], false);
    }
    let whole = run(&["analyze", &path, "--jdk", "none", "--entry", "z.Last.start", "--format", "json"]);
    assert_eq!((whole.code, whole.stderr.as_str()), (Some(0), ""));
    assert_eq!(json(&whole)["input"]["complete"], true);
}

/// A class that calls one that is read last and one that is not there; both are named as providers of a service.
fn last_and_gone(scratch: &Scratch) -> String {
    // invokestatic #12, invokestatic #15, return.
    let code = b"\xB8\0\x0C\xB8\0\x0F\xB1";
    let pool = [
        utf8("z/Last"),
        vec![7, 0, 8],
        utf8("start"),
        vec![12, 0, 10, 0, 5],
        vec![10, 0, 9, 0, 11],
        utf8("z/Gone"),
        vec![7, 0, 13],
        vec![10, 0, 14, 0, 11],
    ];
    let first = class_below("java/lang/Object", "a/First", &[("m", code)], &pool);
    let mut entries = vec![("a/First.class".to_owned(), first)];
    entries.extend((0..200).map(|i| (format!("b/C{i}.class"), class(&format!("b/C{i}"), &[]))));
    entries.push(("z/Last.class".to_owned(), class("z/Last", &[("start", b"\xB1")])));
    entries.push(("java/lang/Object.class".to_owned(), class("java/lang/Object", &[])));
    entries.push(("META-INF/services/a.Service".to_owned(), b"z.Last\nz.Gone\n".to_vec()));
    entries.push(("META-INF/MANIFEST.MF".to_owned(), b"Main-Class: z.Last\n".to_vec()));
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (name.as_str(), &**bytes)).collect();
    scratch.write("a.jar", &jar(&entries))
}

#[test]
fn what_was_not_read_is_not_missing() {
    let scratch = Scratch::new();
    let path = last_and_gone(&scratch);
    let out = scratch.path().join("out");
    let asked = ["--jdk", "none", "--entry", "a.First.m", "--time-limit", "0"];
    let told = run(&[&["analyze", &path], &asked[..], &["-o", out.to_str().expect("UTF-8")]].concat());
    assert_eq!(told.code, Some(3), "{}", told.stderr);
    let expected =
        "\nWarning: not all classes were read before the end; what was not read is not listed as missing\n";
    assert!(told.stdout.contains(expected), "{}", told.stdout);
    for unread in ["java/lang/Object", "z/Last"] {
        assert!(!told.stdout.contains(unread), "{}", told.stdout);
    }
    for list in [
        "Missing classes, by what reached code does with them (1)\n  1  z/Gone  1 call\n",
        "Missing providers of services (1)\n  z/Gone  of a/Service, named in a.jar\n",
    ] {
        assert!(told.stdout.contains(list), "{list}: {}", told.stdout);
    }
    let read = |name: &str| fs::read_to_string(out.join(name)).expect(name);
    for name in ["missing.tsv", "gaps.tsv"] {
        assert!(read(name).contains("z/Gone") && !read(name).contains("z/Last"), "{}", read(name));
    }
    let summary: Value = serde_json::from_str(&read("summary.json")).expect("JSON");
    let counts = [&summary["input"]["missing_classes"], &summary["result"]["missing_classes"]];
    assert_eq!((counts, &summary["result"]["unresolved_calls"]), ([&1.into(), &1.into()], &1.into()));
    let graph = run(&[&["callgraph", &path], &asked[..]].concat());
    let expected = "not covered: 1 missing class, 1 call that leads nowhere, 1 missing provider; ";
    assert!(graph.stderr.contains(expected), "{}", graph.stderr);
}

#[test]
fn a_main_class_that_was_not_read() {
    let scratch = Scratch::new();
    let path = last_and_gone(&scratch);
    let unread = format!("{path}!/z/Last.class: not read before the end\n");
    for (asked, expected) in [
        (&[][..], format!("Main-Class of {path} is z/Last, which could not be read: {unread}")),
        (
            &["--main", "z.Last"],
            format!(
                "so far the class `z.Last` could not be read, so there is nothing to start from\n  {unread}"
            ),
        ),
    ] {
        let told = run(&[&["analyze", &path, "--jdk", "none", "--time-limit", "0"], asked].concat());
        assert_eq!((told.code, told.stdout.as_str()), (Some(3), ""), "{}", told.stderr);
        assert!(told.stderr.contains(&expected), "{expected}: {}", told.stderr);
    }
}

#[test]
fn an_empty_jar() {
    let scratch = Scratch::new();
    for command in ["analyze", "callgraph"] {
        let path = scratch.write("empty.jar", &jar(&[]));
        let told = run(&[command, &path, "--jdk", "none"]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
        let expected = "error: no class could be read from the inputs\n  there is nothing in them\n";
        assert!(told.stderr.contains(expected), "{}", told.stderr);
    }
}

#[test]
fn missing_classes_are_told() {
    let scratch = Scratch::new();
    let sources = [
        (
            "A.java",
            "public class A { public static void main(String[] x) { B.b(); new B().c(); D.d(); } static void e() {} }\n",
        ),
        ("B.java", "public class B { static void b() {} void c() {} }\n"),
        ("D.java", "public class D { static void d() { A.e(); } }\n"),
    ];
    let Some(classes) = compile(&scratch, &sources) else { return };
    fs::remove_file(format!("{classes}/B.class")).expect("a class");
    let out = scratch.path().join("out");
    let told = run(&["analyze", &classes, "--jdk", "none", "-o", out.to_str().expect("UTF-8")]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert!(
        told.stdout.contains(
            "Missing classes, by what reached code does with them (1)\n  4  B  3 calls, 1 allocation\n  \
             and 2 more that reached code does not use (the files have all)\n"
        ),
        "{}",
        told.stdout
    );
    let gaps = fs::read_to_string(out.join("gaps.tsv")).expect("a list");
    let expected = "kind\tmethod\toffset\tline\twhat\tmissing_class\n\
                    unresolved\tA.main([Ljava/lang/String;)V\t0\t1\tB.b()V\tB\n\
                    unresolved\tA.main([Ljava/lang/String;)V\t7\t1\tB.<init>()V\tB\n\
                    unresolved\tA.main([Ljava/lang/String;)V\t10\t1\tB.c()V\tB\n\
                    allocation\tA.main([Ljava/lang/String;)V\t3\t1\tB\tB\n";
    assert_eq!(gaps, expected);
    assert!(fs::read_to_string(out.join("methods.txt")).expect("a list").contains("A.e()V\n"));
}

#[test]
fn damaged_classes_and_code_are_told_and_the_rest_is_analysed() {
    let scratch = Scratch::new();
    // A `pop` with nothing on the stack.
    let bad = class("a/Bad", &[("main", b"\x57\xB1"), ("good", b"\xB1")]);
    let entries =
        [("a/Bad.class", &*bad), ("a/Garbage.class", b"\xCA\xFE\xBA\xBE\0\0"), ("a/Text.class", b"hello")];
    let path = scratch.write("a.jar", &jar(&entries));
    let told = run(&["analyze", &path, "--jdk", "none", "--entry", "a.Bad"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    for expected in [
        "Entry points (2)\n",
        "Methods that cannot be read (1)\n  a/Bad.main()V\n",
        "\nProblems (3), told on standard error\n",
    ] {
        assert!(told.stdout.contains(expected), "{expected}: {}", told.stdout);
    }
    for expected in
        ["a/Garbage.class at offset 6", "a/Text.class at offset 0", "a/Bad.class a/Bad.main()V at offset "]
    {
        assert!(told.stderr.contains(expected), "{expected}: {}", told.stderr);
    }
    let json = run(&["analyze", &path, "--jdk", "none", "--entry", "a.Bad", "--format", "json", "-q"]);
    let summary: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((&summary["problems"], &summary["result"]["unreadable_methods"]), (&3.into(), &1.into()));
}

#[test]
fn a_class_that_is_its_own_ancestor() {
    let scratch = Scratch::new();
    let mut entries = Vec::new();
    for (name, parent) in [("a/A", "a/B"), ("a/B", "a/A")] {
        // The superclass is the third entry of the pool; every name here has three characters.
        let bytes = class(name, &[("m", b"\xB1")]);
        let object = [&[1, 0, 16][..], b"java/lang/Object"].concat();
        let at = bytes.windows(object.len()).position(|window| window == object).expect("a superclass");
        let parent = [&[1, 0, 3][..], parent.as_bytes()].concat();
        entries
            .push((format!("{name}.class"), [&bytes[..at], &parent, &bytes[at + object.len()..]].concat()));
    }
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (name.as_str(), &**bytes)).collect();
    let path = scratch.write("a.jar", &jar(&entries));
    let told = run(&["callgraph", &path, "--jdk", "none", "--entry", "m", "--format", "json"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert!(told.stderr.contains("the class is its own ancestor through a/"), "{}", told.stderr);
    assert!(told.stdout.contains("\"a/A.m()V\",\n\"a/B.m()V\""), "{}", told.stdout);
}

#[test]
fn bad_values() {
    for (option, value, expected) in [
        ("--context", "2cfa", "use `insens`, or a depth and one of `call`, `obj`, `type` and `hybrid`"),
        ("--context", "0obj", "use `insens`"),
        ("--time-limit", "soon", "the units are ms, s, m and h"),
        ("--memory-limit", "2", "the units are k, m, g and t"),
        ("--reflection", "solar", "this comes with a later version; today there are `none` and `constants`"),
        ("--reflection", "magic", "there are `none` and `constants`"),
        ("--select", "zipper", "later version"),
        ("--complement", "auto", "later version"),
        ("--string-colouring", "on", "later version"),
        ("--heap-strings", "some", "possible values: merged, distinct"),
        ("--jobs", "0", "0 is not in 1.."),
        ("--main", "", "it is empty"),
        ("--format", "xml", "possible values"),
    ] {
        let told = run(&["analyze", DEMO, "--jdk", "none", option, value]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{option} {value}");
        assert!(
            told.stderr.starts_with("heliostat: error: ") && told.stderr.contains(expected),
            "{}",
            told.stderr
        );
    }
}

#[test]
fn a_directory_that_cannot_be_written() {
    let scratch = Scratch::new();
    let file = scratch.write("file", b"here");
    for output in [file.clone(), format!("{file}/below")] {
        for command in ["analyze", "callgraph"] {
            let told = run(&[command, DEMO, "--jdk", "none", "-o", &output]);
            assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
            let expected = format!("heliostat: error: cannot write to {output}: ");
            assert!(told.stderr.starts_with(&expected), "{}", told.stderr);
        }
    }
    assert_eq!(fs::read(&file).expect("the file"), b"here");
    let blocked = scratch.write("out/methods.txt/x", b"in the way");
    let out = blocked.trim_end_matches("/methods.txt/x");
    let told = run(&["analyze", DEMO, "--jdk", "none", "-o", out]);
    assert_eq!(told.code, Some(2));
    let left: Vec<_> =
        fs::read_dir(out).expect("a directory").flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".part")), "{left:?}");
    let gone = scratch.path().join("gone");
    let told =
        run(&["analyze", DEMO, "--jdk", "none", "--main", "Nobody", "-o", gone.to_str().expect("UTF-8")]);
    assert!(told.code == Some(2) && !gone.exists(), "a directory for nothing");
}
