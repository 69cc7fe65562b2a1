//! `heliostat analyze`.

use std::fs;
#[cfg(target_os = "linux")]
use std::{
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::support::command;
use crate::support::{DEMO, Scratch, compile, has_jdk, jar, json, run};

const SHAPES: &[(&str, &str)] = &[(
    "app/Main.java",
    "package app;
interface Shape { double area(); }
class Circle implements Shape { public double area() { return 3; } }
class Square implements Shape { public double area() { return 4; } }
class Unused implements Shape { public double area() { return 5; } }
public class Main {
    static Shape make(boolean round) { if (round) return new Circle(); return new Square(); }
    public static void main(String[] args) {
        Shape shape = make(args.length > 0);
        Runnable task = () -> System.out.println(shape.area());
        task.run();
        Circle circle = (Circle) shape;
    }
}
",
)];

#[test]
fn a_small_program_and_its_files() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SHAPES) else { return };
    let (first, second) = (scratch.path().join("one"), scratch.path().join("deep/two"));
    let [first, second] = [&first, &second].map(|path| path.to_str().expect("UTF-8"));
    let text = run(&["analyze", &classes, "-o", first, "--jobs", "1"]);
    assert_eq!((text.code, text.stderr.as_str()), (Some(0), ""), "{}", text.stdout);
    for expected in [
        "classes (5 classes) with JDK ",
        "Entry points (1)\n  app/Main.main([Ljava/lang/String;)V\n",
        "Not covered: what the program calls or makes by reflection (--reflection none)",
        "\nDone in ",
        "/one/callgraph.tsv\n",
    ] {
        assert!(text.stdout.contains(expected), "{expected}: {}", text.stdout);
    }
    let printed = run(&["analyze", &classes, "-o", second, "--jobs", "2", "--format", "json"]);
    assert_eq!(printed.code, Some(0));
    let read = |directory: &str, name: &str| fs::read_to_string(format!("{directory}/{name}")).expect(name);
    assert_eq!(printed.stdout, read(second, "summary.json"));
    let timeless = |text: &str| {
        let mut summary: Value = serde_json::from_str(text).expect("JSON");
        let members = summary.as_object_mut().expect("an object");
        assert!(members.remove("time").is_some() && members.remove("peak_rss_bytes").is_some());
        summary
    };
    assert_eq!(timeless(&printed.stdout), timeless(&read(first, "summary.json")));
    let entry = "method\thow\twhy\napp/Main.main([Ljava/lang/String;)V\tmain\ta main method\n";
    let entries = read(first, "entries.tsv");
    assert!(entries.starts_with(entry), "{entries}");
    for row in [
        "java/lang/System.initPhase1()V\tjvm\tcalled by the JVM: startup\n",
        "java/lang/Thread.<clinit>()V\tjvm\tits class is initialised by the JVM\n",
    ] {
        assert!(entries.contains(row), "{row}: {entries}");
    }
    let tables = [
        "callgraph.tsv",
        "methods.txt",
        "entries.tsv",
        "natives.tsv",
        "gaps.tsv",
        "missing.tsv",
        "classes.tsv",
        "reflection.tsv",
    ];
    for name in tables {
        assert!(read(first, name) == read(second, name), "{name} differs");
    }
    assert_eq!(fs::read_dir(first).expect("a directory").count(), 10, "only these and their list are there");
    let methods = read(first, "methods.txt");
    for reached in ["app/Circle.area()D\n", "app/Square.area()D\n", "app/Main.lambda$main$0(Lapp/Shape;)V\n"]
    {
        assert!(methods.contains(reached), "{reached}");
    }
    assert!(!methods.contains("app/Unused"));
    let graph = read(first, "callgraph.tsv");
    assert!(graph.starts_with("caller\toffset\tline\tcallee\tkind\n"));
    let row = |from: &str, line: u32, to: &str, kind: &str| {
        let end = format!("\t{line}\tapp/{to}\t{kind}");
        graph.lines().any(|row| row.starts_with(&format!("app/{from}\t")) && row.ends_with(&end))
    };
    assert!(row("Main.main([Ljava/lang/String;)V", 9, "Main.make(Z)Lapp/Shape;", "static"));
    assert!(row("Main.lambda$main$0(Lapp/Shape;)V", 10, "Circle.area()D", "interface"));
    assert!(row("Main.main([Ljava/lang/String;)V", 11, "Main.lambda$main$0(Lapp/Shape;)V", "dynamic"));
    // A model stands for its bytecode: what calls there is none of its lines.
    let modelled = "java/lang/ref/Reference.<init>(Ljava/lang/Object;Ljava/lang/ref/ReferenceQueue;)V\t";
    let rows: Vec<&str> = graph.lines().filter(|row| row.starts_with(modelled)).collect();
    assert!(rows.iter().any(|row| row.ends_with("\t\tjava/lang/Object.<init>()V\tspecial")), "{rows:?}");
    assert!(rows.iter().all(|row| row.split('\t').nth(2) == Some("")), "{rows:?}");
}

