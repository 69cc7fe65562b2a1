//! Expectations about the analysis that do not hold, or that hold of nothing, are told.

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

#[test]
fn mistakes_are_told() {
    let jdk = Jdk::find().expect("a JDK");
    let page = Page::parse(PAGE).expect("a page");
    let [section] = page.sections.as_slice() else { panic!("{page:?}") };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    let mut compiled = compile::compile(&jdk.home, &cache, &[section]).expect("javac");
    let classes = compiled.pop().expect("a section").expect("a program");
    let setting = Setting { library: jdk.library, stage: Stage::new([&classes]) };
    let failures = check(section, &classes, &setting).expect_err("mistakes");
    let told: Vec<String> = failures.iter().map(ToString::to_string).collect();
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
