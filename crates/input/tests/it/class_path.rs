//! Class-path order, `@file`, wildcards, `Class-Path`, duplicates, and what is an error.

use std::path::Path;

use heliostat_input::{InputError, Limits, Origin, Request, open};

use crate::support::{
    Outcome, Scratch, Zip, archive_names, class, joined, names, open_all, open_zip, problems,
};
use crate::support::{read_class, request};

/// A jar of one class that tells where it is from.
fn jar(name: &str, tag: &str) -> Zip {
    Zip::new().class(&format!("{name}.class"), tag)
}

#[test]
fn inputs_come_before_the_class_path() -> Outcome {
    let scratch = Scratch::new()?;
    let a = scratch.write("a.jar", jar("A", "a").bytes())?;
    let b = scratch.write("b.jar", jar("A", "b").class("B.class", "b").bytes())?;
    let c = scratch.write("c.jar", jar("B", "c").bytes())?;
    let request = Request { class_path: vec![joined(&[&b, &c])?], ..request(&[&a]) };
    let inputs = open(&request)?;
    assert_eq!(archive_names(&inputs), ["a.jar", "b.jar", "c.jar"]);
    let origins: Vec<_> = inputs.archives.values().map(|archive| archive.origin).collect();
    assert_eq!(origins, [Origin::Input, Origin::ClassPath, Origin::ClassPath]);
    assert_eq!(names(&inputs, &inputs.classes), ["A", "B"]);
    assert_eq!((read_class(&inputs, "A")?, read_class(&inputs, "B")?), (b"a".to_vec(), b"b".to_vec()));
    let pairs: Vec<_> = inputs
        .duplicates
        .iter()
        .map(|d| (inputs.name(&d.kept), d.kept.archive.as_u32(), d.hidden.archive.as_u32()))
        .collect();
    assert_eq!(pairs, [(&b"A"[..], 0, 1), (&b"B"[..], 1, 2)]);
    Ok(())
}

#[test]
fn the_same_jar_is_opened_once() -> Outcome {
    let scratch = Scratch::new()?;
    let a = scratch.write("a.jar", jar("A", "a").bytes())?;
    let again = scratch.path("./a.jar");
    let request = Request { class_path: vec![again.clone().into()], ..request(&[&a, &again]) };
    let inputs = open(&request)?;
    assert_eq!((inputs.archives.len(), inputs.duplicates.len()), (1, 0));
    Ok(())
}

#[test]
fn inside_a_jar_the_last_entry_wins_as_in_java() -> Outcome {
    let inputs = open_zip(&jar("A", "first").class("A.class", "second"))?;
    assert_eq!(read_class(&inputs, "A")?, b"second");
    assert_eq!(inputs.duplicates.len(), 1);
    assert_eq!(inputs.read(&inputs.duplicates[0].hidden).map(|b| b.to_vec()), Ok(b"first".to_vec()));
    Ok(())
}

#[test]
fn thousands_of_duplicates_are_counted() -> Outcome {
    let mut zip = Zip::new();
    for _ in 0..5001 {
        zip = zip.stored("A.class", "");
    }
    let inputs = open_zip(&zip)?;
    let counts = inputs.archives[inputs.classes[0].archive].counts;
    assert_eq!((counts.classes, counts.duplicates), (5001, 5000));
    assert_eq!((inputs.classes.len(), inputs.duplicates.len()), (1, Limits::default().listed as usize));
    Ok(())
}

#[test]
fn manifests_lead_to_other_jars() -> Outcome {
    let scratch = Scratch::new()?;
    let class_path = "Class-Path: lib/c%20c.jar dir/ missing.jar http://acme.com/x.jar\r\n";
    let a = scratch.write("a.jar", jar("A", "a").manifest(class_path).bytes())?;
    scratch.write("lib/c c.jar", jar("C", "c").manifest("Class-Path: ../a.jar d.jar\r\n").bytes())?;
    scratch.write("lib/d.jar", jar("D", "d").bytes())?;
    scratch.write("dir/E.class", "e")?;
    let b = scratch.write("b.jar", jar("B", "b").bytes())?;
    let inputs = open_all(&[&a, &b])?;
    assert_eq!(archive_names(&inputs), ["a.jar", "c c.jar", "d.jar", "", "b.jar"]);
    assert_eq!(names(&inputs, &inputs.classes), ["A", "C", "D", "E", "B"]);
    let first = inputs.archives.values().next().ok_or("no archive")?;
    assert_eq!(first.counts.missing_class_path, 2);
    assert_eq!(first.missing_class_path, ["missing.jar", "http://acme.com/x.jar (not followed: not a file)"]);
    assert_eq!(problems(&inputs), [""; 0]);
    Ok(())
}

