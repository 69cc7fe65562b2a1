//! `--entry public`: libraries.

use std::fs;

use crate::support::{Scratch, class, class_below, compile, jar, run};

/// A library whose users see little of what they call.
const LIBRARY: &[(&str, &str)] = &[
    (
        "a/Api.java",
        "package a;
class Hidden {
    static { Marks.initialised(); }
    public static void tool() { Marks.tool(); }
    public void inherited() { Marks.inherited(); }
    protected void guarded() { Marks.guarded(); }
    void own() { Marks.own(); }
}
interface Mixin { default void mixed() { Marks.mixed(); } static void apart() { Marks.apart(); } }
public class Api extends Hidden implements Mixin {
    public static void all(Shape[] shapes) { for (Shape shape : shapes) shape.draw(); }
    public static void any(Object o) { if (o instanceof Shape) ((Shape) o).draw(); }
}
class Circle implements Shape {
    private final Pen pen;
    private Circle(Pen pen) { this.pen = pen; }
    public void draw() { pen.ink(); }
    void secret() { Marks.secret(); }
}
class Pen { void ink() { Marks.ink(); } }
class Marks {
    static void initialised() {}
    static void tool() {}
    static void inherited() {}
    static void guarded() {}
    static void own() {}
    static void mixed() {}
    static void apart() {}
    static void secret() {}
    static void ink() {}
    static void twice() {}
    static void before() {}
}
",
    ),
    (
        "a/Shape.java",
        "package a;
public interface Shape { void draw(); default void twice() { Marks.twice(); } }
",
    ),
    (
        "a/Frame.java",
        "package a;
public abstract class Frame { public void run() { Marks.before(); step(); } protected abstract void step(); }
",
    ),
];

#[test]
fn hidden_classes_are_entered_through_public_ones() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, LIBRARY) else { return };
    let out = scratch.path().join("out");
    let told =
        run(&["analyze", &classes, "--jdk", "none", "--entry", "public", "-o", out.to_str().expect("UTF-8")]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let remark = "\n  2 of them are abstract: users supply the code, or types below\n";
    assert!(told.stdout.contains(remark), "{}", told.stdout);
    let read = |name: &str| fs::read_to_string(out.join(name)).expect(name);
    let methods = read("methods.txt");
    let marked = |name: &str| methods.contains(&format!("a/Marks.{name}()V\n"));
    for name in ["initialised", "tool", "inherited", "guarded", "mixed", "twice", "before"] {
        assert!(marked(name), "{name}: {methods}");
    }
    for name in ["own", "apart", "secret"] {
        assert!(!marked(name), "{name}: {methods}");
    }
    assert!(marked("ink"), "what a hidden constructor stores is there: {methods}");
    let entries = read("entries.tsv");
    for row in [
        "a/Hidden.tool()V\topen\tpublic\n",
        "a/Shape.draw()V\topen\tpublic, abstract: users supply the code, or types below\n",
        "a/Shape.twice()V\topen\tpublic\n",
        "a/Frame.step()V\topen\tpublic, abstract: users supply the code, or types below\n",
        "a/Circle.draw()V\topen\timplements or overrides a/Shape.draw()V\n",
        "a/Circle.<init>(La/Pen;)V\tmade\tmakes objects that entry points are given\n",
    ] {
        assert!(entries.contains(row), "{row}: {entries}");
    }
    let graph = read("callgraph.tsv");
    for caller in ["all([La/Shape;)V", "any(Ljava/lang/Object;)V"] {
        let row =
            |row: &str| row.starts_with(&format!("a/Api.{caller}\t")) && row.contains("\ta/Circle.draw()V\t");
        assert!(graph.lines().any(row), "{caller}: {graph}");
    }
}

