//! `heliostat why`.

use crate::support::{Run, Scratch, compile, has_jdk, json, run};

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
    static void unused() {}
    public static void main(String[] args) {
        Shape shape = make(args, \"a\");
        shape.area(2);
    }
}
",
)];

/// Asks about a program without a JDK.
fn ask(classes: &str, question: &str, more: &[&str]) -> Run {
    run(&[&["why", question, classes, "--jdk", "none"], more].concat())
}

/// The answer to a question that has one.
fn answer(classes: &str, question: &str, more: &[&str]) -> String {
    let told = ask(classes, question, more);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""), "{question}: {}", told.stdout);
    told.stdout
}

fn assert_has(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part);
        assert!(at.is_some(), "{part}, in this order, in {text}");
        rest = at.map_or("", |at| &rest[at + part.len()..]);
    }
}

/// The value of the IR that `main` stores into a static field, as in `Main.sink`.
fn stored_value(classes: &str, field: &str) -> String {
    let ir = run(&["ir", classes, "--jdk", "none", "--method", "Main.main"]).stdout;
    let (class, name) = field.split_once('.').unwrap_or_default();
    let is_store = |line: &&str| line.contains("putstatic") && line.contains(&format!("{class};.{name}"));
    let value =
        ir.lines().find(is_store).and_then(|line| line.rsplit(' ').find(|word| word.starts_with('v')));
    assert!(value.is_some(), "{ir}");
    value.unwrap_or_default().to_owned()
}

#[test]
fn answers_read_like_java() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    assert_eq!(
        answer(&classes, "app.Main.make", &[]),
        "app.Main.make(Object[], String) is reached:
  1. the JVM runs app.Main.main(String[])
  2. app.Main.main(String[]) calls app.Main.make(Object[], String) (static)
     at Main.java:13 (offset 3)
"
    );
    assert_eq!(
        answer(&classes, "app.Main.main -> Circle.area", &[]),
        "app.Main.main(String[]) calls app.Circle.area(int) (interface):
  1. a new app.Circle of app.Main.make(Object[], String): made in app.Main.make(Object[], String), is in v2
     at Main.java:9 (offset 4)
  2. app.Main.make(Object[], String) returns it to app.Main.main(String[]): v2
     at Main.java:13 (offset 3)
  3. the receiver's type selects app.Circle.area(int)
     at Main.java:14 (offset 9)
"
    );
}

#[test]
fn every_step_has_its_place() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    let stored = answer(&classes, "Circle.area:v2 = java.lang.String", &[]);
    assert_has(
        &stored,
        &[
            "app.Main.make(Object[], String) stores it in field app.Main.kept\n     at Main.java:8 (offset 1)\n",
            "app.Circle.area(int) reads field app.Main.kept: v2\n     at Main.java:3 (offset 0)\n",
        ],
    );
}

#[test]
fn json_has_the_same() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    let answer = json(&ask(&classes, "Main.make", &["--format", "json"]));
    assert_eq!((&answer["schema"], &answer["complete"]), (&1.into(), &true.into()));
    assert_eq!((&answer["answer"], &answer["left_out"]), (&"yes".into(), &0.into()));
    let explanation = &answer["explanations"][0];
    assert_eq!(explanation["claim"], "app.Main.make(Object[], String) is reached");
    let place = &explanation["steps"][1]["place"];
    assert_eq!(
        (&place["source_file"], &place["line"], &place["offset"]),
        (&"Main.java".into(), &13.into(), &3.into())
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
fn no_is_an_answer() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    for (question, expected) in [
        ("Main.unused", "not reachable:\n  app/Main.unused()V\n"),
        ("Main.make -> Circle.area", "there is no such call edge; both methods are reached\n"),
        (
            "Circle.area:v1",
            "it points to nothing: v1 of app/Circle.area(I)Ljava/lang/Object; holds no reference\n",
        ),
        ("Main.main:v2 = String", "it points to nothing of that type, but to:\n  a new app.Circle of "),
    ] {
        let told = answer(&classes, question, &[]);
        assert!(told.starts_with(expected), "{question}: {told}");
    }
    let told = json(&ask(&classes, "Main.unused", &["--format", "json"]));
    assert_eq!((&told["answer"], &told["complete"]), (&"no".into(), &true.into()));
    assert_eq!(told["reason"], "not reachable:\n  app/Main.unused()V");
}

