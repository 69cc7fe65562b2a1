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
    assert_eq!(problems(&inputs), [""; 0]);
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
    let list = Path::new("@/nowhere/cp.txt");
    assert_eq!(unreadable(&request(&[list])).as_deref(), Some(Path::new("/nowhere/cp.txt")));
    let wildcard = scratch.path("gone/*");
    assert_eq!(unreadable(&request(&[&wildcard])), Some(wildcard));
    Ok(())
}