#[test]
fn a_class_that_inherits_main_is_initialised() {
    let scratch = Scratch::new();
    let source = "package a;
class Base { public static void main(String[] x) {} }
class First extends Base { static { First.mark(); } static void mark() {} }
class Second extends Base { static { Second.mark(); } static void mark() {} }
";
    let Some(classes) = compile(&scratch, &[("a/Base.java", source)]) else { return };
    let out = scratch.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let reached = |mains: &[&str]| {
        let mains = mains.iter().flat_map(|main| ["--main", main]);
        let arguments = ["analyze", &classes, "--jdk", "none", "-o", out].into_iter().chain(mains);
        let told = run(&arguments.collect::<Vec<_>>());
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        let methods = fs::read_to_string(format!("{out}/methods.txt")).expect("a list");
        let marked = ["First", "Second"].map(|class| methods.contains(&format!("a/{class}.mark()V\n")));
        (marked, methods.contains("a/Base.main([Ljava/lang/String;)V\n"))
    };
    assert_eq!(reached(&["a.Base"]), ([false, false], true));
    assert_eq!(reached(&["a.First"]), ([true, false], true));
    assert_eq!(reached(&["a.First", "a.Second"]), ([true, true], true));
    let entries = fs::read_to_string(format!("{out}/entries.tsv")).expect("a list");
    let row = "a/Base.main([Ljava/lang/String;)V\tmain\t--main, inherited by a/Second\n";
    assert!(entries.contains(row), "{entries}");
    let made = "a/Second.<clinit>()V\tmade\tits class is initialised for an entry point\n";
    assert!(entries.ends_with(made), "{entries}");
}

#[test]
fn json_has_the_fields() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SHAPES) else { return };
    let summary =
        json(&run(&["analyze", &classes, "--format", "json", "--context", "1obj", "--main", "app.Main"]));
    assert_eq!((&summary["schema"], &summary["problems"]), (&1.into(), &0.into()));
    let settings = &summary["settings"];
    assert_eq!((&settings["context"], &settings["main"][0]), (&"1obj".into(), &"app.Main".into()));
    for (name, value) in
        [("reflection", "none"), ("select", "none"), ("complement", "off"), ("heap_strings", "merged")]
    {
        assert_eq!(settings[name], value);
    }
    let input = &summary["input"];
    assert_eq!((&input["app_classes"], &input["phantom_classes"]), (&5.into(), &0.into()));
    assert!(input["jdk"].is_string() && input["classes"].as_u64() > Some(5));
    let result = &summary["result"];
    assert_eq!((&result["complete"], &result["ended_by"]), (&true.into(), &Value::Null));
    assert_eq!((&result["entry_points"], &result["app_reachable_methods"]), (&1.into(), &7.into()));
    assert_eq!((&result["app_reachable_casts"], &result["app_may_fail_casts"]), (&1.into(), &1.into()));
    assert_eq!((&result["app_poly_calls"], &result["app_virtual_call_sites"]), (&1.into(), &3.into()));
    let number = |name: &str| result[name].as_u64().expect(name);
    for name in ["reachable_methods", "call_edges", "virtual_call_sites", "poly_calls", "reachable_casts"] {
        assert!(number(name) >= number(&format!("app_{name}")), "{name}");
    }
    for name in
        ["objects", "vars", "contexts", "natives_without_model", "unresolved_calls", "other_bootstraps"]
    {
        number(name);
    }
    assert!(number("var_points_to") >= number("var_points_to_ci") && number("var_points_to_ci") > 0);
    assert!(
        number("string_var_points_to") > 0 && number("heap_points_to") > 0 && number("may_fail_casts") > 0
    );
    let kinds = result["call_edges_by_kind"].as_object().expect("an object");
    assert_eq!(kinds.len(), 9);
    let total: u64 = kinds.values().filter_map(Value::as_u64).sum();
    assert_eq!(total, number("call_edges"));
    let reflection = |name: &str| summary["reflection"][name].as_u64().expect(name);
    assert!(reflection("sites") > 0, "the JDK uses reflection");
    assert_eq!(reflection("sites"), reflection("resolved") + reflection("unsound"));
    for name in ["app_sites", "app_resolved", "app_unsound", "imprecise"] {
        assert_eq!(reflection(name), 0, "{name}");
    }
    for name in ["load_s", "pre_s", "solve_s", "total_s"] {
        assert!(summary["time"][name].is_f64(), "{name}");
    }
}

