//! Input that lies: each lie is a problem, the rest is read, memory stays bounded.

use std::fs;

use heliostat_input::{Inputs, Kind, Limits, Request, open};

use crate::support::{Item, Outcome, Scratch, Zip, deflate, names, open_all, open_bytes, open_zip, problems};
use crate::support::{read_class, request};

/// The problem of reading the first class.
fn read_problem(zip: &Zip) -> Outcome<String> {
    let inputs = open_zip(zip)?;
    let problem = inputs.read(&inputs.classes[0]).err().ok_or("could be read")?;
    Ok(problem.message)
}

fn lying(size: u32, method: u16, packed: &[u8]) -> Zip {
    Zip::new().item(Item { size, method, ..Item::stored(b"A.class", packed) }).class("B.class", "b")
}

#[test]
fn lying_sizes() -> Outcome {
    let packed = deflate(&[7; 1000]);
    assert!(read_problem(&lying(10, 8, &packed))?.contains("more than the 10 bytes"));
    assert!(read_problem(&lying(2000, 8, &packed))?.contains("inflates to 1000 bytes but declares 2000"));
    assert!(read_problem(&lying(u32::MAX - 1, 8, &packed))?.contains("the limit is"));
    assert!(read_problem(&lying(5, 0, b"four"))?.contains("stored in 4 bytes but declares 5"));
    assert!(read_problem(&lying(4, 8, b"\xFF\xFF\xFF\xFF"))?.contains("not valid deflate"));
    assert_eq!(read_class(&open_zip(&lying(10, 8, &packed))?, "B")?, b"b");
    Ok(())
}

#[test]
fn a_compressed_size_past_the_end() -> Outcome {
    let mut bytes = lying(4, 0, b"four").bytes();
    let record = find(&bytes, b"PK\x01\x02")?;
    bytes[record + 20..record + 24].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    let inputs = open_bytes(&bytes)?;
    let problem = inputs.read(&inputs.classes[0]).err().ok_or("could be read")?;
    assert_eq!((problem.entry.as_deref(), problem.offset), (Some("A.class"), Some(0)));
    assert_eq!(read_class(&inputs, "B")?, b"b");
    Ok(())
}

fn find(bytes: &[u8], pattern: &[u8]) -> Outcome<usize> {
    Ok(bytes.windows(pattern.len()).position(|window| window == pattern).ok_or("pattern not found")?)
}

#[test]
fn entries_that_cannot_be_read() -> Outcome {
    let zip = Zip::new()
        .item(Item { flags: 1, ..Item::stored(b"Secret.class", b"x") })
        .item(Item { method: 93, ..Item::stored(b"Zstd.class", b"x") })
        .item(Item::stored(b"caf\xE9.class", b"x"))
        .item(Item::stored(b"/etc/Passwd.class", b"x"))
        .item(Item::stored(b"a/../../B.class", b"x"))
        .item(Item::stored(b"", b"x"))
        .class("Good.class", "good");
    let inputs = open_zip(&zip)?;
    assert_eq!(names(&inputs, &inputs.classes), ["Good"]);
    assert_eq!(
        problems(&inputs),
        [
            "a.jar!/Secret.class at offset 0: the entry is encrypted",
            "a.jar!/Zstd.class at offset 43: unknown compression method 93",
            "a.jar!/caf\u{FFFD}.class at offset 84: the name is not UTF-8",
            "a.jar!/etc/Passwd.class at offset 125: the name is empty or an absolute path",
            "a.jar!/a/../../B.class at offset 173: the name has a `..` in it",
            "a.jar!/ at offset 219: the name is empty or an absolute path",
        ]
    );
    Ok(())
}

#[test]
fn a_broken_directory_is_listed_as_far_as_it_goes() -> Outcome {
    let mut bytes = Zip::new().class("A.class", "a").class("B.class", "b").class("C.class", "c").bytes();
    let second = find(&bytes, b"PK\x01\x02")? + 46 + "A.class".len();
    bytes[second] = b'X';
    let inputs = open_bytes(&bytes)?;
    assert_eq!(names(&inputs, &inputs.classes), ["A"]);
    let problem = &inputs.problems[0];
    assert!(problem.message.starts_with("the central directory breaks off"));
    assert_eq!(problem.offset, Some(second as u64));
    Ok(())
}

#[test]
fn a_wrong_number_of_entries_is_told() -> Outcome {
    let mut bytes = Zip::new().class("A.class", "a").bytes();
    let end = find(&bytes, b"PK\x05\x06")?;
    bytes[end + 10] = 9;
    let inputs = open_bytes(&bytes)?;
    assert_eq!(names(&inputs, &inputs.classes), ["A"]);
    assert_eq!(problems(&inputs).len(), 1);
    assert!(problems(&inputs)[0].contains("9 entries are declared, 1 were found"));
    Ok(())
}

#[test]
fn files_that_are_nothing() -> Outcome {
    let truncated = &Zip::new().class("A.class", "a").bytes()[..39];
    let incomplete = "not a complete zip file: it is truncated or damaged (missing end of central directory)";
    let unknown = "neither a class file nor a zip file, a .jmod or a modules image";
    let cases: [(&[u8], Kind, &str); 6] = [
        (b"", Kind::Unknown, "the file is empty"),
        (b"hello", Kind::Unknown, unknown),
        (truncated, Kind::Jar, incomplete),
        (b"JM\x01\0", Kind::Jmod, incomplete),
        (b"\xCA\xFE\xDA\xDA", Kind::Image, "the header is truncated"),
        (b"\xCA\xFE\xBA\xBE", Kind::ClassFile, "the class file is truncated"),
    ];
    for (bytes, kind, message) in cases {
        let inputs = open_bytes(bytes)?;
        assert_eq!(inputs.archives.values().map(|archive| archive.kind).collect::<Vec<_>>(), [kind]);
        assert_eq!(inputs.problems.len(), 1);
        assert_eq!(inputs.problems[0].message, message);
    }
    Ok(())
}

