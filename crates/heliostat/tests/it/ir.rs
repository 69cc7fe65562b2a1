//! `heliostat ir`.

use crate::support::{DEMO, Scratch, class, has_jdk, jar, run};

#[test]
fn a_method_by_its_name() {
    for pattern in ["load", "Main.load", "demo.Main.load", "demo/Main.load(Ljava/lang/String;)Ldemo/Greeter;"]
    {
        let run = run(&["ir", DEMO, "--jdk", "none", "--method", pattern]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{pattern}");
        assert_eq!(run.stdout.matches("method ").count(), 1, "{pattern}: {}", run.stdout);
        assert!(run.stdout.starts_with("method Ldemo/Main;.load("), "{}", run.stdout);
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
}

#[test]
fn no_match_tells_what_may_be_meant() {
    let told = run(&["ir", DEMO, "--jdk", "none", "--method", "demo.Mian.load"]);
    let expected = "no method matches `demo.Mian.load`\n  what is there with a similar name:\n  demo/Main\n";
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
    assert!(both.stdout.starts_with("method La/A;.good()V {\n"), "{}", both.stdout);
    let place = bytes.windows(2).position(|window| window == b"\x57\xB1").expect("the code");
    let expected =
        format!("heliostat: {path}!/a/A.class a/A.bad()V: the operand stack is empty (offset {place})\n");
    assert!(both.stderr.starts_with(&expected), "{}", both.stderr);
    assert_eq!(run(&["ir", &path, "--jdk", "none", "--method", "bad"]).code, Some(2));
}