#[test]
fn a_budget_that_ends_gives_what_there_is() {
    if !has_jdk() {
        return;
    }
    let scratch = Scratch::new();
    let out = scratch.path().join("out");
    let out = out.to_str().expect("UTF-8");
    for (option, value, by) in [("--time-limit", "0", "time"), ("--memory-limit", "1m", "memory")] {
        let told = run(&["analyze", DEMO, option, value, "-o", out]);
        assert_eq!(told.code, Some(3), "{}", told.stderr);
        assert!(told.stdout.contains(&format!("\nIncomplete: the {by} limit of ")), "{}", told.stdout);
        assert!(told.stderr.ends_with("ended the analysis; the result is incomplete\n"), "{}", told.stderr);
        let summary = fs::read_to_string(format!("{out}/summary.json")).expect("a summary");
        let summary: Value = serde_json::from_str(&summary).expect("JSON");
        assert_eq!(
            (&summary["result"]["complete"], &summary["result"]["ended_by"]),
            (&false.into(), &by.into())
        );
        assert!(summary["result"]["reachable_methods"].as_u64() > Some(0));
        let graph = fs::read_to_string(format!("{out}/callgraph.tsv")).expect("a call graph");
        assert!(graph.lines().count() > 1);
    }
    let json = run(&["callgraph", DEMO, "--time-limit", "0", "--format", "json", "-q"]);
    assert_eq!((json.code, json.stderr.as_str()), (Some(3), ""));
    assert!(json.stdout.starts_with("{\"schema\":1,\"complete\":false,\n"), "{}", &json.stdout[..40]);
}

