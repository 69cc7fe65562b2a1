//! `heliostat analyze --emit facts`.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::datalog::Program;
use crate::support::{DEMO, Scratch, class, compile, jar, run, some_of_jdk};

/// A program that needs no JDK.
const SHAPES: &[(&str, &str)] = &[(
    "app/Main.java",
    "package app;
interface Shape { Object area(); default Object twice() { return area(); } }
class Circle implements Shape {
    static final Object PI = new Circle();
    Object inner;
    public Object area() { inner = new Object[] { this }; return inner; }
}
class Square extends Circle { public Object area() { return \"four\"; } }
class Failure extends RuntimeException { Object cause; Failure(Object cause) { this.cause = cause; } }
public class Main {
    interface Task { Object run(Object argument); }
    static Shape kept = new Square();
    static Shape make(boolean round) { if (round) return new Circle(); return new Square(); }
    static Object fail(Object why) { throw new Failure(why); }
    public static void main(String[] args) {
        Shape shape = make(args.length > 0);
        Task task = more -> { kept = (Shape) more; return shape.twice(); };
        Object result = task.run(Circle.PI);
        Object[] shapes = new Shape[2];
        shapes[0] = kept;
        shapes[1] = result;
        try {
            fail(shapes[0]);
        } catch (Failure failure) {
            Circle circle = (Circle) failure.cause;
            circle.area();
        }
        Class<?> type = Square.class;
        Object[] copy = args.clone();
    }
}
",
)];

/// Tables of `derived/`, with those of their columns that are no contexts.
const DERIVED: [(&str, &[usize]); 6] = [
    ("Reachable", &[0]),
    ("VarPointsTo", &[0, 2]),
    ("FieldPointsTo", &[0, 2, 3]),
    ("StaticPointsTo", &[0, 1]),
    ("CallGraphEdge", &[0, 2]),
    ("Initialised", &[0]),
];

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a table");
    text.lines().map(str::to_owned).collect()
}

/// The rows of a table with some of its columns only.
fn projected(out: &Path, name: &str, columns: &[usize]) -> Vec<String> {
    let project = |line: String| {
        let cells: Vec<&str> = line.split('\t').collect();
        columns.iter().map(|&column| cells[column]).collect::<Vec<_>>().join("\t")
    };
    let rows: BTreeSet<String> =
        lines(&out.join(format!("derived/{name}.csv"))).into_iter().map(project).collect();
    rows.into_iter().collect()
}

fn emit(input: &str, out: &Path, more: &[&str]) {
    let out = out.to_str().expect("UTF-8");
    let told = run(&[&["analyze", input, "-o", out, "--emit", "facts"], more].concat());
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""), "{}", told.stdout);
    assert!(told.stdout.ends_with(&format!("  {out}/facts/\n  {out}/derived/\n")), "{}", told.stdout);
}

/// Evaluates the emitted rules on the emitted tables, and compares.
fn check_rules(out: &Path) {
    let facts = out.join("facts");
    let mut program = Program::read(&facts.join("insensitive.dl"), &facts);
    program.run();
    for (name, columns) in DERIVED {
        let emitted = projected(out, name, columns);
        assert!(!emitted.is_empty(), "{name}");
        assert_eq!(program.table(name), emitted, "{name}");
    }
}

fn check_used(out: &Path, tables: &[&str]) {
    for name in tables {
        assert!(!lines(&out.join(format!("facts/{name}.facts"))).is_empty(), "{name} is not tried");
    }
}

#[test]
fn the_rules_derive_what_was_emitted() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SHAPES) else { return };
    let out = scratch.path().join("out");
    emit(&classes, &out, &["--jdk", "none", "--entry", "app.*"]);
    check_rules(&out);
    check_used(&out, &["Assign", "Load", "Store", "ArrayStore", "StaticLoad", "StaticStore"]);
    check_used(&out, &["StaticCall", "SpecialCall", "VirtualCall", "Selects", "Cast", "Throw"]);
}

#[test]
fn the_rules_derive_what_a_library_does() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SHAPES) else { return };
    let out = scratch.path().join("out");
    emit(&classes, &out, &["--jdk", "none", "--entry", "public"]);
    check_rules(&out);
}

