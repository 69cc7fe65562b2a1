//! Whether the call edges of a program are within those of class-hierarchy analysis.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use heliostat_core::program::{MethodId, Program};
use heliostat_core::pta::facts::EdgeKind;
use heliostat_index::FastMap;
use serde::{Deserialize, Serialize};

use super::called;
use super::edges::{self, Edge};
use super::hierarchy::{Hierarchy, Way, World};
use crate::bench::sample::Findings;

/// What [`Checked::apart`] calls the edges from methods whose body is a model.
pub(super) const MODEL: &str = "model";

/// What came out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Checked {
    /// Edges of call instructions that were looked at, by kind.
    pub(super) at_calls: BTreeMap<String, u64>,
    /// Of these, what only a lambda's class gives, and only a class that may be below the declared one.
    pub(super) by_lambda: u64,
    pub(super) by_missing: u64,
    /// Edges without a call instruction, by kind: class-hierarchy analysis says nothing of them.
    pub(super) apart: BTreeMap<String, u64>,
    /// Of the edges that were looked at, those that are not within.
    pub(super) outside: Findings,
}

/// Looks at all edges of a call graph. `reached` is its list of methods, `modelled` the methods whose body is a model.
pub(super) fn check(
    program: &mut Program,
    world: World,
    reached: &str,
    graph: &str,
    modelled: &BTreeSet<String>,
) -> Result<Checked> {
    let mut methods = FastMap::default();
    for name in reached.lines().map(edges::name) {
        let method = called::method(program, &name);
        if let Some(method) = method {
            program.link(program.methods()[method].class);
        }
        methods.insert(name.into_owned(), method);
    }
    let mut judge = Judge { hierarchy: Hierarchy::new(program, world), program, methods, modelled };
    let mut checked = Checked::default();
    for edge in edges::read(graph)? {
        checked.add(&edge, judge.of(&edge));
    }
    Ok(checked)
}

/// What is known of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It has no call instruction; it counts under this word.
    Apart(&'static str),
    Within(Way),
    /// It is not, for this reason.
    Outside(&'static str),
}

impl Checked {
    fn add(&mut self, edge: &Edge<'_>, verdict: Verdict) {
        let kind = edge.kind.name();
        let count = match verdict {
            Verdict::Apart(word) => self.apart.entry(word.to_owned()),
            Verdict::Within(_) | Verdict::Outside(_) => self.at_calls.entry(kind.to_owned()),
        };
        *count.or_default() += 1;
        match verdict {
            Verdict::Within(Way::Lambda) => self.by_lambda += 1,
            Verdict::Within(Way::Missing) => self.by_missing += 1,
            Verdict::Outside(why) => {
                let Edge { caller, offset, callee, .. } = edge;
                self.outside.add(|| format!("{caller} {offset} {callee} {kind}: {why}"));
            }
            Verdict::Apart(_) | Verdict::Within(Way::Class) => {}
        }
    }
}

struct Judge<'a> {
    program: &'a Program,
    hierarchy: Hierarchy<'a>,
    methods: FastMap<String, Option<MethodId>>,
    modelled: &'a BTreeSet<String>,
}

