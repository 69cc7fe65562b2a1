//! `heliostat why`.

use crate::support::{Scratch, compile, has_jdk, json, run};

const SOURCE: &[(&str, &str)] = &[(
    "app/Main.java",
    "package app;
interface Shape { Object area(int times); }
class Circle implements Shape { public Object area(int times) { return Main.kept; } }
public class Main {
    static Object kept;
    static String[] names;
    static Shape make(Object[] all, String name) {
        kept = name;
        return new Circle();
    }
    public static void main(String[] args) {
        Shape shape = make(args, \"a\");
        shape.area(2);
    }
}
",
)];

#[test]
fn answers_read_like_java() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    let ask = |question: &str| {
        let told = run(&["why", question, &classes, "--jdk", "none"]);
        assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""), "{question}");
        told.stdout
    };
    assert_eq!(
        ask("app.Main.make"),
        "app.Main.make(Object[], String) is reached:
  1. the JVM runs app.Main.main(String[])
  2. app.Main.main(String[]) calls app.Main.make(Object[], String) (static)
     at Main.java:12 (offset 3)
"
    );
    assert_eq!(
        ask("app.Main.main -> Circle.area"),
        "app.Main.main(String[]) calls app.Circle.area(int) (interface):
  1. a new app.Circle of app.Main.make(Object[], String): made in app.Main.make(Object[], String), is in v2
     at Main.java:9 (offset 4)
  2. app.Main.main(String[]) calls app.Main.make(Object[], String), it is returned to v2
     at Main.java:12 (offset 3)
  3. the receiver's type selects app.Circle.area(int)
     at Main.java:13 (offset 9)
"
    );
    let stored = ask("Circle.area:v2 = java.lang.String");
    for expected in [
        "app.Main.make(Object[], String) stores it in field app.Main.kept\n",
        "app.Circle.area(int) reads field app.Main.kept: v2\n",
    ] {
        assert!(stored.contains(expected), "{expected}: {stored}");
    }
}

#[test]
fn json_has_the_same() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    let answer = json(&run(&["why", "Main.make", &classes, "--jdk", "none", "--format", "json"]));
    assert_eq!(answer["schema"], 1);
    let explanation = &answer["explanations"][0];
    assert_eq!(explanation["claim"], "app.Main.make(Object[], String) is reached");
    let place = &explanation["steps"][1]["place"];
    assert_eq!(
        (&place["source_file"], &place["line"], &place["offset"]),
        (&"Main.java".into(), &12.into(), &3.into())
    );
    assert_eq!(place["method"], "app/Main.main([Ljava/lang/String;)V");
}

#[test]
fn it_writes_no_files() {
    let told = run(&["why", "main", "app.jar", "-o", "out"]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("unexpected argument '-o'"), "{}", told.stderr);
}

#[test]
fn a_method_that_a_model_stands_for() {
    let scratch = Scratch::new();
    let source = "public class A { public static void main(String[] x) {} }\n";
    let Some(classes) = compile(&scratch, &[("A.java", source)]) else { return };
    let question = "java.lang.ref.Reference.<init> -> java.lang.Object.<init>";
    let told = run(&["why", question, &classes, "-q"]);
    let expected = "java.lang.ref.Reference.<init>(Object, ReferenceQueue) (by its model) calls \
                    java.lang.Object.<init>() (special):\n  1. the call names the method\n";
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), expected), "{}", told.stderr);
}

#[test]
fn what_was_not_found_in_time_is_not_denied() {
    if !has_jdk() {
        return;
    }
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    let told = run(&["why", "Circle.area", &classes, "--time-limit", "0"]);
    assert_eq!(told.code, Some(3), "{}", told.stderr);
    assert!(told.stdout.starts_with("so far: not reached"), "{}", told.stdout);
    assert!(told.stderr.ends_with("ended the analysis; the result is incomplete\n"), "{}", told.stderr);
}