#[test]
fn what_is_not_followed_is_not_denied() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    // Of what the second means, `main` has a variable that is followed and `make` one that is not.
    for question in ["Main.make:v0", "Main.ma*:v0 = app.Circle"] {
        let told = answer(&classes, question, &[]);
        let expected = "not followed: v0 of app/Main.make([Ljava/lang/Object;Ljava/lang/String;)Lapp/Shape; \
                        is read by nothing that moves or uses objects\n";
        assert_eq!(told, expected, "{question}");
        let told = json(&ask(&classes, question, &["--format", "json"]));
        assert_eq!((&told["answer"], &told["complete"]), (&"unknown".into(), &true.into()), "{question}");
    }
    let told = json(&ask(&classes, "Circle.area:v1", &["--format", "json"]));
    assert_eq!(told["answer"], "no", "an int");
}

#[test]
fn names_that_mean_nothing() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    for (question, expected) in [
        (
            "Main.maek",
            "no method matches `Main.maek`\n  what is there with a similar name:\n  app/Main.make(",
        ),
        ("Main.main -> Nothing.at", "no method matches `Nothing.at`"),
        (
            "Main.main:v99",
            "there is no variable `v99`; see heliostat ir\n  app/Main.main([Ljava/lang/String;)V has v0",
        ),
        (
            "Main.main:v2 = Circel",
            "there is no class `Circel`; with a similar name there are:\n  app.Circle\n",
        ),
        ("Main.main = Circle", "only a variable can be `=` a type"),
    ] {
        let told = ask(&classes, question, &[]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{question}");
        assert!(told.stderr.contains(expected), "{question}: {}", told.stderr);
    }
}

#[test]
fn its_own_spelling_is_understood() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SOURCE) else { return };
    let expected = answer(&classes, "app.Main.make", &[]);
    for spelling in [
        "app.Main.make(Object[], String)",
        "app.Main.make(java.lang.Object[],java.lang.String)",
        "app/Main.make([Ljava/lang/Object;Ljava/lang/String;)Lapp/Shape;",
        "Main.make(Object[], String)",
    ] {
        assert_eq!(answer(&classes, spelling, &[]), expected, "{spelling}");
    }
    let edge = answer(&classes, "app.Main.main(String[]) -> app.Circle.area(int)", &[]);
    assert!(edge.starts_with("app.Main.main(String[]) calls app.Circle.area(int)"), "{edge}");
    assert_eq!(ask(&classes, "app.Main.make(Object, String)", &[]).code, Some(2));
}

const TYPES: &[(&str, &str)] = &[
    ("a/Node.java", "package a; public class Node {}"),
    ("b/Node.java", "package b; public class Node {}"),
    (
        "app/Main.java",
        "package app;
interface Shape {}
class Circle implements Shape {}
class CircleList {}
public class Main {
    static Object sink;
    static Object pick(int n) {
        switch (n) {
            case 0: return new Circle();
            case 1: return new CircleList();
            case 2: return new Circle[3];
            case 3: return new int[n];
            case 4: return new a.Node();
            default: return new b.Node();
        }
    }
    static void take(Object x) { sink = x; }
    static void take(int n, Object x) { sink = x; }
    public static void main(String[] args) { take(pick(args.length)); take(1, new Circle()); }
}
",
    ),
];

