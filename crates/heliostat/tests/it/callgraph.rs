//! `heliostat callgraph`.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::{Scratch, class, compile, jar, run};

#[test]
fn names_that_need_quotes() {
    let scratch = Scratch::new();
    let path = scratch.write("a.jar", &jar(&[("a/B.class", &class("a/B\"\\\t", &[("main", b"\xB1")]))]));
    let of = |format: &str| {
        let told = run(&["callgraph", &path, "--jdk", "none", "--entry", "main()V", "--format", format]);
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        told.stdout
    };
    assert_eq!(of("tsv"), "caller\toffset\tline\tcallee\tkind\n");
    let json: Value = serde_json::from_str(&of("json")).expect("JSON");
    assert_eq!(json["methods"], serde_json::json!(["a/B\"\\\t.main()V"]));
    assert_eq!(json["edges"], serde_json::json!([]));
    assert!(of("dot").contains("  m0 [label=\"a/B\\\"\\\\\t\\nmain()V\"];\n"), "{}", of("dot"));
}

#[test]
fn the_three_formats_agree() {
    let scratch = Scratch::new();
    let source = "public class A {\n  public static void main(String[] x) {\n    b();\n    b(); c(); }\n  static void b() { c(); }\n  static void c() {}\n}\n";
    let Some(classes) = crate::support::compile(&scratch, &[("A.java", source)]) else { return };
    let of = |format: &str| run(&["callgraph", &classes, "--jdk", "none", "--format", format]).stdout;
    let expected = "caller\toffset\tline\tcallee\tkind\n\
                    A.b()V\t0\t5\tA.c()V\tstatic\n\
                    A.main([Ljava/lang/String;)V\t0\t3\tA.b()V\tstatic\n\
                    A.main([Ljava/lang/String;)V\t3\t4\tA.b()V\tstatic\n\
                    A.main([Ljava/lang/String;)V\t6\t4\tA.c()V\tstatic\n";
    assert_eq!(of("tsv"), expected);
    let json: Value = serde_json::from_str(&of("json")).expect("JSON");
    assert_eq!(json["complete"], true);
    let edges = json["edges"].as_array().expect("a list").iter().map(|edge| {
        let text = |name: &str| edge[name].as_str().expect("a text").to_owned();
        [text("caller"), edge["offset"].to_string(), edge["line"].to_string(), text("callee"), text("kind")]
            .join("\t")
    });
    assert_eq!(edges.collect::<Vec<_>>(), expected.lines().skip(1).collect::<Vec<_>>());
    let dot = of("dot");
    assert!(dot.starts_with("digraph callgraph {\n") && dot.ends_with("}\n"), "{dot}");
    let arrows: Vec<_> = dot.lines().filter(|line| line.contains("->")).collect();
    let expected = [
        "  m0 -> m1 [label=\"static\"];",
        "  m2 -> m0 [label=\"static\"];",
        "  m2 -> m1 [label=\"static\"];",
    ];
    assert_eq!(arrows, expected);
    let out = scratch.path().join("out");
    let told =
        run(&["callgraph", &classes, "--jdk", "none", "--format", "dot", "-o", out.to_str().expect("UTF-8")]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(out.join("callgraph.dot")).expect("a file"), dot);
    assert!(out.join("summary.json").exists());
}

/// A call graph with few contexts lies between those with all and without.
#[test]
fn contexts_can_be_bounded() {
    let scratch = Scratch::new();
    let source = "package app;
interface Shape { void draw(); }
class Circle implements Shape { public void draw() {} }
class Square implements Shape { public void draw() {} }
class Star implements Shape { public void draw() {} }
class Main {
    static Shape same(Shape s) { return s; }
    public static void main(String[] args) {
        same(new Circle()).draw();
        same(new Square()).draw();
        same(new Star()).draw();
    }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    let rows = |more: &[&str]| {
        let told = run(&[&["callgraph", &classes, "--jdk", "none", "-q"], more].concat());
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        told.stdout.lines().filter(|row| row.contains(".draw(")).map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let (none, all) = (rows(&["--context", "insens"]), rows(&["--context", "1call"]));
    let at_most = |most: &str| rows(&["--context", "1call", "--most-contexts", most]);
    assert_eq!((none.len(), all.len()), (9, 3));
    assert_eq!((at_most("0"), at_most("3")), (none.clone(), all.clone()));
    let one = at_most("1");
    assert!(one.len() > all.len() && one.len() < none.len(), "{one:?}");
    assert!(all.is_subset(&one) && one.is_subset(&none), "{one:?}");
}

/// Receivers beyond the bound share a context, and an edge.
#[test]
fn contexts_of_receivers_can_be_bounded() {
    let scratch = Scratch::new();
    let source = "package app;
class Box { Object kept; Object swap(Object o) { Object old = kept; kept = o; return old; } }
class Main {
    public static void main(String[] args) {
        for (Box box : new Box[] { new Box(), new Box(), new Box(), new Box() }) box.swap(args);
    }
}
";
    let Some(classes) = compile(&scratch, &[("app/Main.java", source)]) else { return };
    let summary = |more: &[&str]| {
        let objects = ["analyze", &classes, "--jdk", "none", "--context", "1obj", "--format", "json"];
        let told = run(&[&objects[..], more].concat());
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        let json: serde_json::Value = serde_json::from_str(&told.stdout).expect("JSON");
        ["call_edges", "merged_methods"].map(|name| json["result"][name].as_u64().expect("a number"))
    };
    let [edges, merged] = summary(&[]);
    assert_eq!(merged, 0);
    // `swap`: the constructor says nothing that contexts could tell apart.
    assert_eq!(summary(&["--most-contexts", "1"]), [edges, 1]);
}