/// A program for what models do: reflection on types, services, `Unsafe`, threads.
const MODELLED: &str = "package app;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
interface Service { Object serve(); }
class First implements Service {
    static { Main.seen = new First(); }
    public Object serve() { return this; }
}
public class Main {
    static Object seen;
    static Object[] grown = new Object[0];
    public static void main(String[] args) {
        List<Object> list = new ArrayList<>();
        list.add(new First());
        Object[] all = list.toArray(new Service[0]);
        for (Object each : list) seen = each.getClass();
        Map<Object, Object> map = new ConcurrentHashMap<>();
        map.put(list, all);
        seen = map.get(list);
        seen = java.lang.reflect.Array.newInstance(First.class, 3);
        grown = Arrays.copyOf(grown, 7);
        grown[0] = seen;
        for (Service service : ServiceLoader.load(Service.class)) seen = service.serve();
        new Thread(() -> seen = list).start();
    }
}
";

#[test]
fn the_rules_derive_what_models_do() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, &[("app/Main.java", MODELLED)]) else { return };
    let Some(jdk) = some_of_jdk(
        &scratch,
        &[
            "java/lang/(Object|String|Class|Throwable|Exception|RuntimeException|Iterable|Runnable|Thread|ClassLoader)",
            "java/lang/reflect/Array",
            "java/util/(Collection|List|Iterator|AbstractList.*|AbstractCollection|ArrayList.*|Arrays|ServiceLoader.*)",
            "java/util/(Map|AbstractMap|concurrent/ConcurrentMap|concurrent/ConcurrentHashMap)(\\$.*)?",
            "jdk/internal/misc/Unsafe",
        ],
    ) else {
        return;
    };
    scratch.write("classes/META-INF/services/app.Service", b"app.First\n");
    let out = scratch.path().join("out");
    emit(&classes, &out, &["--jdk", "none", "--cp", &jdk]);
    check_rules(&out);
    check_used(&out, &["Derive", "Made", "AnyStore", "OpenField", "AskingCall", "Asked", "InlinedCall"]);
    check_used(&out, &["ClassObject", "Initialiser", "ElementFilter"]);
}

#[test]
fn tables_are_sorted_named_and_the_same_each_time() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, SHAPES) else { return };
    let [first, second] = ["one", "two"].map(|name| scratch.path().join(name));
    for out in [&first, &second] {
        emit(&classes, out, &["--jdk", "none", "--entry", "app.*", "--context", "1obj+heap"]);
    }
    let readme = fs::read_to_string(first.join("facts/README.md")).expect("a page");
    assert!(readme.contains("This run: `--context 1obj+1heap`"), "{readme}");
    let mut tables = 0;
    for (folder, end) in [("facts", ".facts"), ("derived", ".csv")] {
        for entry in fs::read_dir(first.join(folder)).expect("a directory") {
            let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
            let rows = lines(&first.join(folder).join(&name));
            assert!(rows == lines(&second.join(folder).join(&name)), "{name} differs");
            let Some(table) = name.strip_suffix(end) else { continue };
            assert!(rows.is_sorted_by(|a, b| a < b), "{name} is not sorted");
            let row = readme.lines().find(|line| line.starts_with(&format!("| `{table}` | ")));
            let columns = row.and_then(|row| row.split(" | ").nth(1)).expect(table).split(", ").count();
            assert!(rows.iter().all(|row| row.split('\t').count() == columns), "{name}");
            tables += 1;
        }
    }
    assert_eq!(readme.lines().filter(|line| line.starts_with("| `")).count(), tables);
    let points_to = lines(&first.join("derived/VarPointsTo.csv"));
    let circle = "app/Main.make(Z)Lapp/Shape;@4 app/Circle";
    let this = format!("app/Circle.area()Ljava/lang/Object;:v0\t[{circle}]\t{circle}\t[]");
    assert!(points_to.contains(&this), "{points_to:#?}");
    let summary = fs::read_to_string(first.join("summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let counted = |name: &str| summary["result"][name].as_u64().expect(name) as usize;
    assert_eq!(points_to.len(), counted("var_points_to"), "no two things have one name");
    assert_eq!(lines(&first.join("derived/FieldPointsTo.csv")).len(), counted("heap_points_to"));
}

#[test]
fn names_that_would_break_a_row() {
    let scratch = Scratch::new();
    let path = scratch.write("a.jar", &jar(&[("a/B.class", &class("a/B\t\\", &[("main", b"\xB1")]))]));
    let out = scratch.path().join("out");
    emit(&path, &out, &["--jdk", "none", "--entry", "main()V"]);
    assert_eq!(lines(&out.join("derived/Reachable.csv")), ["<jvm>\t[]", "a/B\\t\\\\.main()V\t[]"]);
}

#[test]
fn tables_need_a_directory() {
    let told = run(&["analyze", DEMO, "--jdk", "none", "--emit", "facts"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    let expected = "heliostat: error: --emit facts writes tables into a directory; name one with -o DIR\n";
    assert_eq!(told.stderr, expected);
}
