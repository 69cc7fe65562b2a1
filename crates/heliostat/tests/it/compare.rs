//! `heliostat compare`: what a run did that an analysis does not have.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use crate::support::{Run, Scratch, compile, jdk_home, json, run};

/// A compiled program, with a run of it in `trace` and its analysis in `run`.
struct Compared {
    scratch: Scratch,
    java: String,
    classes: String,
}

impl Compared {
    /// None if there is no Java compiler.
    fn new(sources: &[(&str, &str)]) -> Option<Self> {
        let scratch = Scratch::new();
        let classes = compile(&scratch, sources)?;
        let java = jdk_home()?.join("bin/java").to_str().expect("UTF-8").to_owned();
        Some(Self { scratch, java, classes })
    }

    fn path(&self, name: &str) -> String {
        self.scratch.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Runs it with its main class and arguments.
    fn trace(&self, more: &[&str]) {
        let directory = self.path("trace");
        let command = ["trace", "-o", &directory, "--", &self.java, "-cp", &self.classes];
        let traced = run(&[&command, more].concat());
        assert_eq!(traced.code, Some(0), "{}", traced.stderr);
    }

    fn analyze(&self, more: &[&str]) {
        let directory = self.path("run");
        let analyzed = run(&[&["analyze", &self.classes, "-o", &directory], more].concat());
        assert_eq!(analyzed.code, Some(0), "{}", analyzed.stderr);
    }

    fn compare(&self, more: &[&str]) -> Run {
        let compared = run(&[&["compare", &self.path("run"), &self.path("trace")], more].concat());
        assert_eq!(compared.code, Some(0), "{}", compared.stderr);
        compared
    }
}

const REFLECTIVE: &[(&str, &str)] = &[(
    "app/Main.java",
    "package app;
public class Main {
    public static void main(String[] args) throws Exception {
        direct();
        Object plugin = Class.forName(args[0]).getDeclaredConstructor().newInstance();
        ((Runnable) plugin).run();
    }
    static void direct() {}
}
class Plugin implements Runnable {
    public void run() { helper(); }
    static void helper() {}
}
",
)];

#[test]
fn reflection_is_missed_and_a_log_of_it_is_not() {
    let Some(program) = Compared::new(REFLECTIVE) else { return };
    program.trace(&["app.Main", "app.Plugin"]);
    program.analyze(&[]);
    let [directory, trace, log] = ["run", "trace", "trace/reflection.log"].map(|name| program.path(name));
    let heading =
        |with| format!("The analysis `{directory}` ({with} a reflection log) and the trace `{trace}`\n");
    let told = program.compare(&[]);
    for expected in [
        "app/Main.main([Ljava/lang/String;)V @",
        "-> app/Plugin.<init>()V  (reflective; the site is known)",
        "Constructor.newInstance                           1          1  100.00 %",
        &format!("\n`--reflection-log {log}` tells the analysis what reflection did\n"),
    ] {
        assert!(told.stdout.contains(expected), "{expected}: {}", told.stdout);
    }
    assert!(told.stdout.starts_with(&heading("without")), "{}", told.stdout);
    let found = json(&program.compare(&["--format", "json"]));
    causes_are_found(&found);
    let first = &found["causes"][0];
    assert_eq!((&first["call"]["kind"], &first["app_to_app"]), (&"reflective".into(), &3.into()), "{found}");

    program.analyze(&["--reflection-log", &log]);
    let told = program.compare(&[]);
    assert!(told.stdout.starts_with(&heading("with")), "{}", told.stdout);
    assert!(told.stdout.contains("No edge that begins in the inputs is missed."), "{}", told.stdout);
    assert!(!told.stdout.contains("--reflection-log"), "{}", told.stdout);
    let file = program.path("found.json");
    let told = program.compare(&["--format", "json", "-o", &file]);
    assert_eq!(fs::read_to_string(&file).expect("a file"), told.stdout);
    let found = json(&told);
    assert_eq!((&found["run"], &found["traces"]), (&directory.into(), &serde_json::json!([trace])));
    assert_eq!((&found["reflection_log"], &found["advice"]), (&true.into(), &serde_json::json!([])));
    assert_eq!(found["edges"][0]["what"], "app_to_app");
    assert_eq!(found["edges"][0]["missed"], 0, "{}", told.stdout);
    assert_eq!(found["reflection"][0]["missed"], 0, "{}", told.stdout);
    assert_eq!(found["other_classes"].as_array().map(Vec::len), Some(0));
}

/// Where a missed edge has a first cause, the list of causes has it.
fn causes_are_found(found: &serde_json::Value) {
    let causes = found["causes"].as_array().expect("causes");
    let app_edges = |cause: &serde_json::Value| {
        [&cause["app_to_app"], &cause["app_to_library"]]
            .iter()
            .filter_map(|edges| edges.as_u64())
            .sum::<u64>()
    };
    assert!(causes.is_sorted_by_key(|cause| std::cmp::Reverse(app_edges(cause))), "{found}");
    let missed = found["missed"].as_array().expect("missed edges");
    let places: Vec<u64> = missed.iter().filter_map(|missed| missed["cause"]["since"].as_u64()).collect();
    assert!(!places.is_empty() && places.iter().all(|&place| place < causes.len() as u64), "{found}");
}

#[test]
fn classes_that_were_made_are_advised() {
    let source = "package app;
import java.lang.reflect.*;
public class Main {
    interface Greeter { void greet(); }
    public static void main(String[] args) {
        InvocationHandler none = (proxy, method, more) -> null;
        Class<?>[] types = {Greeter.class};
        ((Greeter) Proxy.newProxyInstance(Main.class.getClassLoader(), types, none)).greet();
    }
}
";
    let Some(program) = Compared::new(&[("app/Main.java", source)]) else { return };
    program.trace(&["app.Main"]);
    program.analyze(&[]);
    let jar = program.path("trace/generated.jar");
    let advice =
        format!("\nthe run made 1 class that the analysis did not have: `--cp {jar}` gives it to it\n");
    let told = program.compare(&[]);
    assert!(told.stdout.contains(&advice), "{advice}{}", told.stdout);
    program.analyze(&["--cp", &jar]);
    let told = program.compare(&[]);
    assert!(!told.stdout.contains("--cp"), "{}", told.stdout);
}

#[test]
fn what_links_lambdas_is_counted_apart() {
    let source = "package app;
import java.util.function.*;
public class Main {
    static Object use(Object o, int i, long l) { return o; }
    static Supplier<Object> make(Object o, int i, long l) { return () -> use(o, i, l); }
    public static void main(String[] args) {
        make(args, 1, 2).get();
        Supplier<Object> object = Object::new;
        object.get();
    }
}
";
    let Some(program) = Compared::new(&[("app/Main.java", source)]) else { return };
    program.trace(&["app.Main"]);
    program.analyze(&[]);
    let told = program.compare(&[]);
    assert!(told.stdout.contains("  linkage of method handles and lambdas "), "{}", told.stdout);
    let found = json(&program.compare(&["--format", "json"]));
    let row = |group: &str, what: &str| {
        let rows = found[group].as_array().expect("rows");
        rows.iter().find(|row| row["what"] == what).expect(what).clone()
    };
    assert!(row("filtered", "linkage")["recorded"].as_u64() > Some(0), "{found}");
    assert_eq!(row("edges", "app_to_library")["missed"], 0, "{found}");
    let calls = fs::read_to_string(program.path("trace/calls.tsv")).expect("a file");
    let object = calls.lines().filter(|row| row.contains("\tjava/lang/Object.<init>()V\t"));
    let kinds = |method: &str| {
        let own = object.clone().filter(|row| row.starts_with(&format!("app/Main.{method}(")));
        own.filter_map(|row| row.split('\t').nth(4)).collect::<Vec<_>>()
    };
    assert_eq!((kinds("make"), kinds("main")), (vec!["linkage"], vec!["dynamic"]), "{calls}");
}

const VERSIONS: [&str; 2] = [
    "package app;
public class Main {
    public static void main(String[] args) { Other.help(); }
}
class Other { static void help() {} }
class Same { static void same() {} }
",
    "package app;
public class Main {
    public static void main(String[] args) { Other.help(); Same.same(); }
}
class Other { static void help() { more(); } static void more() {} }
class Same { static void same() {} }
",
];

/// What is printed below the line that names what is compared.
fn below_heading(told: &Run) -> &str {
    told.stdout.split_once('\n').expect("a heading").1
}

#[test]
fn a_trace_of_another_version_is_told() {
    let [old, new] = VERSIONS.map(|source| Compared::new(&[("app/Main.java", source)]));
    let (Some(old), Some(new)) = (old, new) else { return };
    new.trace(&["app.Main"]);
    old.analyze(&[]);
    let told = run(&["compare", &old.path("run"), &new.path("trace")]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let warning = "The program that ran is not the one that was analysed: 2 classes differ, as app/Main.\n";
    assert!(below_heading(&told).starts_with(warning), "{}", told.stdout);
    assert!(
        told.stdout.contains("  within the inputs                                 3          2 "),
        "{}",
        told.stdout
    );
    let told = run(&["compare", &old.path("run"), &new.path("trace"), "--format", "json"]);
    assert_eq!(json(&told)["other_classes"], serde_json::json!(["app/Main", "app/Other"]));
    // Something else altogether.
    let Some(other) = Compared::new(REFLECTIVE) else { return };
    fs::remove_file(format!("{}/app/Main.class", other.classes)).expect("it is there");
    other.analyze(&["--entry", "app/Plugin.run"]);
    let told = run(&["compare", &other.path("run"), &new.path("trace")]);
    assert!(below_heading(&told).starts_with("No method of the inputs ran: "), "{}", told.stdout);
    for (expected, is_there) in
        [("within the inputs ", true), ("0          0         -\n", true), ("ause", false)]
    {
        assert_eq!(told.stdout.contains(expected), is_there, "{expected}: {}", told.stdout);
    }
    // That, and one of the same program.
    let Some(same) = Compared::new(REFLECTIVE) else { return };
    same.trace(&["app.Main", "app.Plugin"]);
    let told = run(&["compare", &other.path("run"), &new.path("trace"), &same.path("trace")]);
    let warning = format!("No method of the inputs ran in `{}`: ", new.path("trace"));
    assert!(below_heading(&told).starts_with(&warning), "{}", told.stdout);
    assert!(told.stdout.contains("First causes") || told.stdout.contains("No edge that"), "{}", told.stdout);
}

#[test]
fn a_trace_that_was_cut_off_is_used_as_far_as_it_goes() {
    let Some(program) = Compared::new(REFLECTIVE) else { return };
    program.trace(&["app.Main", "app.Plugin"]);
    program.analyze(&[]);
    let raw = |end: &str| {
        let entries = fs::read_dir(program.path("trace/raw")).expect("a directory");
        let mut paths = entries.map(|entry| entry.expect("an entry").path());
        paths.find(|path| path.to_str().is_some_and(|path| path.ends_with(end))).expect(end)
    };
    let whole = json(&program.compare(&["--format", "json"]));
    assert_eq!((&whole["run_complete"], &whole["trace_complete"]), (&true.into(), &true.into()));
    let all = recorded_edges(&whole);
    let cut_to = |end: &str, length: usize| {
        let bytes = fs::read(raw(end)).expect("a file");
        fs::write(raw(end), &bytes[..length]).expect("a file");
        let (text, found) = (program.compare(&[]), json(&program.compare(&["--format", "json"])));
        fs::write(raw(end), &bytes).expect("a file");
        assert!(text.stderr.contains("cut off") || text.stderr.contains("no table"), "{}", text.stderr);
        assert!(
            below_heading(&text).starts_with("The trace is not whole"),
            "{end} {length}: {}",
            text.stdout
        );
        assert_eq!(found["trace_complete"], false);
        recorded_edges(&found)
    };
    let (log, table) = (raw(".log"), raw(".table"));
    let [log, table] = [log, table].map(|path| fs::metadata(path).expect("a file").len() as usize);
    for (end, full) in [(".log", log), (".table", table)] {
        let left = [full - 1, full * 3 / 4, full / 2, 1, 0].map(|length| cut_to(end, length));
        assert!(left.is_sorted_by(|more, fewer| more >= fewer), "{end}: {left:?}");
        // The log alone tells of a reflective call.
        assert!(left[0] <= all && left[2] > 1 && left[4] <= 1, "{end}: {left:?} of {all}");
    }
    // What was to run is cut off, too, or not there.
    for _ in 0..2 {
        assert_eq!(recorded_edges(&json(&program.compare(&["--format", "json"]))), all);
        fs::write(raw("run"), b"\x07").expect("a file");
    }
    fs::remove_file(raw("run")).expect("it was there");
    assert_eq!(recorded_edges(&json(&program.compare(&["--format", "json"]))), all);
}

/// How many edges of the run were compared in all.
fn recorded_edges(found: &serde_json::Value) -> u64 {
    let rows = ["edges", "filtered"].iter().flat_map(|group| found[group].as_array().expect("rows"));
    rows.filter_map(|row| row["recorded"].as_u64()).sum()
}

#[test]
fn an_analysis_that_was_ended_is_told() {
    let Some(program) = Compared::new(REFLECTIVE) else { return };
    program.trace(&["app.Main", "app.Plugin"]);
    let analyzed = run(&["analyze", &program.classes, "-o", &program.path("run"), "--time-limit", "1ms"]);
    assert_eq!(analyzed.code, Some(3), "{}", analyzed.stderr);
    let told = program.compare(&[]);
    assert!(below_heading(&told).starts_with("The analysis was ended early"), "{}", told.stdout);
    assert!(told.stdout.contains("within the inputs"), "{}", told.stdout);
    let found = json(&program.compare(&["--format", "json"]));
    assert_eq!((&found["run_complete"], &found["trace_complete"]), (&false.into(), &true.into()));
}

#[test]
fn what_is_no_run_or_no_trace_is_told() {
    let Some(program) = Compared::new(REFLECTIVE) else { return };
    program.trace(&["app.Main", "app.Plugin"]);
    program.analyze(&[]);
    let [run_directory, trace] = ["run", "trace"].map(|name| program.path(name));
    let file = program.path("trace/calls.tsv");
    for (analysis, traced, expected) in [
        (&trace, &trace, "trace` is a trace: the directory of the analysis comes first"),
        (&trace, &run_directory, "trace` is a trace: the directory of the analysis comes first"),
        (&file, &trace, "calls.tsv/methods.txt"),
        (&run_directory, &run_directory, "run` is an analysis: the directory of the analysis comes first"),
        (&run_directory, &file, "calls.tsv: there is no trace here; `heliostat trace -o DIR` writes one"),
        (&run_directory, &program.classes, "classes: there is no trace here"),
    ] {
        let told = run(&["compare", analysis, traced]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{expected}");
        assert!(told.stderr.contains(expected), "{expected}: {}", told.stderr);
    }
    for name in ["classes.tsv", "callgraph.tsv", "methods.txt"] {
        let path = program.path(&format!("run/{name}"));
        let bytes = fs::read(&path).expect(name);
        fs::remove_file(&path).expect(name);
        let told = run(&["compare", &run_directory, &trace]);
        assert_eq!(told.code, Some(2), "{name}");
        assert!(told.stderr.contains(&format!("run/{name}: ")), "{}", told.stderr);
        assert!(told.stderr.contains("`heliostat analyze -o DIR` writes it"), "{}", told.stderr);
        fs::write(&path, bytes).expect(name);
    }
    // Rows that are cut off.
    let classes = fs::read_to_string(program.path("run/classes.tsv")).expect("a file");
    let (cut, _) = classes.rsplit_once('\t').expect("columns");
    fs::write(program.path("run/classes.tsv"), cut).expect("a file");
    let told = run(&["compare", &run_directory, &trace]);
    assert_eq!(told.code, Some(2), "{}", told.stdout);
    assert!(told.stderr.contains("classes.tsv, line "), "{}", told.stderr);
}

#[test]
fn what_cannot_be_read_is_told() {
    let scratch = Scratch::new();
    let nowhere = scratch.path().join("nowhere").to_str().expect("UTF-8").to_owned();
    let told = run(&["compare", &nowhere, &nowhere]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("`heliostat analyze -o DIR` writes it"), "{}", told.stderr);
}
