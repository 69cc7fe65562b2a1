//! Every method of the reflection API with everything that it may be about: what `metadata` and `keep` make of what analyses find.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use heliostat_core::analysis::{How, Place, ReflectiveTarget, Target};
use heliostat_core::metadata::{Scope, keep, metadata};
use heliostat_core::trace::Api;
use heliostat_core::{Analysis, AnalysisSettings, JdkChoice, Opened, Settings, analyse, open};
use serde_json::{Value, json};

use crate::schema::metadata_errors;
use crate::support::DEMO;

/// The sample program, with an analysis that has found just these targets.
fn analysed(reflective: Vec<ReflectiveTarget>) -> (Opened, Analysis) {
    let settings = Settings { inputs: vec![DEMO.into()], jdk: JdkChoice::None, ..Settings::default() };
    let mut opened = open(&settings).expect("the sample program");
    let analysis = analyse(&mut opened, &AnalysisSettings::default(), &mut |_| ());
    let mut analysis = analysis.expect("the sample program has a main method");
    analysis.reflective = reflective;
    (opened, analysis)
}

fn target(api: &'static str, target: Target) -> ReflectiveTarget {
    let method = "demo/Main.main([Ljava/lang/String;)V".to_owned();
    let place = Place { method, offset: 0, line: Some(7), source_file: Some("Main.java".to_owned()) };
    ReflectiveTarget { place, api, target, how: How::Log, because: vec!["\"a string\"".to_owned()] }
}

fn class(class: &str) -> Target {
    Target::Class { class: class.to_owned() }
}

fn method(class: &str, name: &str, descriptor: &str) -> Target {
    let [class, name, descriptor] = [class, name, descriptor].map(str::to_owned);
    Target::Method { class, name, descriptor }
}

fn field(class: &str, name: &str, descriptor: &str) -> Target {
    let [class, name, descriptor] = [class, name, descriptor].map(str::to_owned);
    Target::Field { class, name, descriptor }
}

/// One of each kind, with names that need care.
fn targets() -> Vec<Target> {
    vec![
        class("demo/Main"),
        class("demo/Outer$Inner"),
        class("[[Ldemo/Main;"),
        class("[I"),
        class("odd;/name"),
        method("demo/Main", "<init>", "([[ILdemo/Main;)V"),
        method("demo/Main", "odd.name", "()V"),
        field("demo/Main", "x", "[J"),
        Target::Members { class: "demo/Main".to_owned() },
        Target::Proxy { interfaces: vec!["java/lang/Runnable".to_owned(), "demo/Main".to_owned()] },
        Target::Resource { path: "a/b*/c.txt".to_owned() },
        Target::Resource { path: "a//b/".to_owned() },
        Target::Resource { path: String::new() },
        Target::Bundle { name: "demo.Messages".to_owned() },
    ]
}

#[test]
fn whatever_is_found_can_be_written() {
    let apis = Api::ALL.map(Api::name).into_iter().chain([
        "Unsafe.allocateInstance",
        "JNI.FindClass",
        "Context.lookup",
    ]);
    let all = apis.flat_map(|api| targets().into_iter().map(move |about| target(api, about))).collect();
    let (opened, analysis) = analysed(all);
    for scope in [Scope::Inputs, Scope::Program, Scope::All] {
        let found = metadata(&opened, &analysis, scope);
        let file = heliostat_report::metadata::document(&found, true);
        assert_eq!(metadata_errors(&file), Vec::<String>::new(), "{scope:?}");
        let entries =
            ["reflection", "resources"].into_iter().flat_map(|key| file[key].as_array().expect("a list"));
        for entry in entries {
            assert_eq!(entry["condition"]["typeReached"], "demo.Main", "{entry}");
            assert!(entry["reason"].is_array(), "many calls need it: {entry}");
        }
        let globs: Vec<&Value> =
            file["resources"].as_array().expect("a list").iter().map(|entry| &entry["glob"]).collect();
        assert_eq!(globs, [&json!("a/b"), &json!("a/b\\*/c.txt"), &Value::Null]);
    }
    let mut text = Vec::new();
    heliostat_report::keep::write(&keep(&opened, &analysis), true, &mut text).expect("a write to memory");
    let text = String::from_utf8(text).expect("UTF-8");
    let rules: Vec<&str> = text.lines().filter(|line| line.starts_with('-')).collect();
    assert_eq!(rules, ["-keep class demo.Main {"], "one block for the one class of the inputs: {text}");
    assert!(text.contains("    <init>(int[][], demo.Main);\n    long[] x;\n"), "{text}");
}

/// The entry that a target gives, without reason and condition.
fn entry(api: &'static str, about: Target) -> Value {
    let (opened, analysis) = analysed(vec![target(api, about)]);
    let file = heliostat_report::metadata::document(&metadata(&opened, &analysis, Scope::Inputs), true);
    let mut entries =
        ["reflection", "resources"].into_iter().flat_map(|key| file[key].as_array().expect("a list"));
    let mut entry = entries.next().expect("an entry").clone();
    let object = entry.as_object_mut().expect("an object");
    object.shift_remove("condition");
    let reason = object.shift_remove("reason").expect("a reason");
    let reason = reason.as_str().expect("one reason");
    assert!(
        reason.starts_with("demo.Main.main(Main.java:7) calls ") && reason.ends_with(" (log: \"a string\")"),
        "{reason}"
    );
    entry
}

#[test]
fn what_each_call_needs() {
    let main = || class("demo/Main");
    for (api, about, expected) in [
        ("Class.forName", main(), json!({"type": "demo.Main"})),
        ("ClassLoader.loadClass", class("demo/Gone$Inner"), json!({"type": "demo.Gone$Inner"})),
        ("Array.newInstance", class("[Ldemo/Main;"), json!({"type": "demo.Main[]"})),
        ("ObjectInputStream.readObject", main(), json!({"type": "demo.Main", "serializable": true})),
        ("Unsafe.allocateInstance", main(), json!({"type": "demo.Main", "unsafeAllocated": true})),
        ("JNI.FindClass", main(), json!({"type": "demo.Main", "jniAccessible": true})),
        ("Field.get*", field("demo/Main", "x", "I"), json!({"type": "demo.Main", "fields": [{"name": "x"}]})),
        (
            "Lookup.find*",
            method("demo/Main", "go", "(Z[D)V"),
            json!({"type": "demo.Main", "methods": [{"name": "go", "parameterTypes": ["boolean", "double[]"]}]}),
        ),
        (
            "Proxy.newProxyInstance",
            Target::Proxy { interfaces: vec!["java/lang/Runnable".to_owned(), "demo/I".to_owned()] },
            json!({"type": {"proxy": ["java.lang.Runnable", "demo.I"]}}),
        ),
        ("getResource*", Target::Resource { path: "a/b.txt".to_owned() }, json!({"glob": "a/b.txt"})),
        ("ResourceBundle.getBundle", Target::Bundle { name: "a.B".to_owned() }, json!({"bundle": "a.B"})),
    ] {
        assert_eq!(entry(api, about), expected, "{api}");
    }
}
