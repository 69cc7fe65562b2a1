//! `heliostat keep`.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use crate::reflective::Reflective;
use crate::support::{DEMO, has_jdk, run};

const RULES: &str = "\
# What reflective calls use, as `heliostat keep` found it.

# app.Main$1.go(Main.java:13) calls Class.forName (log)
-keep class app.One

# app.Main.main(Main.java:5) calls Class.forName (log)
# app.Main.main(Main.java:6) calls Constructor.newInstance of <init>(int) (log)
# app.Main.main(Main.java:7) calls Method.invoke of run(java.lang.String[]) (log)
# app.Main.main(Main.java:9) calls Field.get* of x (log)
# app.Main.main(Main.java:9) calls Field.set* of x (log)
-keep class app.Plugin {
    <init>(int);
    void run(java.lang.String[]);
    int x;
}

# lib.Loader.make(Loader.java:4) calls Class.forName (log)
# lib.Loader.make(Loader.java:5) calls Class.newInstance of <init>() (log)
-keep class app.Plugin$Nested {
    <init>();
}

# lib.Everywhere.find(Everywhere.java:4) calls Class.forName (log)
-keep class app.Two
";

#[test]
fn a_block_for_each_class_of_the_inputs() {
    let Some(program) = Reflective::new() else { return };
    let told = program.run("keep", &[]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), RULES), "{}", told.stderr);
}

#[test]
fn members_alone_where_nothing_finds_the_class() {
    let Some(mut program) = Reflective::new() else { return };
    let log = fs::read_to_string(&program.log).expect("a log");
    let members: Vec<&str> = log.lines().filter(|line| !line.starts_with("Class.forName;")).collect();
    program.log = program.scratch.write("members.log", members.join("\n").as_bytes());
    let told = program.run("keep", &[]);
    let rules: Vec<&str> = told.stdout.lines().filter(|line| line.starts_with('-')).collect();
    assert_eq!(
        rules,
        ["-keepclassmembers class app.Plugin {", "-keepclassmembers class app.Plugin$Nested {"]
    );
}

#[test]
fn a_file_is_checked() {
    let Some(program) = Reflective::new() else { return };
    let rules = program.scratch.write("a.pro", RULES.as_bytes());
    let same = program.run("keep", &["--check", &rules]);
    assert_eq!((same.code, same.stdout.as_str()), (Some(0), ""), "{}", same.stderr);
    let old = RULES.replace("    int x;\n", "    long y;\n").replace("app.Two", "app.Gone");
    let old = program.scratch.write("old.pro", format!("-dontwarn lib.**\n{old}").as_bytes());
    let told = program.run("keep", &["--check", &old]);
    assert_eq!(told.code, Some(1), "{}", told.stderr);
    let expected = format!(
        "{old} is stale: 1 entry missing, 1 entry different, 1 entry not found any more\n\
         - -keep class app.Gone\n\
         \u{20} -keep class app.Plugin\n\
         +   int x\n\
         -   long y\n\
         + -keep class app.Two\n\
         (+ is missing from the file, - is not found any more)\n"
    );
    assert_eq!(told.stdout, expected);
    assert_eq!(program.run("keep", &["--check", "nowhere.pro"]).code, Some(2));
}

#[test]
fn a_file_is_written_where_r8_looks() {
    let Some(program) = Reflective::new() else { return };
    let out = program.scratch.path().join("out");
    let told = program.run("keep", &["-o", out.to_str().expect("UTF-8"), "--artifact", "com.acme:it"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), ""), "{}", told.stderr);
    assert_eq!(fs::read_to_string(out.join("META-INF/proguard/com.acme.it.pro")).expect("a file"), RULES);
}

#[test]
fn half_an_analysis_says_so() {
    if !has_jdk() {
        return;
    }
    let told = run(&["keep", DEMO, "--time-limit", "0"]);
    assert_eq!(told.code, Some(3), "{}", told.stderr);
    assert!(told.stdout.ends_with("# incomplete: the analysis was ended early\n"), "{}", told.stdout);
}
