//! Expectations about the analysis that do not hold, or that hold of nothing, are told.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;

use heliostat_mdtest::{Jdk, Page, Setting, Stage, check, compile};

/// Every comment of it is wrong.
const PAGE: &str = "\
# Mistakes

## Wrong
```java context=insens,1obj
class A {
    void run() {}

    void idle() { // reachable
        run(); // calls: A.run
    }
}

class Main {
    public static void main(String[] args) {
        A a = new A(); // object: a // initialises: A // mono // poly run
        a.run(); // calls: nothing // calls: A.idle // calls idle: A.run // points-to: b // object: c // may-fail
        Object o = (Object) args; // points-to: nothing // safe // catches: nothing
        try {
            ask(a); // thrown: any java/lang/Error // points-to[1obj]: nothing // unreachable
        } catch (RuntimeException e) { // catches: any java/lang/RuntimeException
            ask(e);
        }
    }

    static native void ask(Object o); // callers: A.run // contexts: 3 // gap: unresolved // points-to p: a

    static void unread(Object o) {} // points-to o: a // thrown: nothing
}
```
";

/// A program with a log of one entry.
const LOGGED: &str = "\
# Mistakes

## Wrong
```java
class Main {
    public static void main(String[] args) throws Exception { // reachable
        Class.forName(args[0]); // label: here
    }
}
```
```log
ENTRY
```
";

/// What is said of the only section of a page.
fn told(page: &str, cache: &str) -> Vec<String> {
    let jdk = Jdk::find().expect("a JDK");
    let page = Page::parse(page).expect("a page");
    let [section] = page.sections.as_slice() else { panic!("{page:?}") };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(cache);
    let mut compiled = compile::compile(&jdk.home, &cache, &[section]).expect("javac");
    let classes = compiled.pop().expect("a section").expect("a program");
    let setting = Setting { library: jdk.library, stage: Stage::new([&classes]) };
    let failures = check(section, &classes, &setting).expect_err("mistakes");
    failures.iter().map(ToString::to_string).collect()
}

#[test]
fn entries_that_mean_nothing_are_told() {
    for (entry, wrong) in [
        ("Class.forName;Main;Main.main;there;;", "3: line 1 of the log: `there` is no line number"),
        (
            "Class.forName;Other;Main.main;here;;",
            "3: the program does not have all names of the log: 1 unknown",
        ),
        (
            "Class.fromName;Main;Main.main;here;;",
            "3: the log has entries of the kind Class.fromName, which is none",
        ),
    ] {
        assert_eq!(told(&LOGGED.replace("ENTRY", entry), "mistakes-in-logs"), [wrong]);
    }
}

#[test]
fn mistakes_are_told() {
    let told = told(PAGE, "mistakes");
    for (line, code) in (1..).zip(PAGE.lines()) {
        let comments = code.split("// ").skip(1).filter(|comment| comment.trim() != "object: a");
        for comment in comments.map(str::trim) {
            for context in ["insens", "1obj"] {
                let expected = format!("{line}: [{context}] expected {comment}\n");
                let is_told = told.iter().any(|failure| failure.starts_with(&expected));
                assert!(is_told || comment.contains("[1obj]") && context == "insens", "{expected}{told:#?}");
            }
        }
    }
}