#[test]
fn types_are_classes_and_what_is_below_them() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, TYPES) else { return };
    let claims = |ty: &str| -> Vec<String> {
        let told = answer(&classes, &format!("Main.take(Object):v0 = {ty}"), &[]);
        let claims = told.lines().filter_map(|l| l.strip_prefix("v0 of app.Main.take(Object) may be a new "));
        claims.map(|claim| claim.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    for (ty, expected) in [
        ("app.Circle", "app.Circle"),
        ("app/Circle", "app.Circle"),
        ("Circle", "app.Circle"),
        ("app.Shape", "app.Circle"),
        ("Circle[]", "app.Circle[]"),
        ("app.Shape[]", "app.Circle[]"),
        ("[Lapp/Circle;", "app.Circle[]"),
        ("int[]", "int[]"),
        ("a.Node", "a.Node"),
    ] {
        assert_eq!(claims(ty), [expected], "{ty}");
    }
    let told = ask(&classes, "Main.take(Object):v0 = Node", &[]);
    assert_eq!(told.code, Some(2));
    let expected = "several classes are called `Node`; write one in full:\n  a.Node\n  b.Node\n";
    assert!(told.stderr.contains(expected), "{}", told.stderr);
}

#[test]
fn where_a_missing_class_decides() {
    let scratch = Scratch::new();
    let source = "package app;
class Gone {}
class Below extends Gone {}
class Known {}
class Other {}
public class Main {
    static Object sink;
    static void take(Object x) { sink = x; }
    public static void main(String[] args) { take(new Below()); take(new Known()); take(new Other()); }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    std::fs::remove_file(scratch.path().join("classes/app/Gone.class")).expect("the class was compiled");
    let told = answer(&classes, "Main.take:v0 = Known", &[]);
    let claims: Vec<&str> = told.lines().filter(|line| line.starts_with("v0 of")).collect();
    assert_eq!(
        claims,
        [
            "v0 of app.Main.take(Object) may be a new app.Known of app.Main.main(String[]):",
            "v0 of app.Main.take(Object) may be a new app.Below of app.Main.main(String[]); \
             whether that is of app.Known, a missing class decides:",
        ]
    );
}

#[test]
fn a_variable_of_all_methods_that_are_meant() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, TYPES) else { return };
    let told = answer(&classes, "Main.take:v1", &[]);
    assert!(told.starts_with("v1 of app.Main.take(int, Object) may be a new app.Circle of"), "{told}");
    let told = json(&ask(&classes, "Main.*:v0 = app.Circle", &["--format", "json"]));
    let claims: Vec<_> =
        told["explanations"].as_array().into_iter().flatten().map(|e| e["claim"].as_str()).collect();
    assert!(claims.iter().flatten().any(|c| c.starts_with("v0 of app.Main.take(Object) may be")), "{told}");
}

#[test]
fn a_receiver_goes_only_to_what_it_selects() {
    let scratch = Scratch::new();
    let source = "package app;
class A { Object me() { return this; } }
class B extends A { Object me() { return super.me(); } }
public class Main {
    public static void main(String[] args) {
        A a = args.length > 0 ? new A() : new B();
        a.me();
    }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    let told = answer(&classes, "A.me:v0 = B", &[]);
    assert_has(&told, &["calls app.B.me() on it: v0\n", "app.B.me() calls app.A.me() on it: v0\n"]);
    assert!(!told.contains("main(String[]) calls app.A.me() on it"), "{told}");
}

const HANDLERS: &str = "package app;
class Outer extends Exception {}
class Inner extends Outer {}
public class Main {
    static Object sink;
    static void fail(Outer e) throws Outer { throw e; }
    static void again(Inner e) throws Outer { throw e; }
    public static void main(String[] args) {
        try {
            try { fail(new Inner()); } catch (Inner e) { again(e); }
        } catch (Outer e) { sink = e; }
    }
}
";

#[test]
fn a_handler_gets_only_what_is_left_to_it() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("app/Main.java", HANDLERS)]) else { return };
    let caught = stored_value(&classes, "Main.sink");
    let told = answer(&classes, &format!("Main.main:{caught} = Inner"), &[]);
    assert_has(
        &told,
        &[
            "app.Main.main(String[]) passes it to app.Main.fail(Outer) as argument 1",
            "app.Main.fail(Outer) throws it\n",
            "app.Main.fail(Outer) throws it to app.Main.main(String[]): what is thrown inside a try\n",
            "app.Main.main(String[]) catches it",
            "app.Main.main(String[]) passes it to app.Main.again(Inner) as argument 1",
            "app.Main.again(Inner) throws it to app.Main.main(String[]): what is thrown inside a try\n",
            &format!("app.Main.main(String[]) catches it: {caught}\n"),
        ],
    );
}

