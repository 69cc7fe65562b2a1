//! `heliostat ir`.

use crate::support::{DEMO, Scratch, class, has_jdk, jar, run};

#[test]
fn a_method_by_its_name() {
    for pattern in [
        "load",
        "Main.load",
        "demo.Main.load",
        "demo.Main::load",
        "demo.Main#load",
        "demo/Main.load(Ljava/lang/String;)Ldemo/Greeter;",
        "Ldemo/Main;.load(Ljava/lang/String;)Ldemo/Greeter;",
    ] {
        let run = run(&["ir", DEMO, "--jdk", "none", "--method", pattern]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{pattern}");
        assert_eq!(run.stdout.matches("method ").count(), 1, "{pattern}: {}", run.stdout);
        assert!(run.stdout.starts_with("method "), "{}", run.stdout);
        assert!(run.stdout.contains(" Ldemo/Main;.load(Ljava/lang/String;)"), "{}", run.stdout);
    }
}

#[test]
fn methods_without_code_say_so() {
    let run = run(&["ir", DEMO, "--jdk", "none", "--method", "greet"]);
    assert!(
        run.stdout
            .contains("# demo/Greeter.greet(Ljava/lang/String;)Ljava/lang/String;: abstract, no code\n")
    );
    assert_eq!(run.stdout.matches("method ").count(), 2, "{}", run.stdout);
}

#[test]
fn classes_outside_the_inputs_only_by_their_full_name() {
    if !has_jdk() {
        return;
    }
    let named = run(&["ir", DEMO, "--method", "java.lang.Object.hash*"]);
    assert_eq!(named.stdout, "# java/lang/Object.hashCode()I: native, no code\n");
    assert_eq!(run(&["ir", DEMO, "--method", "hashCode"]).code, Some(2));
    for (pattern, expected) in [
        ("Map.Entry.getKey", "similar name:\n  java/util/Map$Entry.getKey()Ljava/lang/Object;\n"),
        ("java.util.*", "`java.util.*`\n  classes outside the inputs are found by their full name only"),
    ] {
        let told = run(&["ir", DEMO, "--method", pattern]);
        assert!(told.code == Some(2) && told.stderr.contains(expected), "{}", told.stderr);
    }
}

#[test]
fn no_match_tells_what_may_be_meant() {
    let told = run(&["ir", DEMO, "--jdk", "none", "--method", "demo.Mian.load"]);
    let expected = "no method matches `demo.Mian.load`\n  what is there with a similar name:\n  \
                    demo/Main.load(Ljava/lang/String;)Ldemo/Greeter;\n";
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert_eq!(told.stderr, format!("heliostat: error: {expected}"));
    let told = run(&["ir", DEMO, "--jdk", "none", "--method", "demo.Main.laod"]);
    assert!(told.stderr.contains("name:\n  demo/Main.load("), "{}", told.stderr);
}

#[test]
fn what_cannot_be_lowered_is_told_and_the_rest_printed() {
    let scratch = Scratch::new();
    // A `pop` with nothing on the stack, and a return.
    let bytes = class("a/A", &[("bad", b"\x57\xB1"), ("good", b"\xB1")]);
    let path = scratch.write("a.jar", &jar(&[("a/A.class", &bytes)]));
    let both = run(&["ir", &path, "--jdk", "none", "--method", "a.A"]);
    assert_eq!(both.code, Some(0));
    assert!(both.stdout.contains(" La/A;.good()V {\n"), "{}", both.stdout);
    let place = bytes.windows(2).position(|window| window == b"\x57\xB1").expect("the code");
    let expected =
        format!("heliostat: {path}!/a/A.class a/A.bad()V at offset {place}: the operand stack is empty\n");
    assert!(both.stderr.starts_with(&expected), "{}", both.stderr);
    let quiet = run(&["ir", &path, "--jdk", "none", "--method", "bad", "-q"]);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (Some(2), ""));
    assert_eq!(quiet.stderr, "heliostat: error: the method cannot be lowered\n");
}

#[test]
fn a_lone_class_name_and_several_patterns() {
    let of = |patterns: &[&str]| {
        let options = patterns.iter().flat_map(|pattern| ["--method", pattern]);
        run(&["ir", DEMO, "--jdk", "none"].into_iter().chain(options).collect::<Vec<_>>())
    };
    let full = of(&["demo.Main"]);
    assert_eq!((full.code, of(&["Main"]).stdout), (Some(0), full.stdout));
    assert_eq!(of(&["demo.Main.load", "load", "Main.main"]).stdout.matches("method ").count(), 2);
    let some = of(&["load", "nonsense"]);
    assert_eq!((some.code, some.stdout.matches("method ").count()), (Some(2), 1));
    assert!(some.stderr.contains("no method matches `nonsense`\n"), "{}", some.stderr);
}

#[test]
fn inner_classes_by_their_names_in_the_source() {
    let scratch = Scratch::new();
    let inner = class("a/Outer$Inner", &[("m", b"\xB1")]);
    let path =
        scratch.write("a.jar", &jar(&[("a/Outer$Inner.class", &inner), ("a/E.class", &class("a/E", &[]))]));
    for pattern in ["a.Outer.Inner.m", "Outer.Inner.m", "Inner.m", "Outer$Inner.m", "Outer.Inner", "Inner"] {
        let told = run(&["ir", &path, "--jdk", "none", "--method", pattern]);
        assert!(told.stdout.contains(" La/Outer$Inner;.m()V {"), "{pattern}: {}", told.stderr);
    }
    let empty = run(&["ir", &path, "--jdk", "none", "--method", "a.E.m"]);
    assert_eq!(empty.stderr, "heliostat: error: no method matches `a.E.m`: a/E has no methods\n");
}

#[test]
fn no_match_tells_why() {
    for (pattern, why) in [
        ("demo.spi.Audit.check", ": demo/spi/Audit is referred to but missing\n"),
        (
            "java.lang.String.valueOf",
            ": there is no JDK behind the inputs (--jdk none); choose one with --jdk\n",
        ),
        ("demo.Main.nonsense", "\n  demo/Main has:\n  demo/Main.<init>()V\n"),
        ("lod", "\n  classes outside the inputs are found by their full name only"),
        ("laod", "\n  what is there with a similar name:\n  demo/Main.load("),
    ] {
        let told = run(&["ir", DEMO, "--jdk", "none", "--method", pattern]);
        assert_eq!(told.code, Some(2), "{pattern}");
        assert!(told.stderr.contains(&format!("`{pattern}`{why}")), "{}", told.stderr);
    }
}