impl Judge<'_> {
    fn of(&mut self, edge: &Edge<'_>) -> Verdict {
        match edge.kind {
            EdgeKind::Static | EdgeKind::Special | EdgeKind::Virtual | EdgeKind::Interface => {}
            other => return Verdict::Apart(other.name()),
        }
        if self.modelled.contains(&*edge.caller) {
            return Verdict::Apart(MODEL);
        }
        let method = |name: &str| self.methods.get(name).copied().flatten();
        let (Some(caller), Some(callee)) = (method(&edge.caller), method(&edge.callee)) else {
            return Verdict::Outside("no such methods are reached");
        };
        match called::instruction(self.program, caller, edge.offset) {
            Some((kind, reference)) if kind == edge.kind => {
                let from = self.program.methods()[caller].class;
                let way = self.hierarchy.way(kind, reference, from, callee);
                way.map_or(Verdict::Outside("the class hierarchy has no such callee"), Verdict::Within)
            }
            Some(_) => Verdict::Outside("the call there is of another kind"),
            None => Verdict::Outside("no call is there"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::fs;
    use std::process::Command;

    use heliostat_core::{JdkChoice, Settings, open};

    use super::*;
    use crate::bench::subjects::find_jdk;

    const SOURCE: &str = "
        class A { void f() {} }
        class B extends A { void f() {} }
        abstract class C extends A { void f() {} }
        class D { void f() {} }
        interface I { void run(); default void g() {} }
        class Main {
            static void calls(A a, I i) { a.f(); i.g(); h(); }
            static void h() {}
            static void lambda() { I i = Main::h; }
        }";

    /// The program above, with the JDK behind it.
    fn program() -> Program {
        let folder = std::env::temp_dir().join(format!("xtask-within-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Main.java"), SOURCE).unwrap();
        let jdk = find_jdk(JdkChoice::Auto).unwrap().unwrap();
        let mut javac = Command::new(jdk.home.join("bin/javac"));
        let status = javac.current_dir(&folder).arg("Main.java").status().unwrap();
        assert!(status.success());
        fs::remove_file(folder.join("Main.java")).unwrap();
        let settings = Settings {
            inputs: vec![folder.clone().into_os_string()],
            jdk: JdkChoice::Home(jdk.home),
            ..Settings::default()
        };
        let program = open(&settings).unwrap().program;
        fs::remove_dir_all(&folder).unwrap();
        program
    }

    /// The edges from `Main.calls`: an offset, a callee and a kind each.
    fn checked(program: &mut Program, edges: &[(u32, &str, &str)], modelled: &[&str]) -> Checked {
        let caller = "Main.calls(LA;LI;)V";
        let mut graph = "caller\toffset\tline\tcallee\tkind\n".to_owned();
        let mut reached = format!("{caller}\nMain.lambda()V\n");
        for (offset, callee, kind) in edges {
            _ = writeln!(graph, "{caller}\t{offset}\t\t{callee}\t{kind}");
            _ = writeln!(reached, "{callee}");
        }
        let modelled = modelled.iter().map(ToString::to_string).collect();
        check(program, World::Closed, &reached, &graph, &modelled).unwrap()
    }

    #[test]
    fn edges_are_held_against_the_class_hierarchy() {
        // 0 aload_0, 1 invokevirtual, 4 aload_1, 5 invokeinterface, 10 invokestatic
        let mut program = program();
        let good = [
            (1, "A.f()V", "virtual"),
            (1, "B.f()V", "virtual"),
            (5, "I.g()V", "interface"),
            (10, "Main.h()V", "static"),
            (10, "Main.<clinit>()V", "clinit"),
        ];
        let found = checked(&mut program, &good, &[]);
        assert_eq!(found.outside, Findings::default());
        let counts = |counts: &[(&str, u64)]| counts.iter().map(|&(k, n)| (k.to_owned(), n)).collect();
        assert_eq!(found.at_calls, counts(&[("interface", 1), ("static", 1), ("virtual", 2)]));
        assert_eq!((found.apart, found.by_lambda), (counts(&[("clinit", 1)]), 1));

        let bad = [
            (1, "C.f()V", "virtual"),
            (1, "D.f()V", "virtual"),
            (10, "A.f()V", "static"),
            (1, "A.f()V", "interface"),
            (4, "A.f()V", "virtual"),
            (1, "A.missing()V", "virtual"),
        ];
        let found = checked(&mut program, &bad, &[]);
        assert_eq!(found.outside.count, bad.len() as u64, "{:?}", found.outside);
        assert_eq!(
            found.outside.first[0],
            "Main.calls(LA;LI;)V 1 C.f()V virtual: the class hierarchy has no such callee"
        );
        let found = checked(&mut program, &bad, &["Main.calls(LA;LI;)V"]);
        assert_eq!((found.outside.count, found.apart), (0, counts(&[(MODEL, 6)])));
    }
}
