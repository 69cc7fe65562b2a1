//! `--entry public`: libraries.

use std::fs;

use crate::support::{Scratch, compile, run};

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
        "a/Shape.draw()V\topen\tpublic\n",
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
