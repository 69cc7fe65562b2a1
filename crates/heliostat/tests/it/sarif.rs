//! `heliostat reflection --format sarif`: what the schema of SARIF 2.1.0 asks for, and what tools need.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Scratch, compile, json, run};

/// What a value of the format is.
enum Is {
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A number, at least this.
    Number(i64),
    Truth,
    /// Texts under any names.
    Texts,
    /// Anything under any names.
    Anything,
    Object(&'static str),
    List(&'static str),
    /// Objects under any names.
    Objects(&'static str),
}

type Property = (&'static str, Is);

/// The objects of the schema that are written: their names, the properties that they must have, and those that they may have, as far as
/// they are written. The schema allows no other names than it has.
const OBJECTS: &[(&str, &[&str], &[Property])] = &[
    (
        "log",
        &["version", "runs"],
        &[("$schema", Is::Text), ("version", Is::OneOf(&["2.1.0"])), ("runs", Is::List("run"))],
    ),
    (
        "run",
        &["tool", "results"],
        &[
            ("tool", Is::Object("tool")),
            ("automationDetails", Is::Object("runAutomationDetails")),
            ("invocations", Is::List("invocation")),
            ("originalUriBaseIds", Is::Objects("artifactLocation")),
            ("columnKind", Is::OneOf(&["utf16CodeUnits", "unicodeCodePoints"])),
            ("results", Is::List("result")),
        ],
    ),
    ("tool", &["driver"], &[("driver", Is::Object("toolComponent"))]),
    (
        "toolComponent",
        &["name"],
        &[("name", Is::Text), ("semanticVersion", Is::Text), ("rules", Is::List("reportingDescriptor"))],
    ),
    (
        "reportingDescriptor",
        &["id"],
        &[
            ("id", Is::Text),
            ("name", Is::Text),
            ("shortDescription", Is::Object("multiformatMessageString")),
            ("fullDescription", Is::Object("multiformatMessageString")),
            ("help", Is::Object("multiformatMessageString")),
            ("defaultConfiguration", Is::Object("reportingConfiguration")),
        ],
    ),
    ("multiformatMessageString", &["text"], &[("text", Is::Text), ("markdown", Is::Text)]),
    ("reportingConfiguration", &[], &[("level", Is::OneOf(LEVELS))]),
    ("runAutomationDetails", &[], &[("id", Is::Text)]),
    (
        "invocation",
        &["executionSuccessful"],
        &[("executionSuccessful", Is::Truth), ("toolExecutionNotifications", Is::List("notification"))],
    ),
    ("notification", &["message"], &[("level", Is::OneOf(LEVELS)), ("message", Is::Object("message"))]),
    (
        "artifactLocation",
        &[],
        &[("uri", Is::Text), ("uriBaseId", Is::Text), ("description", Is::Object("message"))],
    ),
    ("message", &["text"], &[("text", Is::Text)]),
    (
        "result",
        &["message"],
        &[
            ("ruleId", Is::Text),
            ("ruleIndex", Is::Number(-1)),
            ("level", Is::OneOf(LEVELS)),
            ("message", Is::Object("message")),
            ("locations", Is::List("location")),
            ("partialFingerprints", Is::Texts),
            ("properties", Is::Anything),
        ],
    ),
    (
        "location",
        &[],
        &[
            ("physicalLocation", Is::Object("physicalLocation")),
            ("logicalLocations", Is::List("logicalLocation")),
        ],
    ),
    (
        "physicalLocation",
        &["artifactLocation"],
        &[("artifactLocation", Is::Object("artifactLocation")), ("region", Is::Object("region"))],
    ),
    ("region", &["startLine"], &[("startLine", Is::Number(1))]),
    (
        "logicalLocation",
        &[],
        &[
            ("name", Is::Text),
            ("fullyQualifiedName", Is::Text),
            ("decoratedName", Is::Text),
            ("kind", Is::Text),
        ],
    ),
];

const LEVELS: &[&str] = &["none", "note", "warning", "error"];

/// What is wrong with an object that should be of this name.
fn flaws(name: &str, value: &Value) -> Vec<String> {
    let (_, required, properties) = OBJECTS.iter().find(|object| object.0 == name).expect("an object");
    let Some(object) = value.as_object() else { return vec![format!("{name} is no object: {value}")] };
    let mut flaws: Vec<String> = required
        .iter()
        .filter(|&&property| !object.contains_key(property))
        .map(|property| format!("{name} has no {property}"))
        .collect();
    for (key, value) in object {
        match properties.iter().find(|(property, _)| property == key) {
            Some((_, is)) => {
                flaws.extend(wrong(is, value).into_iter().map(|flaw| format!("{name}.{key}: {flaw}")));
            }
            None => flaws.push(format!("{name} has {key}")),
        }
    }
    flaws
}

/// What is wrong with a value.
fn wrong(is: &Is, value: &Value) -> Vec<String> {
    let told = |good: bool| if good { Vec::new() } else { vec![value.to_string()] };
    let within = |object: &str, values: Option<Vec<&Value>>| match values {
        Some(values) => values.into_iter().flat_map(|value| flaws(object, value)).collect(),
        None => told(false),
    };
    let under_names = value.as_object().map(|object| object.values().collect::<Vec<_>>());
    match *is {
        Is::Text => told(value.is_string()),
        Is::OneOf(texts) => told(value.as_str().is_some_and(|text| texts.contains(&text))),
        Is::Number(least) => told(value.as_i64().is_some_and(|number| number >= least)),
        Is::Truth => told(value.is_boolean()),
        Is::Texts => told(under_names.is_some_and(|values| values.iter().all(|value| value.is_string()))),
        Is::Anything => told(value.is_object()),
        Is::Object(object) => flaws(object, value),
        Is::List(object) => within(object, value.as_array().map(|values| values.iter().collect())),
        Is::Objects(object) => within(object, under_names),
    }
}

const MAIN: &str = "package app;
public class Main {
  public static void main(String[] a) throws Exception {
    Class<?> c = Class.forName(a[0]);
    c = Class.forName(a[1]);
    c.newInstance();
  }
}
";
/// The same, further down.
const MOVED: &str = "package app;
// A comment.
public class Main {
  public static void main(String[] a) throws Exception {

    Class<?> c = Class.forName(a[0]);
    c = Class.forName(a[1]);
    c.newInstance();
  }
}
";

const SITE: &str = "heliostatCallSite/v1";

/// What is written of a source file; nothing if it cannot be compiled for want of a compiler.
fn written(source: &str, more: &[&str]) -> Option<Value> {
    let scratch = Scratch::new();
    let classes = compile(&scratch, &[("app/Main.java", source)])?;
    let log = scratch.write("a.log", b"Class.newInstance;app.Main;app.Main.main;;;\n");
    let options = ["--reflection", "none", "--reflection-log", &log, "--format", "sarif"];
    let told = run(&[&["reflection", &classes], &options[..], more].concat());
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    Some(json(&told))
}

#[test]
fn what_the_schema_asks_for_is_there() {
    for more in [&["--all"][..], &["--only", "resolved"]] {
        let Some(log) = written(MAIN, more) else { return };
        assert_eq!(flaws("log", &log), [""; 0], "{more:?}");
        for result in log["runs"][0]["results"].as_array().expect("a list") {
            let rule = result["ruleIndex"].as_u64().and_then(|index| usize::try_from(index).ok());
            let rule = &log["runs"][0]["tool"]["driver"]["rules"][rule.expect("a number")];
            assert_eq!(
                (&rule["id"], &rule["defaultConfiguration"]["level"]),
                (&result["ruleId"], &result["level"])
            );
        }
    }
}

/// The check itself sees what is wrong.
#[test]
fn what_the_schema_does_not_allow_is_seen() {
    let Some(log) = written(MAIN, &[]) else { return };
    let broken = |pointer: &str, value: Value| {
        let mut log = log.clone();
        *log.pointer_mut(pointer).expect("a value") = value;
        flaws("log", &log).join("; ")
    };
    assert_eq!(broken("/version", "2.0".into()), "log.version: \"2.0\"");
    let region = "/runs/0/results/0/locations/0/physicalLocation/region";
    assert!(broken(region, serde_json::json!({ "startLine": 0 })).ends_with("region.startLine: 0"));
    assert!(broken(region, serde_json::json!({ "line": 1 })).ends_with("has no startLine; log.runs: run.results: result.locations: location.physicalLocation: physicalLocation.region: region has line"));
    assert!(broken("/runs/0/tool", serde_json::json!({})).contains("tool has no driver"));
}

#[test]
fn places_and_levels() {
    let Some(log) = written(MAIN, &["--source-root", "/src/main/java/"]) else { return };
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let expected = [("warning", 4), ("warning", 5), ("note", 6)];
    assert_eq!(results.len(), expected.len(), "{results:#?}");
    for (result, (level, line)) in results.iter().zip(expected) {
        assert_eq!(result["level"], level);
        let location = &result["locations"][0];
        let file = &location["physicalLocation"];
        assert_eq!(file["artifactLocation"]["uri"], "src/main/java/app/Main.java");
        assert_eq!(file["region"]["startLine"], line);
        let method = &location["logicalLocations"][0];
        assert_eq!(method["fullyQualifiedName"], "app.Main.main(java.lang.String[])");
        assert_eq!(method["decoratedName"], "app/Main.main([Ljava/lang/String;)V");
    }
    assert_eq!(results[2]["properties"]["targets"], serde_json::json!(["app.Main.<init>()"]));
}

/// A call keeps its fingerprint when lines move, and no two have the same.
#[test]
fn fingerprints_are_stable() {
    let prints = |source: &str| {
        let log = written(source, &["--all"])?;
        let results = log["runs"][0]["results"].as_array().expect("a list").iter();
        Some(results.map(|result| result["partialFingerprints"][SITE].to_string()).collect::<Vec<_>>())
    };
    let (Some(before), Some(after)) = (prints(MAIN), prints(MOVED)) else { return };
    assert_eq!(before, after);
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), before.len());
}
