//! `heliostat compare`: what a run did that an analysis does not have.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use serde_json::Value;

use crate::support::{Scratch, compile, jdk_home, run};

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
    let scratch = Scratch::new();
    let Some(classes) = compile(&scratch, REFLECTIVE) else { return };
    let Some(jdk) = jdk_home() else { return };
    let java = jdk.join("bin/java");
    let path = |name: &str| scratch.path().join(name).to_str().expect("UTF-8").to_owned();
    let (trace, without, with) = (path("trace"), path("without"), path("with"));
    let java = java.to_str().expect("UTF-8");
    let traced = run(&["trace", "-o", &trace, "--", java, "-cp", &classes, "app.Main", "app.Plugin"]);
    assert_eq!(traced.code, Some(0), "{}", traced.stderr);
    let log = format!("{trace}/reflection.log");
    assert_eq!(run(&["analyze", &classes, "-o", &without]).code, Some(0));
    let logged = run(&["analyze", &classes, "--reflection-log", &log, "-o", &with]);
    assert_eq!(logged.code, Some(0), "{}", logged.stderr);

    let told = run(&["compare", &without, &trace]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    for expected in [
        "app/Main.main([Ljava/lang/String;)V @",
        "-> app/Plugin.run()V  (interface; no edge there)",
        "Constructor.newInstance                           1          1  100.00 %",
    ] {
        assert!(told.stdout.contains(expected), "{expected}: {}", told.stdout);
    }

    let file = path("found.json");
    let told = run(&["compare", &with, &trace, "--format", "json", "-o", &file]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert_eq!(fs::read_to_string(&file).expect("a file"), told.stdout);
    let found: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert_eq!(found["edges"][0]["what"], "app_to_app");
    assert_eq!(found["edges"][0]["missed"], 0, "{}", told.stdout);
    assert_eq!(found["reflection"][0]["missed"], 0, "{}", told.stdout);
    assert_eq!(found["other_classes"].as_array().map(Vec::len), Some(0));
}

#[test]
fn what_cannot_be_read_is_told() {
    let scratch = Scratch::new();
    let nowhere = scratch.path().join("nowhere").to_str().expect("UTF-8").to_owned();
    let told = run(&["compare", &nowhere, &nowhere]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("`heliostat analyze -o DIR` writes it"), "{}", told.stderr);
}
