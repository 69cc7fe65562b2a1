//! `heliostat metadata`.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use serde_json::{Value, json};

use crate::reflective::Reflective;
use crate::schema::metadata_errors;
use crate::support::{DEMO, Run, class, has_jdk, jar, json, run};

/// What a run has printed, which must be valid.
fn file(told: &Run) -> Value {
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let file = json(told);
    assert_eq!(metadata_errors(&file), Vec::<String>::new(), "{}", told.stdout);
    for entry in ["reflection", "resources"].iter().flat_map(|key| file[key].as_array().expect("a list")) {
        assert!(entry["condition"]["typeReached"].is_string() && !entry["reason"].is_null(), "{entry}");
    }
    file
}

/// Types and conditions of a file.
fn types(file: &Value) -> Vec<(&str, &str)> {
    let entries = file["reflection"].as_array().expect("a list").iter();
    entries
        .map(|entry| {
            let condition = entry["condition"]["typeReached"].as_str().expect("a condition");
            (entry["type"].as_str().expect("a type"), condition)
        })
        .collect()
}

#[test]
fn entries_have_members_conditions_and_reasons() {
    let Some(program) = Reflective::new() else { return };
    let told = program.run("metadata", &[]);
    let found = file(&told);
    let expected = [
        // An anonymous class is a class like any other.
        ("app.One", "app.Main$1"),
        ("app.Plugin", "app.Main"),
        // A call in a library that comes from one class.
        ("app.Plugin$Nested", "app.Helper"),
        ("app.Plugin[]", "app.Main"),
        // A call in a library that comes from many classes.
        ("app.Two", "app.Main"),
        ("java.util.ArrayList", "app.Main"),
    ];
    assert_eq!(types(&found), expected, "{}", told.stdout);
    let plugin = json!({
        "type": "app.Plugin",
        "condition": {"typeReached": "app.Main"},
        "reason": [
            "app.Main.main(Main.java:5) calls Class.forName (log)",
            "app.Main.main(Main.java:6) calls Constructor.newInstance of <init>(int) (log)",
            "app.Main.main(Main.java:7) calls Method.invoke of run(java.lang.String[]) (log)",
            "app.Main.main(Main.java:9) calls Field.get* of x (log)",
            "app.Main.main(Main.java:9) calls Field.set* of x (log)",
        ],
        "fields": [{"name": "x"}],
        "methods": [
            {"name": "<init>", "parameterTypes": ["int"]},
            {"name": "run", "parameterTypes": ["java.lang.String[]"]},
        ],
    });
    assert_eq!(found["reflection"][1], plugin);
    let made = json!([{"name": "<init>", "parameterTypes": []}]);
    assert_eq!(found["reflection"][2]["methods"], made);
    assert_eq!(program.run("metadata", &[]).stdout, told.stdout, "byte for byte");
    let method = "        {\"name\": \"run\", \"parameterTypes\": [\"java.lang.String[]\"]}\n";
    assert!(told.stdout.contains(method), "members are on a line each: {}", told.stdout);
}

#[test]
fn libraries_count_where_they_are_asked_for() {
    let Some(program) = Reflective::new() else { return };
    let of = |scope| file(&program.run("metadata", &["--scope", scope]));
    let has = |file: &Value, name| types(file).iter().any(|&(ty, _)| ty == name);
    let [inputs, whole, all] = ["inputs", "program", "all"].map(of);
    assert!(!has(&inputs, "lib.Loader") && has(&whole, "lib.Loader") && has(&all, "lib.Loader"));
    assert!(types(&whole).len() <= types(&all).len());
}

#[test]
fn without_a_main_class_what_comes_from_everywhere_holds_always() {
    let Some(program) = Reflective::new() else { return };
    let (app, lib, log) = (&program.app, &program.lib, &program.log);
    let found = file(&run(&["metadata", app, "--cp", lib, "--entry", "public", "--reflection-log", log]));
    let entries = types(&found);
    assert!(entries.contains(&("app.Two", "java.lang.Object")), "{entries:?}");
    assert!(entries.contains(&("app.Plugin", "app.Main")), "{entries:?}");
}