#[test]
fn a_broken_nested_jar_leaves_the_others() -> Outcome {
    let good = Zip::new().class("A.class", "a").bytes();
    let zip = Zip::new()
        .stored("BOOT-INF/lib/bad.jar", "PK\x03\x04 nonsense")
        .item(Item { size: 9, method: 8, ..Item::stored(b"BOOT-INF/lib/worse.jar", b"\xFF\xFF") })
        .deflated("BOOT-INF/lib/good.jar", good);
    let inputs = open_zip(&zip)?;
    assert_eq!(names(&inputs, &inputs.classes), ["A"]);
    let problems = problems(&inputs);
    assert_eq!(problems.len(), 2);
    assert!(problems[0].starts_with("bad.jar: not a complete zip file"), "{problems:?}");
    assert!(problems[1].starts_with("a.jar!/BOOT-INF/lib/worse.jar at offset"), "{problems:?}");
    Ok(())
}

#[test]
fn nesting_ends_at_the_limit() -> Outcome {
    let mut zip = Zip::new().class("L0.class", "x");
    for level in 1..10 {
        zip = Zip::new().class(&format!("L{level}.class"), "x").deflated("BOOT-INF/lib/a.jar", zip.bytes());
    }
    let inputs = open_zip(&zip)?;
    assert_eq!(names(&inputs, &inputs.classes), ["L9", "L8", "L7", "L6"]);
    assert_eq!(inputs.problems[0].message, "lies more than 3 jars deep");
    Ok(())
}

/// Opens a zip with limits of its own.
fn open_limited(zip: &Zip, limits: Limits) -> Outcome<Inputs> {
    let scratch = Scratch::new()?;
    let jar = scratch.write("a.jar", zip.bytes())?;
    Ok(open(&Request { limits, ..request(&[&jar]) })?)
}

#[test]
fn nested_jars_share_a_budget() -> Outcome {
    let inner = Zip::new().stored("A.class", vec![1; 1 << 20]).bytes();
    let mut zip = Zip::new();
    for i in 0..20 {
        zip = zip.deflated(&format!("BOOT-INF/lib/{i}.jar"), &inner);
    }
    let inputs = open_limited(&zip, Limits { nested_bytes: 5 << 20, ratio: 2000, ..Limits::default() })?;
    assert_eq!((inputs.archives.len(), inputs.problems.len()), (1 + 4, 16));
    Ok(())
}

#[test]
fn a_bomb_is_refused_by_its_ratio() -> Outcome {
    let bomb = Zip::new().deflated("BOOT-INF/lib/bomb.jar", vec![0; 64 << 20]).class("A.class", "a");
    let inputs = open_zip(&bomb)?;
    assert_eq!(names(&inputs, &inputs.classes), ["A"]);
    assert!(problems(&inputs)[0].contains("the limit is"));
    Ok(())
}

#[test]
fn one_stored_jar_under_many_names_meets_the_entry_limit() -> Outcome {
    let mut inner = Zip::new();
    for i in 0..100 {
        inner = inner.stored(&format!("C{i}.class"), "");
    }
    let mut zip = Zip::new();
    for i in 0..100 {
        zip = zip.stored(&format!("BOOT-INF/lib/{i}.jar"), inner.bytes());
    }
    let inputs = open_limited(&zip, Limits { entries: 1000, ..Limits::default() })?;
    let listed: u32 = inputs.archives.values().map(|archive| archive.counts.classes).sum();
    assert_eq!(listed, 900);
    assert!(problems(&inputs)[0].contains("limit on the number of entries"));
    Ok(())
}

#[test]
fn too_many_problems_are_counted() -> Outcome {
    let mut zip = Zip::new();
    for _ in 0..1000 {
        zip = zip.item(Item::stored(b"\xFF.class", b""));
    }
    let inputs = open_zip(&zip)?;
    assert_eq!(inputs.problems.len(), 101);
    assert_eq!(inputs.problems[100].message, "900 more problems");
    Ok(())
}

#[test]
fn a_directory_stops_at_the_entry_limit() -> Outcome {
    let scratch = Scratch::new()?;
    for i in 0..20 {
        scratch.write(&format!("root/d{i}/A.class"), "")?;
    }
    let limits = Limits { entries: 10, ..Limits::default() };
    let inputs = open(&Request { limits, ..request(&[&scratch.path("root")]) })?;
    assert_eq!((inputs.classes.len(), inputs.problems.len()), (10, 1));
    Ok(())
}

#[cfg(unix)]
#[test]
fn unreadable_places() -> Outcome {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new()?;
    scratch.write("root/A.class", "a")?;
    scratch.write("root/closed/B.class", "b")?;
    fs::write(scratch.path("root").join(OsStr::from_bytes(b"caf\xE9.class")), "x")?;
    let closed = scratch.path("root/closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000))?;
    let is_root = fs::read_dir(&closed).is_ok();
    let inputs = open_all(&[&scratch.path("root")]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755))?;
    let inputs = inputs?;
    let problems = problems(&inputs);
    assert_eq!(problems[0], "root!/caf\u{FFFD}.class: the name is not UTF-8");
    // Nothing is closed to root.
    if is_root {
        assert_eq!(names(&inputs, &inputs.classes), ["A", "closed/B"]);
    } else {
        assert_eq!(names(&inputs, &inputs.classes), ["A"]);
        assert!(problems[1].starts_with("root!/closed: cannot be read"));
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_device_is_not_mapped() {
    assert!(open_all(&["/dev/zero".as_ref()]).is_err());
}