#[test]
fn what_is_thrown_is_the_same_in_all_contexts() {
    let scratch = Scratch::new();
    let source = "package app;
class E extends Exception {}
class F extends E {}
class Box { void fail(E e) throws E { throw e; } }
public class Main {
    static Object sink;
    public static void main(String[] args) {
        Box first = new Box(), second = new Box();
        try { first.fail(new E()); } catch (E e) { sink = e; }
        try { second.fail(new F()); } catch (E e) { }
    }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    let question = format!("Main.main:{} = F", stored_value(&classes, "Main.sink"));
    let told = answer(&classes, &question, &["--context", "1obj"]);
    assert_has(
        &told,
        &["passes it to app.Box.fail(E) as argument 1", "app.Box.fail(E) throws it\n", "catches it"],
    );
    assert!(!told.contains("cannot be told"), "{told}");
}

#[test]
fn many_receivers_at_once() {
    let scratch = Scratch::new();
    let source = "package app;
class Item {}
class Sink { Object got; Object take(Object x) { got = x; return got; } }
public class Main {
    static Object out;
    public static void main(String[] args) {
        Sink[] all = { new Sink(), new Sink(), new Sink(), new Sink(), new Sink(), new Sink() };
        for (Sink sink : all) { out = sink.take(new Item()); }
    }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    for context in ["insens", "1call", "1obj", "2obj", "2type", "1hybrid"] {
        let told = answer(&classes, "Sink.take:v2 = Item", &["--context", context]);
        assert_has(
            &told,
            &[
                "passes it to app.Sink.take(Object) as argument 1: v1",
                "stores it in field app.Sink.got of a new app.Sink",
                "reads field app.Sink.got: v2",
            ],
        );
    }
}

#[test]
fn a_lambda_is_between() {
    let scratch = Scratch::new();
    let source = "package app;
interface Job { Object run(Object x); }
public class Main {
    static Object twice(Object x) { return x; }
    public static void main(String[] args) {
        Object caught = new Main();
        Job job = x -> twice(caught);
        job.run(args);
    }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    let told = answer(&classes, "Main.main -> Main.lambda$main$0", &[]);
    assert_has(
        &told,
        &[
            "(dynamic):\n",
            "a lambda or method reference of app.Job that runs app.Main.lambda$main$0(Object, Object): made in app.Main.main(String[])",
            "the receiver's type selects the lambda or method reference that runs app.Main.lambda$main$0(Object, Object)\n     at Main.java:8",
            "the lambda or method reference that runs app.Main.lambda$main$0(Object, Object) runs app.Main.lambda$main$0(Object, Object)\n",
        ],
    );
    let told = answer(&classes, "Main.twice:v0", &[]);
    assert_has(
        &told,
        &[
            "may be a new app.Main",
            "stores it in a captured value of a lambda",
            "reads a captured value",
            "as argument 1: v0",
        ],
    );
}

const WITH_JDK: &[(&str, &str)] = &[(
    "app/Main.java",
    "package app;
import java.util.*;
public class Main {
    static Object kind, copy, made;
    static void far(Object key) { nearer(key); }
    static void nearer(Object key) { last(key); }
    static void last(Object key) { new HashMap<Object, Object>().put(key, key); }
    static Object grow(Object[] old) { return Arrays.copyOf(old, 7); }
    public static void main(String[] args) {
        far(new Main());
        kind = new Main().getClass();
        copy = grow(new Main[2]);
        for (Runnable run : ServiceLoader.load(Runnable.class)) { made = run; }
    }
}
class Maker implements Runnable { public void run() {} }
",
)];

/// A program that needs the JDK: compiled, with a provider.
fn with_jdk(scratch: &Scratch) -> Option<String> {
    let classes = compile(scratch, WITH_JDK)?;
    scratch.write("classes/META-INF/services/java.lang.Runnable", b"app.Maker\n");
    Some(classes)
}

fn told_with_jdk(classes: &str, question: &str) -> String {
    let told = run(&["why", question, classes, "-q"]);
    assert_eq!(told.code, Some(0), "{question}: {}", told.stderr);
    told.stdout
}

#[test]
fn paths_lead_from_the_programs_own_entry() {
    let scratch = Scratch::new();
    let Some(classes) = with_jdk(&scratch) else { return };
    let told = told_with_jdk(&classes, "java.util.HashMap.put");
    assert!(told.contains("\n  1. the JVM runs app.Main.main(String[])\n"), "{told}");
}

#[test]
fn what_is_made_of_an_object() {
    let scratch = Scratch::new();
    let Some(classes) = with_jdk(&scratch) else { return };
    let kind = stored_value(&classes, "Main.kind");
    let told = told_with_jdk(&classes, &format!("app.Main.main:{kind}"));
    assert_has(
        &told,
        &["1. a new app.Main of app.Main.main(String[])", "makes of it the class object of app.Main"],
    );
}

#[test]
fn what_a_model_says_at_a_call() {
    let scratch = Scratch::new();
    let Some(classes) = with_jdk(&scratch) else { return };
    let copy = stored_value(&classes, "Main.copy");
    let told = told_with_jdk(&classes, &format!("app.Main.main:{copy}"));
    let copies = "app.Main.grow(Object[]) (by the model of java.util.Arrays.copyOf(Object[], int)) copies it, \
                  and the copy counts as the same";
    assert_has(
        &told,
        &["passes it to app.Main.grow(Object[])", copies, "app.Main.grow(Object[]) returns it"],
    );
    let told = told_with_jdk(&classes, "java.util.Arrays.copyOf(Object[], int):v0");
    let expected = "not followed: a model says at each call of java/util/Arrays.copyOf(";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn providers_are_asked_for() {
    let scratch = Scratch::new();
    let Some(classes) = with_jdk(&scratch) else { return };
    let told = told_with_jdk(&classes, "app.Maker.<init>");
    assert_has(
        &told,
        &[
            "1. the JVM runs app.Main.main(String[])",
            "calls what makes the provider app.Maker (",
            "what makes the provider app.Maker runs app.Maker.<init>()",
        ],
    );
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
    let told = run(&["why", "app.Main.<init>", &classes, "--time-limit", "0"]);
    assert_eq!(told.code, Some(3), "{}", told.stderr);
    assert!(told.stdout.starts_with("so far: not reachable:"), "{}", told.stdout);
    assert!(told.stderr.ends_with("ended the analysis; the result is incomplete\n"), "{}", told.stderr);
    let told = run(&["why", "app.Main.<init>", &classes, "--time-limit", "0", "--format", "json"]);
    let answer = json(&told);
    assert_eq!((&answer["answer"], &answer["complete"]), (&"unknown".into(), &false.into()));
    let expected = "the analysis was ended and is incomplete; so far: not reachable:\n  app/Main.<init>()V";
    assert_eq!(answer["reason"], expected);
}

#[test]
fn a_variable_of_what_was_not_reached_in_time_is_not_denied() {
    let scratch = Scratch::new();
    // More methods than are run before the first look at the time; only the last two have a third variable.
    let chain: Vec<String> =
        (0..999).map(|n| format!("    static void f{n}() {{ f{}(); }}\n", n + 1)).collect();
    let chain = chain.concat();
    let source = format!(
        "public class Main {{
    static Object sink;
{chain}    static void f999() {{ f(null, null, new Main()); }}
    static void f(Object a, Object b, Object c) {{ sink = c; }}
    public static void main(String[] args) {{ f0(); }}
}}
"
    );
    let Some(classes) = compile(&scratch, &[("Main.java", &source)]) else { return };
    let ended = ["--time-limit", "0"];
    let told = ask(&classes, "Main.f*:v2", &ended);
    assert_eq!(told.code, Some(3), "{}", told.stderr);
    assert!(told.stdout.starts_with("so far: there is no variable `v2`"), "{}", told.stdout);
    assert!(told.stdout.ends_with(" more methods are not reached\n"), "{}", told.stdout);
    let told = json(&ask(&classes, "Main.f*:v2", &["--time-limit", "0", "--format", "json"]));
    assert_eq!((&told["answer"], &told["complete"]), (&"unknown".into(), &false.into()));
    // All that is meant is reached: no more time would help.
    let told = ask(&classes, "Main.f0:v99", &ended);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{}", told.stderr);
    let told = answer(&classes, "Main.f*:v2", &[]);
    assert!(told.contains("v2 of Main.f(Object, Object, Object) may be a new Main"), "{told}");
}

#[test]
fn a_no_is_doubted_where_reflective_calls_are_not_followed() {
    let scratch = Scratch::new();
    let source = "package app;
public class Main {
    static void unused() {}
    public static void main(String[] args) throws Exception {
        Class.forName(args[0]).getMethod(args[1]).invoke(null);
    }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    let told = json(&run(&["why", "Main.unused", &classes, "-q", "--format", "json"]));
    assert_eq!((&told["answer"], &told["schema"]), (&"no".into(), &1.into()));
    let calls = told["reflective_calls"].as_u64().unwrap_or_default();
    assert!(calls >= 3, "{told}");
    let told = told_with_jdk(&classes, "Main.unused");
    let expected = format!(
        "not reachable:\n  app/Main.unused()V\nThat may be wrong: {calls} reflective calls of reached code are \
         not followed, 3 in the inputs; heliostat analyze -o DIR lists them in DIR/gaps.tsv.\n"
    );
    assert_eq!(told, expected);
    // Whoever gets a yes need not doubt it.
    assert!(!told_with_jdk(&classes, "Main.main").contains("reflective"));
    // Nothing is not followed without a JDK.
    assert_eq!(answer(&classes, "Main.unused", &[]), "not reachable:\n  app/Main.unused()V\n");
}

const LIBRARY: &[(&str, &str)] = &[(
    "a/Api.java",
    "package a;
interface Shape { void draw(); }
class Circle implements Shape {
    private Circle() { Marks.made(); }
    public void draw() { Marks.drawn(); }
}
public class Api {
    static { Marks.initialised(); }
    public static void any(Object o) { if (o instanceof Shape) ((Shape) o).draw(); }
}
class Marks { static void made() {} static void drawn() {} static void initialised() {} }
",
)];

#[test]
fn users_of_a_library_are_not_the_jvm() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, LIBRARY) else { return };
    let public = ["--entry", "public"];
    for (question, expected) in [
        ("Marks.drawn", "\n  1. a user of the library may call a.Api.any(Object)\n"),
        ("Marks.made", "\n  1. a user of the library may have objects that a.Circle.<init>() makes\n"),
        ("Marks.initialised", "\n  1. the JVM runs a.Api.<clinit>() (clinit) for a user of the library\n"),
        (
            "Api.any:v0 = a.Circle",
            "v0 of a.Api.any(Object) may be any a.Circle of a user of the library:
  1. any a.Circle of a user of the library, from wherever
  2. a user of the library passes it to a.Api.any(Object) as argument 1: v0
",
        ),
    ] {
        let told = answer(&classes, question, &public);
        assert!(told.contains(expected), "{question}: {told}");
    }
    let told = answer(&classes, "Marks.drawn", &["--entry", "a.Api.any"]);
    assert_has(&told, &["  1. a caller from outside may call a.Api.any(Object)\n"]);
}

#[test]
fn each_entry_has_its_own_caller() {
    let scratch = Scratch::new();
    let source = "package app;
public class Main {
    static void first(Object x) {}
    public static void second(Object x) { first(x); }
    static Object sink;
    static void third(Object x) { sink = x; }
    public static void main(String[] args) { third(args); }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    let entries = ["--entry", "Main.second", "--entry", "main"];
    let told = answer(&classes, "Main.first", &entries);
    assert_has(&told, &["1. a caller from outside may call app.Main.second(Object)\n"]);
    let told = answer(&classes, "Main.third", &entries);
    assert_has(&told, &["1. the JVM runs app.Main.main(String[])\n"]);
    let told = answer(&classes, "Main.third:v0", &entries);
    assert_has(&told, &["may be the JVM's java.lang.String[]", "the JVM passes it to app.Main.main("]);
}

#[test]
fn objects_are_of_all_who_may_give_them() {
    let scratch = Scratch::new();
    let source = "package a;
class Thing { Thing() {} }
public class Api {
    static Object sink;
    public static void seen(Thing[] x) { sink = x[0]; }
    static void hidden(Thing x) { sink = x; }
    public static void main(String[] args) { sink = args[0]; sink = args; }
}
";
    let Some(classes) = compile(&scratch, &[("a/Api.java", source)]) else { return };
    let thing =
        "may be any a.Thing of somebody outside:\n  1. any a.Thing of somebody outside, from wherever\n";
    let main = [
        "may be the JVM's java.lang.String[]:",
        "the JVM's java.lang.String[]: made in the JVM",
        "the JVM passes it to a.Api.main(",
    ];
    // The order of the entry points decides nothing.
    for entries in [["public", "a.Api.hidden", "a.Api.main"], ["a.Api.main", "a.Api.hidden", "public"]] {
        let entries = entries.iter().flat_map(|entry| ["--entry", entry]).collect::<Vec<_>>();
        let told = answer(&classes, "Api.hidden:v0", &entries);
        assert_has(
            &told,
            &[thing, "2. a caller from outside passes it to a.Api.hidden(Thing) as argument 1"],
        );
        let elements = ["may be any a.Thing[] of somebody outside:", "2. a user of the library passes it to"];
        assert_has(&answer(&classes, "Api.seen:v0", &entries), &elements);
        let told = answer(&classes, "Thing.<init>", &entries);
        assert_has(&told, &["1. somebody outside may have objects that a.Thing.<init>() makes\n"]);
    }
    let entries = ["--entry", "a.Api.hidden", "--entry", "a.Api.main"];
    assert_has(&answer(&classes, "Api.main:v0", &entries), &main);
    let told = answer(&classes, "Api.hidden:v0", &entries);
    assert_has(&told, &["may be any a.Thing of a caller from outside:"]);
}

#[test]
fn providers_are_the_jvms_as_well() {
    let scratch = Scratch::new();
    let source = "package app;
import java.util.ServiceLoader;
public class Main {
    static Object made, given;
    public static void take(Runnable run) { given = run; }
    public static void main(String[] args) {
        for (Runnable run : ServiceLoader.load(Runnable.class)) made = run;
    }
}
class Maker implements Runnable { public void run() {} }
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    scratch.write("classes/META-INF/services/java.lang.Runnable", b"app.Maker\n");
    let question = format!("Main.main:{} = app.Maker", stored_value(&classes, "Main.made"));
    let told = run(&["why", &question, &classes, "-q", "--entry", "main", "--entry", "public"]);
    let expected = "may be any app.Maker of the JVM or of a user of the library:\n";
    assert!(told.stdout.contains(expected), "{} {}", told.stdout, told.stderr);
}

const INHERITING: &[(&str, &str)] = &[(
    "app/Main.java",
    "package app;
interface Job { Object run(Object x); }
interface Alone { void never(); }
abstract class Base {
    private void own() {}
    Object inherited(int n) { return this; }
    Object inherited(Object o) { return o; }
    abstract Object step(Object o);
    abstract void idle();
}
class Sub extends Base { Object step(Object o) { return o; } void idle() {} }
class Other extends Base { Object step(Object o) { return null; } void idle() {} }
public class Main {
    static Object twice(Object x) { return x; }
    public static void main(String[] args) {
        Job job = x -> twice(x);
        job.run(args);
        new Sub().inherited(1);
        new Sub().step(job);
    }
}
",
)];

#[test]
fn inherited_methods_by_the_class_that_inherits_them() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, INHERITING) else { return };
    for question in ["Sub.inherited(int)", "app.Sub.inherited(I)", "app.Sub::inherited(int)"] {
        let told = answer(&classes, question, &[]);
        let expected = "(app.Sub inherits it; asked about is app.Base.inherited(int))\n\
                        app.Base.inherited(int) is reached:\n";
        assert!(told.starts_with(expected), "{question}: {told}");
    }
    let told = answer(&classes, "Main.main -> Sub.inherited", &[]);
    let expected = "(app.Sub inherits it; asked about is app.Base.inherited(int), app.Base.inherited(Object))\n\
                    app.Main.main(String[]) calls app.Base.inherited(int) (virtual):\n";
    assert!(told.starts_with(expected), "{told}");
    let told = json(&ask(&classes, "Sub.inherited(Object)", &["--format", "json"]));
    let remark = "app.Sub inherits it; asked about is app.Base.inherited(Object)";
    assert_eq!((&told["answer"], &told["remarks"][0]), (&"no".into(), &remark.into()));
    // Neither private methods nor initialisers are inherited.
    for question in ["Sub.own", "Sub.<clinit>", "Main.<init>(int)"] {
        assert_eq!(ask(&classes, question, &[]).code, Some(2), "{question}");
    }
}