#[test]
fn a_file_is_checked() {
    let Some(program) = Reflective::new() else { return };
    let written = program.scratch.write("metadata.json", program.run("metadata", &[]).stdout.as_bytes());
    let same = program.run("metadata", &["--check", &written]);
    assert_eq!((same.code, same.stdout.as_str()), (Some(0), ""), "{}", same.stderr);
    assert!(same.stderr.contains(&format!("heliostat: {written} is up to date\n")), "{}", same.stderr);
    let mut old: Value = serde_json::from_str(&fs::read_to_string(&written).expect("a file")).expect("JSON");
    let entries = old["reflection"].as_array_mut().expect("a list");
    entries.remove(0);
    entries[0]["reason"] = "another".into();
    entries[0]["fields"] = json!([{"name": "gone"}]);
    entries.push(json!({"type": "app.Gone", "allPublicMethods": true}));
    let old = program.scratch.write("old.json", old.to_string().as_bytes());
    let told = program.run("metadata", &["--check", &old]);
    assert_eq!(told.code, Some(1), "{}", told.stderr);
    let expected = format!(
        "{old} is stale: 1 entry missing, 1 entry different, 1 entry not found any more\n\
         - app.Gone\n\
         -   allPublicMethods\n\
         + app.One, once app.Main$1 is reached\n\
         \u{20} app.Plugin, once app.Main is reached\n\
         -   field gone\n\
         +   field x\n\
         (+ is missing from the file, - is not found any more)\n"
    );
    assert_eq!(told.stdout, expected);
}

