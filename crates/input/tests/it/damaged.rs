//! Zip files that are not whole: what is there is read, and the user is told.

use heliostat_input::{Inputs, Kind, Limits, Request, open};

use crate::support::{Item, Outcome, SIZES_FOLLOW, Scratch, Zip, names, open_bytes, open_zip, problems};
use crate::support::{read_class, request};

fn with_descriptors(mut zip: Zip) -> Zip {
    zip.items.iter_mut().for_each(|item| item.flags |= SIZES_FOLLOW);
    zip
}

fn sample() -> Zip {
    Zip::new().class("A.class", "first").deflated("text", [b'x'; 2000]).class("B.class", "second")
}

#[test]
fn a_jar_without_its_directory() -> Outcome {
    for zip in [sample(), with_descriptors(sample())] {
        let whole = zip.bytes();
        let local = zip.without_directory().len();
        // Nothing of the directory, a part of it, and all but the last byte of the end record.
        for length in [local, local + 60, whole.len() - 1] {
            let inputs = open_bytes(&whole[..length])?;
            assert_eq!(names(&inputs, &inputs.classes), ["A", "B"], "{length}");
            assert_eq!(names(&inputs, &inputs.resources), ["text"]);
            assert_eq!(read_class(&inputs, "A")?, b"first");
            assert_eq!(read_class(&inputs, "B")?, b"second");
            assert_eq!(inputs.archives.values().map(|archive| archive.kind).collect::<Vec<_>>(), [Kind::Jar]);
            let problems = problems(&inputs);
            assert_eq!(problems.len(), 1);
            assert!(
                problems[0].contains("not a complete zip file: it is truncated or damaged ("),
                "{problems:?}"
            );
            assert!(problems[0].ends_with("; 3 entries were recovered"), "{problems:?}");
        }
    }
    Ok(())
}

#[test]
fn a_jar_cut_inside_an_entry() -> Outcome {
    for zip in [sample(), with_descriptors(sample())] {
        let descriptor = if zip.items[2].flags == SIZES_FOLLOW { 16 } else { 0 };
        let local = zip.without_directory();
        let inputs = open_bytes(&local[..local.len() - descriptor - 1])?;
        assert_eq!((names(&inputs, &inputs.classes).len(), inputs.resources.len()), (1, 1));
        assert_eq!(read_class(&inputs, "A")?, b"first");
        assert!(inputs.problems[0].message.ends_with("; 2 entries were recovered"));
    }
    Ok(())
}

#[test]
fn a_fat_jar_cut_behind_a_nested_one() -> Outcome {
    let inner = Zip::new().class("org/lib/A.class", "a").bytes();
    let zip = Zip::new()
        .class("BOOT-INF/classes/App.class", "app")
        .stored("BOOT-INF/lib/a.jar", &inner)
        .stored("BOOT-INF/lib/b.jar", [b'x'; 500]);
    let local = zip.without_directory();
    for script in ["", "#!/bin/bash\nexec java -jar \"$0\"\n"] {
        let inputs = open_bytes(&[script.as_bytes(), &local[..local.len() - 100]].concat())?;
        // The nested jar's end record is the last in the file, but the file is not the nested jar.
        assert_eq!(names(&inputs, &inputs.classes), ["App", "org/lib/A"]);
        assert_eq!(inputs.archives.len(), 2);
        assert!(inputs.problems[0].message.ends_with("; 2 entries were recovered"));
    }
    Ok(())
}

#[test]
fn entries_of_unknown_size_are_passed_over() -> Outcome {
    let stored = Item { flags: SIZES_FOLLOW, ..Item::stored(b"S.class", b"stored") };
    let broken = Item { flags: SIZES_FOLLOW, method: 8, ..Item::stored(b"X.class", b"\xFF\xFF\xFF") };
    let zip = Zip::new().class("A.class", "a").item(stored).item(broken).class("B.class", "b");
    let inputs = open_bytes(&zip.without_directory())?;
    assert_eq!(names(&inputs, &inputs.classes), ["A", "B"]);
    assert!(inputs.problems[0].message.ends_with("; 2 entries were recovered"));
    Ok(())
}

fn open_limited(bytes: &[u8], limits: Limits) -> Outcome<Inputs> {
    let scratch = Scratch::new()?;
    let jar = scratch.write("a.jar", bytes)?;
    Ok(open(&Request { limits, ..request(&[&jar]) })?)
}

#[test]
fn recovery_is_bounded() -> Outcome {
    let mut zip = Zip::new();
    for i in 0..100 {
        zip = zip.deflated(&format!("C{i}.class"), vec![0; 1 << 16]);
    }
    let bytes = with_descriptors(zip).without_directory();
    let few = open_limited(&bytes, Limits { entries: 10, ..Limits::default() })?;
    assert_eq!(few.classes.len(), 10);
    let little = open_limited(&bytes, Limits { class_bytes: 1 << 20, ..Limits::default() })?;
    assert!((10..20).contains(&little.classes.len()), "{}", little.classes.len());
    Ok(())
}

#[test]
fn a_wrong_crc_is_told_and_the_content_used() -> Outcome {
    let mut zip = sample().stored("C.class", "third");
    zip.items[0].crc ^= 1;
    zip.items[3].crc = 0;
    let inputs = open_zip(&zip)?;
    let damage: Vec<_> = inputs
        .classes
        .iter()
        .map(|class| inputs.damage(class, &inputs.read(class).unwrap_or_default()).map(|p| p.message))
        .collect();
    let wrong = "the CRC of the central directory does not fit the content; read all the same".to_owned();
    assert_eq!(damage, [Some(wrong.clone()), None, Some(wrong)]);
    assert_eq!(read_class(&inputs, "A")?, b"first");
    assert_eq!(inputs.problems.len(), 0);
    let told = inputs.damage(&inputs.classes[0], b"").ok_or("not told")?;
    assert_eq!((told.entry.as_deref(), told.offset), (Some("A.class"), Some(0)));
    Ok(())
}

#[test]
fn what_is_stored_is_mapped() -> Outcome {
    let inputs = open_zip(&Zip::new().class("A.class", "a").stored("B.class", "b"))?;
    let mapped: Vec<_> = inputs.classes.iter().map(|class| inputs.is_mapped(class)).collect();
    assert_eq!(mapped, [false, true]);
    Ok(())
}
