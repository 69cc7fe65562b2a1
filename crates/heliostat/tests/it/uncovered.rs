//! What a result does not cover is told: missing classes and reflection, where they are and how much of it there is.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::Path;

use crate::support::{Scratch, class, class_below, compile, jar, json, run, utf8};

fn rows(out: &Path, name: &str, start: &str) -> Vec<String> {
    let text = fs::read_to_string(out.join(name)).expect(name);
    text.lines().filter(|row| row.starts_with(start)).map(str::to_owned).collect()
}

#[test]
fn missing_classes_and_what_is_lost_for_want_of_them() {
    let scratch = Scratch::new();
    let main = "public class A {
  public static void main(String[] x) {
    Gone gone = new Gone();
    gone.field = \"a\";
    Object o = Gone.shared;
    gone.run();
    Below below = new Below();
    o = below.field;
  }
  static void unreached() { new Other(); }
}
";
    let named = "public class Below extends Gone {
  static { try { Object o = new Cast[0]; } catch (Caught e) {} }
}
";
    let sources = [
        ("A.java", main),
        ("Below.java", named),
        ("Cast.java", "public class Cast {}\n"),
        ("Caught.java", "public class Caught extends RuntimeException {}\n"),
        ("Gone.java", "public class Gone { static Object shared; Object field; void run() {} }\n"),
        ("Other.java", "public class Other {}\n"),
    ];
    let Some(classes) = compile(&scratch, &sources) else { return };
    for gone in ["Gone", "Other", "Cast", "Caught"] {
        fs::remove_file(format!("{classes}/{gone}.class")).expect("a class");
    }
    let out = scratch.path().join("out");
    let told = run(&["analyze", &classes, "-o", out.to_str().expect("UTF-8"), "--format", "json"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let summary = json(&told);
    assert_eq!(
        (&summary["input"]["missing_classes"], &summary["input"]["phantom_classes"]),
        (&4.into(), &0.into())
    );
    assert_eq!(summary["result"]["missing_classes"], 3, "what reached code uses");
    assert_eq!(
        (&summary["result"]["lost_allocations"], &summary["result"]["lost_fields"]),
        (&1.into(), &3.into())
    );
    let missing = rows(&out, "missing.tsv", "");
    let expected = [
        "class\treferring_classes\tcalls\tallocations\tfields\tothers",
        "Cast\t1\t0\t0\t0\t1",
        "Caught\t1\t0\t0\t0\t1",
        "Gone\t2\t3\t1\t3\t1",
        "Other\t1\t0\t0\t0\t0",
    ];
    assert_eq!(missing, expected);
    let of_main = |kind: &str| rows(&out, "gaps.tsv", &format!("{kind}\tA.main([Ljava/lang/String;)V\t"));
    assert_eq!(of_main("allocation"), ["allocation\tA.main([Ljava/lang/String;)V\t0\t3\tGone\tGone"]);
    let whats: Vec<String> =
        of_main("field").iter().filter_map(|row| row.split('\t').nth(4).map(str::to_owned)).collect();
    let field = |name: &str| format!("{name}:Ljava/lang/Object;");
    assert_eq!(whats, [field("Gone.field"), field("Gone.shared"), field("Below.field")]);
    let text = run(&["analyze", &classes]);
    let expected = "Missing classes, by what reached code does with them (3)\n  \
                    8  Gone    3 calls, 1 allocation, 3 field accesses, 1 other use\n  \
                    1  Cast    1 other use\n  1  Caught  1 other use\n  \
                    and 1 more that reached code does not use (-o DIR lists all)\n";
    assert!(text.stdout.contains(expected), "{}", text.stdout);
    let graph = run(&["callgraph", &classes]);
    let expected = "heliostat: not covered: 3 missing classes, 3 calls that lead nowhere, ";
    assert!(graph.stderr.contains(expected), "{}", graph.stderr);
    assert_eq!(run(&["callgraph", &classes, "-q"]).stderr, "");
}

#[test]
fn missing_classes_that_only_unreached_code_uses() {
    let scratch = Scratch::new();
    let main = "public class A { public static void main(String[] x) {} static void unreached() { new Other(); } }\n";
    let sources = [("A.java", main), ("Other.java", "public class Other {}\n")];
    let Some(classes) = compile(&scratch, &sources) else { return };
    fs::remove_file(format!("{classes}/Other.class")).expect("a class");
    let text = run(&["analyze", &classes]).stdout;
    let expected = "\n\nMissing classes that reached code does not use: 1 (-o DIR lists all)\n";
    assert!(text.contains(expected), "{text}");
    let graph = run(&["callgraph", &classes]).stderr;
    assert!(!graph.contains("missing class"), "{graph}");
}

#[test]
fn reflective_calls_are_counted_and_listed() {
    let scratch = Scratch::new();
    let main = "import java.lang.reflect.*;
public class A {
  static class Loader extends ClassLoader {
    protected Class<?> loadClass(String name, boolean resolve) { return A.class; }
  }
  public static void main(String[] x) throws Exception {
    Class<?> c = Class.forName(x[0]);
    Object o = c.getDeclaredConstructor().newInstance();
    Method m = c.getMethod(\"run\");
    m.invoke(o);
    Object[] made = (Object[]) Array.newInstance(A.class, 3);
    Class<?> own = new Loader().loadClass(\"A\", false);
    System.out.println(own.getName() + made.length);
  }
  static void unreached() throws Exception { Class.forName(\"B\"); }
}
";
    let Some(classes) = compile(&scratch, &[("A.java", main)]) else { return };
    let out = scratch.path().join("out");
    let told = run(&["analyze", &classes, "-o", out.to_str().expect("UTF-8"), "--format", "json"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let reflection = &json(&told)["reflection"];
    // The array and the own class are known: models and code say what they are.
    for (name, count) in [("app_sites", 7), ("app_resolved", 2), ("app_unsound", 5)] {
        assert_eq!(reflection[name], count, "{name}: {reflection}");
    }
    let gaps = rows(&out, "gaps.tsv", "reflection\tA.main([Ljava/lang/String;)V\t");
    let apis = gaps.iter().filter_map(|row| row.split('\t').nth(4)?.split('(').next().map(str::to_owned));
    let expected = [
        "java/lang/Class.forName",
        "java/lang/Class.getDeclaredConstructor",
        "java/lang/reflect/Constructor.newInstance",
        "java/lang/Class.getMethod",
        "java/lang/reflect/Method.invoke",
    ];
    assert_eq!(apis.collect::<Vec<_>>(), expected);
    let text = run(&["analyze", &classes]).stdout;
    let line = text.lines().find(|line| line.starts_with("Not covered: ")).expect("a line");
    assert!(
        line.contains("by reflection (--reflection none): ")
            && line.ends_with(" call sites, 5 in the inputs"),
        "{line}"
    );
}

#[test]
fn the_copies_of_a_subroutine_are_one_reflective_call() {
    let scratch = Scratch::new();
    // jsr +7, jsr +4, return; the subroutine: astore_0, invokestatic #12, ret 0.
    let code = b"\xA8\0\x07\xA8\0\x04\xB1\x4B\xB8\0\x0C\xA9\0";
    let pool = [
        utf8("java/lang/Class"),
        vec![7, 0, 8],
        utf8("forName"),
        vec![12, 0, 10, 0, 5],
        vec![10, 0, 9, 0, 11],
    ];
    let mut main = class_below("java/lang/Object", "A", &[("m", code)], &pool);
    // Java 5 had subroutines.
    main[7] = 49;
    let input = scratch.write("a.jar", &jar(&[("A.class", &main)]));
    let api = class("java/lang/Class", &[("forName", b"\xB1")]);
    let library = scratch.write("lib.jar", &jar(&[("java/lang/Class.class", &api)]));
    let out = scratch.path().join("out");
    let asked = ["analyze", &input, "--cp", &library, "--jdk", "none", "--entry", "A.m", "--format", "json"];
    let told = run(&[&asked[..], &["-o", out.to_str().expect("UTF-8")]].concat());
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert_eq!(
        rows(&out, "gaps.tsv", "reflection\t"),
        ["reflection\tA.m()V\t8\t\tjava/lang/Class.forName()V\t"]
    );
    assert_eq!(json(&told)["reflection"]["app_sites"], 1);
}

#[test]
fn a_handle_of_a_field_that_a_missing_class_has() {
    let scratch = Scratch::new();
    // ldc #12, pop, return.
    let code = b"\x12\x0C\x57\xB1";
    let pool = [
        utf8("f"),
        utf8("Ljava/lang/String;"),
        vec![12, 0, 8, 0, 9],
        vec![9, 0, 2, 0, 10],
        vec![15, 1, 0, 11],
    ];
    let bytes = class_below("Gone", "A", &[("m", code)], &pool);
    let input = scratch.write("a.jar", &jar(&[("A.class", &bytes)]));
    let out = scratch.path().join("out");
    let told =
        run(&["analyze", &input, "--jdk", "none", "--entry", "A.m", "-o", out.to_str().expect("UTF-8")]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let expected = ["unresolved\tA.m()V\t0\t\tA.f:Ljava/lang/String;\tGone"];
    assert_eq!(rows(&out, "gaps.tsv", "unresolved\t"), expected);
}