#[test]
fn what_is_beyond_the_bound_is_told() {
    let scratch = Scratch::new();
    let hidden: Vec<String> =
        (0..131).map(|i| format!("class C{i} implements Shape {{ public void draw() {{}} }}\n")).collect();
    let hidden = hidden.concat();
    let source = format!("package a;\npublic interface Shape {{ void draw(); }}\n{hidden}");
    let Some(classes) = compile(&scratch, &[("a/Shape.java", &source)]) else { return };
    let out = scratch.path().join("out");
    let told =
        run(&["analyze", &classes, "--jdk", "none", "--entry", "public", "-o", out.to_str().expect("UTF-8")]);
    let expected = "Types of parameters, by types that fit and were not tried (1)\n  3  a/Shape\n";
    assert!(told.stdout.contains(expected), "{}", told.stdout);
    let gaps = fs::read_to_string(out.join("gaps.tsv")).expect("a list");
    assert!(gaps.ends_with("bounded\ta/Shape\t\t\t3\t\n"), "{gaps}");
    let graph = run(&["callgraph", &classes, "--jdk", "none", "--entry", "public"]);
    assert!(graph.stderr.contains("1 type of which not all that fit were tried"), "{}", graph.stderr);
}

#[test]
fn interfaces_without_an_implementation() {
    let scratch = Scratch::new();
    let source = "package a;\npublic interface Shape { void draw(); }\n";
    let Some(classes) = compile(&scratch, &[("a/Shape.java", source)]) else { return };
    let told = run(&["analyze", &classes, "--jdk", "none", "--entry", "public"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{}", told.stderr);
    assert!(
        told.stderr.contains("no public type of the inputs has a public or protected method"),
        "{}",
        told.stderr
    );
}

#[test]
fn for_an_object_other_types_are_tried_too_and_the_rest_is_counted() {
    let scratch = Scratch::new();
    let source = "package a;\npublic class Api { public static void any(Object o) {} }\n";
    let Some(classes) = compile(&scratch, &[("a/Api.java", source)]) else { return };
    let initialised = |name: &str| class(name, &[("<clinit>", b"\xB1")]);
    let mut others: Vec<(String, Vec<u8>)> =
        (10..50).map(|i| (format!("b/C{i}.class"), initialised(&format!("b/C{i}")))).collect();
    others.push(("java/util/TreeMap.class".to_owned(), initialised("java/util/TreeMap")));
    let others: Vec<(&str, &[u8])> = others.iter().map(|(name, bytes)| (name.as_str(), &**bytes)).collect();
    let library = scratch.write("lib.jar", &jar(&others));
    let out = scratch.path().join("out");
    let path = out.to_str().expect("UTF-8");
    let told =
        run(&["analyze", &classes, "--cp", &library, "--jdk", "none", "--entry", "public", "-o", path]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let read = |name: &str| fs::read_to_string(out.join(name)).expect(name);
    let (gaps, entries) = (read("gaps.tsv"), read("entries.tsv"));
    assert!(gaps.ends_with("bounded\tjava/lang/Object\t\t\t9\t\n"), "{gaps}");
    let tried = |start: &str| entries.lines().filter(|row| row.starts_with(start)).count();
    assert_eq!((tried("java/util/TreeMap.<clinit>"), tried("b/C")), (1, 31), "{entries}");
}

#[test]
fn who_initialises_a_class_outside_the_inputs() {
    let scratch = Scratch::new();
    let base = class("b/Base", &[("<clinit>", b"\xB1")]);
    let main = class_below("b/Base", "a/Main", &[("start", b"\xB1")], &[]);
    let library = scratch.write("lib.jar", &jar(&[("b/Base.class", &base)]));
    let input = scratch.write("a.jar", &jar(&[("a/Main.class", &main)]));
    let out = scratch.path().join("out");
    let asked = ["analyze", &input, "--cp", &library, "--jdk", "none", "--entry", "a.Main.start"];
    let told = run(&[&asked[..], &["-o", out.to_str().expect("UTF-8")]].concat());
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let entries = fs::read_to_string(out.join("entries.tsv")).expect("a list");
    let row = "b/Base.<clinit>()V\tmade\tits class is initialised for an entry point\n";
    assert!(entries.contains(row), "{entries}");
}

#[test]
fn where_a_program_is_entered_does_not_depend_on_contexts() {
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, LIBRARY) else { return };
    let entries = |context: &str| {
        let out = scratch.path().join(context);
        let path = out.to_str().expect("UTF-8");
        let asked = ["analyze", &classes, "--jdk", "none", "--entry", "public", "--context", context];
        assert_eq!(run(&[&asked[..], &["-o", path]].concat()).code, Some(0));
        fs::read_to_string(out.join("entries.tsv")).expect("a list")
    };
    assert_eq!(entries("insens"), entries("2obj"));
}