#[test]
fn what_is_no_metadata_cannot_be_checked_or_merged() {
    let Some(program) = Reflective::new() else { return };
    let broken = program.scratch.write("broken.json", b"{\n  \"reflection\": [\n    {\"type\": }\n  ]\n}\n");
    let other = program.scratch.write("other.json", b"[1, 2]");
    for option in ["--check", "--merge"] {
        let told = program.run("metadata", &[option, &broken]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{option}");
        let expected =
            format!("heliostat: error: {broken}: line 3, column 14: this is no JSON: expected value\n");
        assert_eq!(told.stderr, expected);
        let told = program.run("metadata", &[option, &other]);
        assert_eq!(told.code, Some(2), "{option}");
        let expected =
            format!("heliostat: error: {other}: this is neither a reachability-metadata.json nor ");
        assert!(told.stderr.starts_with(&expected), "{}", told.stderr);
        let told = program.run("metadata", &[option, "nowhere.json"]);
        assert_eq!(told.code, Some(2));
        assert!(told.stderr.starts_with("heliostat: error: cannot read nowhere.json: "), "{}", told.stderr);
    }
}

#[test]
fn entries_of_others_are_kept() {
    let Some(program) = Reflective::new() else { return };
    let by_hand = json!({
        "comment": "by hand",
        "reflection": [
            {"allPublicMethods": true, "type": "app.ByHand"},
            {"type": "app.Plugin", "condition": {"typeReached": "app.Main"}, "methods": [{"name": "unused", "parameterTypes": []}]},
        ],
        "foreign": {"downcalls": []},
    });
    let by_hand = program.scratch.write("by-hand.json", by_hand.to_string().as_bytes());
    let older = json!([{"name": "[Lapp.Old;", "condition": {"typeReachable": "app.Main"}, "methods": [{"name": "any"}]}]);
    let older = program.scratch.write("reflect-config.json", older.to_string().as_bytes());
    let told = program.run("metadata", &["--merge", &by_hand, "--merge", &older]);
    let merged = json(&told);
    assert_eq!(metadata_errors(&merged), Vec::<String>::new(), "{}", told.stdout);
    let names: Vec<&str> = types_of(&merged);
    let expected = [
        "app.ByHand",
        "app.Old[]",
        "app.One",
        "app.Plugin",
        "app.Plugin$Nested",
        "app.Plugin[]",
        "app.Two",
        "java.util.ArrayList",
    ];
    assert_eq!(names, expected);
    assert!(
        told.stdout
            .contains("    {\n      \"allPublicMethods\": true,\n      \"type\": \"app.ByHand\"\n    }"),
        "{}",
        told.stdout
    );
    let methods = merged["reflection"][3]["methods"].as_array().expect("methods");
    assert_eq!(
        methods.iter().filter_map(|method| method["name"].as_str()).collect::<Vec<_>>(),
        ["<init>", "run", "unused"]
    );
    assert_eq!((&merged["comment"], &merged["foreign"]), (&json!("by hand"), &json!({"downcalls": []})));
    let left_out = format!(
        "heliostat: {older}: 1 part cannot be said in reachability-metadata.json, hence not used, as a method"
    );
    assert!(told.stderr.contains(&left_out), "{}", told.stderr);
    // What was merged is up to date with what it was merged from, and not without it.
    let merged = program.scratch.write("merged.json", told.stdout.as_bytes());
    let check = |more: &[&str]| program.run("metadata", &[&["--check", &merged], more].concat()).code;
    assert_eq!(check(&["--merge", &by_hand, "--merge", &older]), Some(0));
    assert_eq!((check(&["--merge", &merged]), check(&[])), (Some(0), Some(1)));
}

fn types_of(file: &Value) -> Vec<&str> {
    file["reflection"].as_array().expect("a list").iter().filter_map(|entry| entry["type"].as_str()).collect()
}

#[test]
fn a_file_is_written_where_native_images_look() {
    let Some(program) = Reflective::new() else { return };
    let printed = program.run("metadata", &[]).stdout;
    let out = program.scratch.path().join("out");
    let out = out.to_str().expect("UTF-8");
    for (more, names) in [(&[][..], "app/app"), (&["--artifact", "com.acme:it"], "com.acme/it")] {
        let told = program.run("metadata", &[&["-o", out], more].concat());
        assert_eq!((told.code, told.stdout.as_str()), (Some(0), ""), "{}", told.stderr);
        let path = format!("{out}/META-INF/native-image/{names}/reachability-metadata.json");
        assert_eq!(fs::read_to_string(&path).expect("a file"), printed);
        assert!(told.stderr.contains(&format!("heliostat: written: {path}\n")), "{}", told.stderr);
    }
    assert_eq!(fs::read_dir(out).expect("a directory").count(), 1, "nothing else is there");
    for bad in ["it", "com.acme:", "../x:y"] {
        assert_eq!(program.run("metadata", &["-o", out, "--artifact", bad]).code, Some(2), "{bad}");
    }
    assert_eq!(program.run("metadata", &["-o", out, "--check", &program.log]).code, Some(2));
}

#[test]
fn maven_names_the_file() {
    let scratch = crate::support::Scratch::new();
    let code: &[u8] = b"\xB1";
    let pom =
        |group: &str, name: &str| format!("version=1\ngroupId={group}\nartifactId={name}\n").into_bytes();
    let of = |file: &str, poms: &[(&str, Vec<u8>)]| {
        let main = class("A", &[("main", code)]);
        let mut entries = vec![("A.class", main.as_slice())];
        entries.extend(poms.iter().map(|(name, text)| (*name, text.as_slice())));
        let path = scratch.write(file, &jar(&entries));
        let out = scratch.path().join("out");
        let told = run(&[
            "metadata",
            &path,
            "--jdk",
            "none",
            "--entry",
            "main()V",
            "-o",
            out.to_str().expect("UTF-8"),
        ]);
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        let written = told.stderr.split("META-INF/native-image/").nth(1).expect("a path");
        written.split("/reachability-metadata.json").next().expect("a name").to_owned()
    };
    let first = ("META-INF/maven/g/first/pom.properties", pom("org.first", "first"));
    let second = ("META-INF/maven/g/second/pom.properties", pom("org.second", "second"));
    assert_eq!(of("x.jar", std::slice::from_ref(&first)), "org.first/first");
    assert_eq!(of("second-1.2.jar", &[first.clone(), second.clone()]), "org.second/second");
    assert_eq!(of("third-1.2.jar", &[first, second]), "third/third");
}

#[test]
fn half_an_analysis_says_so() {
    if !has_jdk() {
        return;
    }
    let told = run(&["metadata", DEMO, "--time-limit", "0"]);
    assert_eq!(told.code, Some(3), "{}", told.stderr);
    let file = json(&told);
    assert_eq!(file["comment"], "incomplete: the analysis was ended early");
    assert_eq!(metadata_errors(&file), Vec::<String>::new());
}