#[test]
fn a_manifest_does_not_lead_to_directories_elsewhere() -> Outcome {
    let scratch = Scratch::new()?;
    let outside = scratch.write("outside/X.class", "x")?;
    scratch.write("outside/y.jar", jar("Y", "y").bytes())?;
    scratch.write("app/below/B.class", "b")?;
    let folder = outside.parent().ok_or("no folder")?.display();
    let urls =
        format!("file:/ ../outside/ below/../../outside file:{folder}/ /dev/null below ../outside/y.jar");
    let class_path: String = urls.replace(' ', " \r\n ");
    let a = jar("A", "a").manifest(&format!("Class-Path: {class_path}\r\n"));
    let inputs = open_all(&[&scratch.write("app/a.jar", a.bytes())?])?;
    assert_eq!(names(&inputs, &inputs.classes), ["A", "B", "Y"]);
    let first = inputs.archives.values().next().ok_or("no archive")?;
    assert_eq!(first.counts.missing_class_path, 5);
    let why = "(not followed: a directory outside the folder of the jar)";
    assert_eq!(first.missing_class_path[0], format!("file:/ {why}"));
    assert_eq!(first.missing_class_path[2], format!("below/../../outside {why}"));
    assert!(first.missing_class_path[4].starts_with("/dev/null"));
    Ok(())
}

#[test]
fn missing_entries_of_a_class_path_are_counted_beyond_the_list() -> Outcome {
    let urls: Vec<_> = (0..150).map(|i| format!("gone{i}.jar")).collect();
    let inputs = open_zip(&jar("A", "a").manifest(&format!("Class-Path: {}\r\n", urls.join(" \r\n "))))?;
    let archive = inputs.archives.values().next().ok_or("no archive")?;
    assert_eq!((archive.counts.missing_class_path, archive.missing_class_path.len()), (150, 100));
    assert_eq!(archive.missing_class_path[99], "gone99.jar");
    Ok(())
}

#[test]
fn classes_are_those_that_win_and_those_that_are_hidden() -> Outcome {
    let scratch = Scratch::new()?;
    let twice = jar("A", "1").class("A.class", "2").class("B.class", "b");
    let versions = ["9", "11", "11"].map(|release| format!("META-INF/versions/{release}/C.class"));
    let releases = versions
        .iter()
        .fold(jar("A", "a").manifest("Multi-Release: true\r\n"), |zip, path| zip.class(path, "c"))
        .class("C.class", "base")
        .class("D.class", "d");
    let last = jar("D", "d").class("A.class", "a");
    let mut paths = Vec::new();
    for (name, zip) in [("1.jar", twice), ("2.jar", releases), ("3.jar", last)] {
        paths.push(scratch.write(name, zip.bytes())?);
    }
    let inputs = open_all(&paths.iter().map(AsRef::as_ref).collect::<Vec<_>>())?;
    let counts: Vec<_> =
        inputs.archives.values().map(|archive| (archive.counts.classes, archive.counts.duplicates)).collect();
    assert_eq!(counts, [(3, 1), (4, 2), (2, 2)]);
    let hidden_by = inputs
        .archives
        .values()
        .map(|archive| archive.hidden_by.iter().map(|(by, &count)| (by.as_u32(), count)).collect::<Vec<_>>());
    assert_eq!(hidden_by.collect::<Vec<_>>(), [vec![(0, 1)], vec![(0, 1), (1, 1)], vec![(0, 1), (1, 1)]]);
    for (id, archive) in inputs.archives.iter() {
        let winners = inputs.classes.iter().filter(|class| class.archive == id).count();
        assert_eq!(archive.counts.classes, winners as u32 + archive.counts.duplicates);
    }
    Ok(())
}

#[test]
fn an_input_stays_one_though_a_manifest_leads_to_it() -> Outcome {
    let scratch = Scratch::new()?;
    let a = scratch.write("a.jar", jar("A", "a").manifest("Class-Path: b.jar c.jar\r\n").bytes())?;
    let b = scratch.write("b.jar", jar("B", "b").bytes())?;
    scratch.write("c.jar", jar("C", "c").bytes())?;
    let inputs = open_all(&[&a, &b])?;
    let origins: Vec<_> = inputs.archives.values().map(|archive| archive.origin).collect();
    assert_eq!(origins, [Origin::Input, Origin::Input, Origin::ClassPath]);
    Ok(())
}