#[test]
fn abstract_methods_stand_for_what_implements_them() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, INHERITING) else { return };
    let remark = "(app.Base.step(Object) is abstract and has no code; asked about is what implements it)\n";
    let told = answer(&classes, "Base.step", &[]);
    assert!(told.starts_with(&format!("{remark}app.Sub.step(Object) is reached:\n")), "{told}");
    assert!(!told.contains("Other"), "what is not reached is not told: {told}");
    let told = answer(&classes, "Main.main -> Base.step", &[]);
    assert!(told.starts_with(&format!("{remark}app.Main.main(String[]) calls app.Sub.step(")), "{told}");
    let told = answer(&classes, "Base.step:v1", &[]);
    assert!(told.starts_with(&format!("{remark}v1 of app.Sub.step(Object) may be a lambda")), "{told}");
    let told = answer(&classes, "Job.run", &[]);
    assert_has(&told, &["app.Job.run(Object) is abstract", "app.Main.lambda$main$0(Object) is reached:\n"]);
    let told = answer(&classes, "Base.idle", &[]);
    assert_has(
        &told,
        &["(app.Base.idle() is abstract", "not reachable:\n  app/Other.idle()V\n  app/Sub.idle()V\n"],
    );
    let told = answer(&classes, "Alone.never", &[]);
    let expected = "not reachable: abstract, without code; no class that was read and no lambda of reached code \
                    implements it:\n  app/Alone.never()V\n";
    assert_eq!(told, expected);
    // With others that have code, these are meant.
    assert!(!answer(&classes, "Base.*", &[]).contains("abstract"));
}