#[test]
fn services_are_found() {
    let scratch = Scratch::new();
    let main = "package a;
public class Main {
    public static void main(String[] x) {
        for (Service service : java.util.ServiceLoader.load(Service.class)) service.serve();
    }
}
";
    let provider = |name: &str| {
        format!("package a;\npublic class {name} implements Service {{ public void serve() {{}} }}\n")
    };
    let sources = [
        ("a/Main.java", main),
        ("a/Service.java", "package a;\npublic interface Service { void serve(); }\n"),
        ("a/First.java", &provider("First")),
        ("a/Second.java", &provider("Second")),
    ];
    let Some(classes) = compile(&scratch, &sources) else { return };
    scratch.write("classes/META-INF/services/a.Service", b"# one\na.First\na.Gone\n");
    let out = scratch.path().join("out");
    let told = run(&["analyze", &classes, "-o", out.to_str().expect("UTF-8")]);
    let expected = "Missing providers of services (1)\n  a/Gone  of a/Service, named in classes\n";
    assert!(told.stdout.contains(expected), "{}", told.stdout);
    let graph = fs::read_to_string(out.join("callgraph.tsv")).expect("a call graph");
    assert!(graph.contains("\ta/First.serve()V\tinterface\n"));
    assert!(!graph.contains("a/Second.serve()V"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_gives_what_there_is() {
    if !has_jdk() {
        return;
    }
    let child = command(&["analyze", DEMO]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("a child");
    // The second bit of the caught signals is that of an interrupt.
    let catches = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a process");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
        u64::from_str_radix(caught.trim(), 16).expect("a number") & 2 != 0
    };
    while !catches() {
        thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("an end");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.contains("\nIncomplete: the analysis was interrupted. What is here is true"), "{stdout}");
}

#[test]
fn every_main_is_an_entry_unless_one_is_chosen() {
    let scratch = Scratch::new();
    let source = |name: &str| {
        format!(
            "package a;\npublic class {name} {{ public static void main(String[] x) {{ run(); }}\n  static void run() {{}} }}\n"
        )
    };
    let (one, two) = (source("One"), source("Two"));
    let Some(classes) = compile(&scratch, &[("a/One.java", &one), ("a/Two.java", &two)]) else { return };
    let all = run(&["analyze", &classes, "--jdk", "none"]);
    assert_eq!(all.code, Some(0));
    let expected = "Entry points (2)\n  a/One.main([Ljava/lang/String;)V\n  a/Two.main([Ljava/lang/String;)V\n  \
                    No manifest names a main class, so every main method is an entry point; --main chooses\n";
    assert!(all.stdout.contains(expected), "{}", all.stdout);
    for name in ["a.Two", "a/Two"] {
        let one = run(&["callgraph", &classes, "--jdk", "none", "--main", name]);
        let expected = "caller\toffset\tline\tcallee\tkind\na/Two.main([Ljava/lang/String;)V\t0\t2\ta/Two.run()V\tstatic\n";
        assert_eq!((one.code, one.stdout.as_str()), (Some(0), expected));
    }
    let class = |name: &str| fs::read(format!("{classes}/a/{name}.class")).expect("a class");
    let (one, two) = (class("One"), class("Two"));
    for (manifest, expected) in [
        (
            "Main-Class: a.Two",
            "Entry points (1)\n  a/Two.main([Ljava/lang/String;)V  Main-Class of app.jar\n",
        ),
        (
            "Main-Class: a.Gone",
            "Warning: Main-Class of app.jar is a/Gone, which is missing\n\nEntry points (2)\n",
        ),
        (
            "Main-Class: a.One\nStart-Class: a.Two",
            "Entry points (2)\n  a/One.main([Ljava/lang/String;)V  Main-Class of app.jar\n  a/Two.main([Ljava/lang/String;)V  Start-Class of app.jar\n",
        ),
    ] {
        let manifest = format!("Manifest-Version: 1.0\n{manifest}\n");
        let entries =
            [("META-INF/MANIFEST.MF", manifest.as_bytes()), ("a/One.class", &one), ("a/Two.class", &two)];
        let path = scratch.write("app.jar", &jar(&entries));
        let told = run(&["analyze", &path, "--jdk", "none"]);
        assert!(told.stdout.contains(expected), "{expected}: {}", told.stdout);
    }
}

#[test]
fn a_library_is_entered_where_it_is_public() {
    let scratch = Scratch::new();
    let source = "package a;
public class Api {
    public void open() { hidden(); }
    protected void guarded() {}
    void hidden() {}
    private void secret() {}
}
class Inner { public void never() {} }
";
    let Some(classes) = compile(&scratch, &[("a/Api.java", source)]) else { return };
    let out = scratch.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let methods = |entry: &str| {
        let told = run(&["analyze", &classes, "--jdk", "none", "--entry", entry, "-o", out]);
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        fs::read_to_string(format!("{out}/methods.txt")).expect("a list")
    };
    let told = run(&["analyze", &classes, "--jdk", "none", "--entry", "public"]);
    let bound = "They are called with objects of types that fit, at most 128 of the inputs and 32 others per parameter\n";
    assert!(told.stdout.contains(bound), "{}", told.stdout);
    assert_eq!(methods("public"), "a/Api.<init>()V\na/Api.guarded()V\na/Api.hidden()V\na/Api.open()V\n");
    // The object that a method is called on is made before.
    assert_eq!(methods("a.Api.open"), "a/Api.<init>()V\na/Api.hidden()V\na/Api.open()V\n");
    assert_eq!(methods("Inner.never"), "a/Inner.<init>()V\na/Inner.never()V\n");
}