#[test]
fn a_long_chain_of_manifests() -> Outcome {
    let scratch = Scratch::new()?;
    let length = 2000;
    for i in 0..length {
        let next = format!("Class-Path: {}.jar 0.jar\r\n", i + 1);
        scratch.write(&format!("{i}.jar"), Zip::new().manifest(&next).bytes())?;
    }
    let inputs = open_all(&[&scratch.path("0.jar")])?;
    assert_eq!(inputs.archives.len(), length);
    Ok(())
}

#[test]
fn a_file_with_a_class_path() -> Outcome {
    let scratch = Scratch::new()?;
    let a = scratch.write("a.jar", jar("A", "a").bytes())?;
    let b = scratch.write("b.jar", jar("B", "b").bytes())?;
    scratch.write("lib/d.JAR", jar("D", "d").bytes())?;
    scratch.write("lib/c.jar", jar("C", "c").bytes())?;
    scratch.write("lib/X.class", class("X"))?;
    scratch.write("lib/deeper/e.jar", jar("E", "e").bytes())?;
    let pair = joined(&[&a, &b])?;
    let gone = scratch.path("gone.jar");
    let wildcard = scratch.path("lib/*");
    let text = format!(
        "# made by a tool\r\n\r\n  {}\r\n{}\n{}\n",
        pair.to_string_lossy(),
        gone.display(),
        wildcard.display()
    );
    let file = scratch.write("cp.txt", text)?;
    let request = Request { inputs: vec![format!("@{}", file.display()).into()], ..Request::default() };
    let inputs = open(&request)?;
    assert_eq!(archive_names(&inputs), ["a.jar", "b.jar", "c.jar", "d.JAR"]);
    let problems = problems(&inputs);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("gone.jar: cannot be read"), "{problems:?}");

    let by_wildcard = Request { class_path: vec![wildcard.into()], ..Request::default() };
    assert_eq!(archive_names(&open(&by_wildcard)?), ["c.jar", "d.JAR"]);
    Ok(())
}

#[test]
fn a_directory_of_jars_names_them() -> Outcome {
    let scratch = Scratch::new()?;
    scratch.write("libs/a.jar", jar("A", "a").bytes())?;
    scratch.write("libs/more/b.jar", jar("B", "b").bytes())?;
    let inputs = open_all(&[&scratch.path("libs")])?;
    assert!(inputs.classes.is_empty());
    assert_eq!(names(&inputs, &inputs.unread_jars), ["a.jar", "more/b.jar"]);
    Ok(())
}

#[test]
fn lone_class_files_name_themselves() -> Outcome {
    let scratch = Scratch::new()?;
    let a = scratch.write("Some.class", class("com/acme/A"))?;
    let module = scratch.write("module-info.class", class("module-info"))?;
    let broken = scratch.write("Broken.class", &class("com/acme/B")[..15])?;
    let inputs = open_all(&[&a, &module, &broken])?;
    assert_eq!(names(&inputs, &inputs.classes), ["com/acme/A"]);
    assert_eq!(inputs.modules.len(), 1);
    assert_eq!(read_class(&inputs, "com/acme/A")?, class("com/acme/A"));
    assert_eq!(problems(&inputs), ["Broken.class at offset 23: the class file is truncated"]);
    Ok(())
}

#[test]
fn what_the_user_names_must_be_there() -> Outcome {
    let scratch = Scratch::new()?;
    let gone = scratch.path("gone.jar");
    let unreadable = |request: &Request| match open(request) {
        Err(InputError::Unreadable { path, .. }) => Some(path),
        _ => None,
    };
    assert_eq!(unreadable(&request(&[&gone])), Some(gone.clone()));
    assert_eq!(
        unreadable(&Request { class_path: vec![gone.clone().into()], ..Request::default() }),
        Some(gone)
    );
    let empty = open(&request(&[&scratch.path("."), Path::new("")]));
    assert!(matches!(empty, Err(InputError::EmptyInput)));
    let list = Path::new("@/nowhere/cp.txt");
    assert_eq!(unreadable(&request(&[list])).as_deref(), Some(Path::new("/nowhere/cp.txt")));
    let wildcard = scratch.path("gone/*");
    assert_eq!(unreadable(&request(&[&wildcard])), Some(wildcard));
    Ok(())
}