#[test]
fn abstract_types_that_users_make_something_of() {
    let scratch = Scratch::new();
    let source = "package a;
interface I { void m(); void n(); }
interface J extends I { default void n() {} }
public abstract class A implements J { public void m() {} }
";
    let Some(classes) = compile(&scratch, &[("a/A.java", source)]) else { return };
    for (question, entry, implementing) in
        [("I.m", "A.m", "a.A.m()"), ("I.n", "J.n", "a.J.n()"), ("I.m", "public", "a.A.m()")]
    {
        let told = answer(&classes, question, &["--entry", entry]);
        let expected = format!("what implements it)\n{implementing} is reached:\n");
        assert!(told.contains(&expected), "{question}, {entry}: {told}");
    }
}

#[test]
fn classes_outside_the_inputs_without_their_packages() {
    let scratch = Scratch::new();
    let sources = [
        ("x/Tool.java", "package x; public class Tool { public static void use() {} public void own() {} }"),
        ("y/Tool.java", "package y; public class Tool { public static void use() {} }"),
        (
            "app/Main.java",
            "package app; public class Main { public static void main(String[] a) { x.Tool.use(); } }",
        ),
    ];
    let Some(classes) = compile(&scratch, &sources) else { return };
    let library = scratch.path().join("library");
    for package in ["x", "y"] {
        std::fs::create_dir_all(&library).expect("a directory");
        std::fs::rename(scratch.path().join("classes").join(package), library.join(package)).expect("moved");
    }
    let more = ["--cp", library.to_str().expect("UTF-8")];
    assert_eq!(answer(&classes, "Tool.own", &more), "not reachable:\n  x/Tool.own()V\n");
    let told = ask(&classes, "Tool.use", &more);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    let expected = "several classes outside the inputs have `Tool.use`; write one in full:\n  x.Tool.use\n  y.Tool.use\n";
    assert!(told.stderr.contains(expected), "{}", told.stderr);
    assert!(answer(&classes, "x.Tool.use", &more).starts_with("x.Tool.use() is reached:\n"));
}

#[test]
fn names_of_the_source_are_no_variables() {
    let told = run(&["why", "Main.main:args", "app.jar"]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("`args` is no variable of the IR"), "{}", told.stderr);
}

#[test]
fn the_help_explains_questions_and_codes() {
    let help = run(&["why", "--help"]).stdout;
    for part in [
        "METHOD -> METHOD",
        "METHOD:VARIABLE = TYPE",
        "Examples:",
        "Contexts:",
        "2obj",
        "Kinds of edges:",
        "clinit",
        "Exit codes:",
        "not reachable",
        "does not deny",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
    let questions = help.split_once("Questions:").map_or("", |(_, questions)| questions);
    let widest = questions.lines().map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|widest| widest <= 100), "{widest:?}: {help}");
}
