//! Jars, fat jars, WARs, multi-release jars, `.jmod` files and directories.

use std::fs;

use heliostat_input::{JdkChoice, Kind, MemoryFile, Origin, Request, open};

use crate::support::{
    Outcome, Scratch, Zip, archive_names, class, names, open_all, open_bytes, open_zip, problems,
};
use crate::support::{read_class, request};

#[test]
fn a_plain_jar() -> Outcome {
    let zip = Zip::new()
        .manifest("Main-Class: com.acme.Main\r\n")
        .stored("com/", "")
        .class("com/acme/Main.class", "main")
        .stored("com/acme/Stored.class", "stored")
        .stored("app.properties", "a=b")
        .stored("module-info.class", "module")
        .stored("lib/other.jar", "not read");
    let inputs = open_zip(&zip)?;
    assert_eq!(names(&inputs, &inputs.classes), ["com/acme/Main", "com/acme/Stored"]);
    assert_eq!(names(&inputs, &inputs.resources), ["META-INF/MANIFEST.MF", "app.properties"]);
    assert_eq!(names(&inputs, &inputs.modules), ["module-info"]);
    assert_eq!(names(&inputs, &inputs.unread_jars), ["lib/other.jar"]);
    assert_eq!(read_class(&inputs, "com/acme/Main")?, b"main");
    assert_eq!(read_class(&inputs, "com/acme/Stored")?, b"stored");
    let archive = inputs.archives.values().next().ok_or("no archive")?;
    assert_eq!((archive.kind, archive.origin), (Kind::Jar, Origin::Input));
    assert_eq!(archive.main_class.as_deref(), Some("com/acme/Main"));
    assert_eq!((archive.counts.classes, archive.counts.resources), (2, 2));
    assert_eq!(problems(&inputs), [""; 0]);
    Ok(())
}

#[test]
fn a_spring_boot_jar() -> Outcome {
    let deflated = Zip::new().class("org/lib/A.class", "a");
    let stored = Zip::new().class("org/lib/B.class", "b").manifest("Class-Path: a.jar\r\n");
    let zip = Zip::new()
        .manifest("Main-Class: org.springframework.boot.loader.JarLauncher\r\nStart-Class: com.acme.App\r\n")
        .class("org/springframework/boot/loader/JarLauncher.class", "launcher")
        .class("BOOT-INF/classes/com/acme/App.class", "app")
        .stored("BOOT-INF/classes/application.properties", "")
        .deflated("BOOT-INF/lib/a.jar", deflated.bytes())
        .stored("BOOT-INF/lib/b.jar", stored.bytes());
    let inputs = open_zip(&zip)?;
    let launcher = "org/springframework/boot/loader/JarLauncher";
    assert_eq!(names(&inputs, &inputs.classes), [launcher, "com/acme/App", "org/lib/A", "org/lib/B"]);
    assert_eq!(archive_names(&inputs), ["a.jar", "BOOT-INF/lib/a.jar", "BOOT-INF/lib/b.jar"]);
    assert_eq!(inputs.path(&inputs.classes[1]), "BOOT-INF/classes/com/acme/App.class");
    assert!(names(&inputs, &inputs.resources).contains(&"application.properties".to_owned()));
    let outer = &inputs.archives[inputs.classes[0].archive];
    let nested = &inputs.archives[inputs.classes[2].archive];
    assert_eq!(outer.start_class.as_deref(), Some("com/acme/App"));
    assert_eq!((nested.parent, nested.origin), (Some(inputs.classes[0].archive), Origin::Input));
    assert_eq!(read_class(&inputs, "org/lib/A")?, b"a");
    assert_eq!(read_class(&inputs, "org/lib/B")?, b"b");
    assert_eq!(problems(&inputs), [""; 0]);
    Ok(())
}

#[test]
fn a_stored_nested_jar_is_not_copied() -> Outcome {
    let inner = Zip::new().stored("A.class", class("A"));
    let inputs = open_zip(&Zip::new().stored("WEB-INF/lib/a.jar", inner.bytes()))?;
    let (first, again) = (inputs.read(&inputs.classes[0]), inputs.read(&inputs.classes[0]));
    assert_eq!(first.map(|b| b.as_ptr()), again.map(|b| b.as_ptr()));
    Ok(())
}

#[test]
fn a_war_and_the_same_war_unpacked() -> Outcome {
    let lib = Zip::new().class("org/lib/A.class", "a").bytes();
    let files: [(&str, &[u8]); 4] = [
        ("WEB-INF/classes/com/acme/App.class", b"app"),
        ("WEB-INF/lib/lib.jar", &lib),
        ("WEB-INF/web.xml", b"<web-app/>"),
        ("static/page.jar", b"not read"),
    ];
    let scratch = Scratch::new()?;
    let mut zip = Zip::new();
    for (name, bytes) in files {
        zip = zip.deflated(name, bytes);
        scratch.write(&format!("exploded/{name}"), bytes)?;
    }
    let war = scratch.write("app.war", zip.bytes())?;
    for (path, kind) in [(war, Kind::Jar), (scratch.path("exploded"), Kind::Directory)] {
        let inputs = open_all(&[&path])?;
        assert_eq!(inputs.archives[inputs.classes[0].archive].kind, kind);
        assert_eq!(names(&inputs, &inputs.classes), ["com/acme/App", "org/lib/A"]);
        assert_eq!(names(&inputs, &inputs.resources), ["WEB-INF/web.xml"]);
        assert_eq!(names(&inputs, &inputs.unread_jars), ["static/page.jar"]);
        assert_eq!(read_class(&inputs, "com/acme/App")?, b"app");
        assert_eq!(read_class(&inputs, "org/lib/A")?, b"a");
    }
    Ok(())
}

fn multi_release(manifest: &str) -> Zip {
    Zip::new()
        .manifest(manifest)
        .class("a/A.class", "base")
        .class("META-INF/versions/9/a/A.class", "9")
        .class("META-INF/versions/17/a/A.class", "17")
        .class("META-INF/versions/25/a/A.class", "25")
        .class("META-INF/versions/17/a/Only17.class", "only")
        .stored("META-INF/versions/9/module-info.class", "module 9")
        .stored("text", "base")
        .stored("META-INF/versions/9/text", "9")
}

#[test]
fn a_multi_release_jar_chooses_by_the_jdk() -> Outcome {
    let scratch = Scratch::new()?;
    let jar = scratch.write("a.jar", multi_release("Multi-Release: true\r\n").bytes())?;
    scratch.write("jdk/lib/rt.jar", Zip::new().bytes())?;
    for (version, chosen) in
        [("1.8.0_292", "base"), ("11.0.2", "9"), ("17", "17"), ("24", "17"), ("26-ea", "25")]
    {
        scratch.write("jdk/release", format!("JAVA_VERSION=\"{version}\"\n"))?;
        let mut request = request(&[&jar]);
        request.jdk = JdkChoice::Home(scratch.path("jdk"));
        let inputs = open(&request)?;
        assert_eq!(read_class(&inputs, "a/A")?, chosen.as_bytes(), "JDK {version}");
        assert_eq!(inputs.modules.len(), usize::from(chosen != "base"));
        let counts = inputs.archives[inputs.classes[0].archive].counts;
        let has_only_17 = ["17", "25"].contains(&chosen);
        assert_eq!((counts.classes, counts.resources), (1 + u32::from(has_only_17), 2), "JDK {version}");
        assert_eq!(names(&inputs, &inputs.resources), ["META-INF/MANIFEST.MF", "text"], "JDK {version}");
        assert!(inputs.duplicates.is_empty() && inputs.archives[inputs.classes[0].archive].multi_release);
    }
    let inputs = open_all(&[&jar])?;
    assert_eq!(read_class(&inputs, "a/A")?, b"25", "the latest without a JDK");
    assert_eq!(names(&inputs, &inputs.classes), ["a/A", "a/Only17"]);
    let texts: Vec<_> = inputs.resources.iter().filter(|e| inputs.name(e) == b"text").collect();
    assert_eq!(texts.len(), 1);
    assert_eq!(inputs.path(texts[0]), "META-INF/versions/9/text");
    Ok(())
}

#[test]
fn without_the_manifest_line_versions_are_resources() -> Outcome {
    let inputs = open_zip(&multi_release(""))?;
    assert_eq!(names(&inputs, &inputs.classes), ["a/A"]);
    assert_eq!(read_class(&inputs, "a/A")?, b"base");
    assert!(inputs.modules.is_empty());
    Ok(())
}

#[test]
fn a_jmod() -> Outcome {
    let zip = Zip::new()
        .class("classes/java/lang/Object.class", "object")
        .stored("classes/module-info.class", "module")
        .stored("classes/res.txt", "")
        .stored("lib/libjava.so", "elf");
    let scratch = Scratch::new()?;
    let bytes = [b"JM\x01\0", &zip.bytes()[..]].concat();
    let inputs = open_all(&[&scratch.write("java.base.jmod", bytes)?])?;
    assert_eq!(names(&inputs, &inputs.classes), ["java/lang/Object"]);
    assert_eq!(names(&inputs, &inputs.resources), ["res.txt"]);
    assert_eq!(inputs.modules.len(), 1);
    assert_eq!(inputs.module(&inputs.classes[0]), Some(&b"java.base"[..]));
    assert_eq!(read_class(&inputs, "java/lang/Object")?, b"object");
    Ok(())
}

#[test]
fn an_executable_jar_with_a_script_in_front() -> Outcome {
    let mut zip = Zip::new().class("A.class", "a").stored("B.class", "b");
    zip.prefix = b"#!/bin/bash\nexec java -jar \"$0\"\n".to_vec();
    let inputs = open_zip(&zip)?;
    assert_eq!(read_class(&inputs, "A")?, b"a");
    assert_eq!(read_class(&inputs, "B")?, b"b");
    assert_eq!(problems(&inputs), [""; 0]);
    Ok(())
}

#[test]
fn zip64() -> Outcome {
    let zip = Zip::new().class("A.class", "a").stored("B.class", "b");
    let inputs = open_zip(&Zip { zip64: true, ..zip })?;
    assert_eq!(read_class(&inputs, "A")?, b"a");
    assert_eq!(read_class(&inputs, "B")?, b"b");
    assert_eq!(problems(&inputs), [""; 0]);
    Ok(())
}

#[test]
fn what_follows_a_zip_may_look_like_its_end() -> Outcome {
    let mut bytes = Zip::new().class("A.class", "a").bytes();
    bytes.extend(b"PK\x05\x06 is how it ends");
    let inputs = open_bytes(&bytes)?;
    assert_eq!(read_class(&inputs, "A")?, b"a");
    assert_eq!(problems(&inputs), [""; 0]);
    Ok(())
}

#[test]
fn names_beyond_the_basic_plane_are_spelled_as_in_class_files() -> Outcome {
    let inputs = open_zip(&Zip::new().class("caf\u{e9}/\u{1F600}.class", "x"))?;
    assert_eq!(inputs.name(&inputs.classes[0]), b"caf\xC3\xA9/\xED\xA0\xBD\xED\xB8\x80");
    assert_eq!(inputs.path(&inputs.classes[0]), "caf\u{e9}/\u{1F600}.class");
    Ok(())
}

#[test]
fn directories_are_sorted_and_links_followed_once() -> Outcome {
    let scratch = Scratch::new()?;
    scratch.write("root/b/B.class", "b")?;
    scratch.write("root/a/A.class", "a")?;
    scratch.write("root/META-INF/MANIFEST.MF", "Main-Class: a.A\n")?;
    scratch.write("elsewhere/C.class", "c")?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(scratch.path("elsewhere"), scratch.path("root/c"))?;
        symlink("..", scratch.path("root/a/loop"))?;
        symlink("nowhere", scratch.path("root/broken"))?;
    }
    let inputs = open_all(&[&scratch.path("root")])?;
    assert_eq!(inputs.archives[inputs.classes[0].archive].main_class.as_deref(), Some("a/A"));
    if cfg!(unix) {
        assert_eq!(names(&inputs, &inputs.classes), ["a/A", "b/B", "c/C"]);
        let problems = problems(&inputs);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("root!/broken: cannot be read"));
        assert!(problems[1].starts_with("root!/a/loop: a link to a directory"));
    }
    fs::remove_file(scratch.path("root/a/A.class"))?;
    let gone = inputs.read(&inputs.classes[0]).err().ok_or("read a file that is gone")?;
    assert_eq!(gone.entry.as_deref(), Some("a/A.class"));
    Ok(())
}

#[test]
fn a_jar_in_memory_is_an_input_that_no_folder_holds() -> Outcome {
    let inner = Zip::new().class("b/B.class", "b").bytes();
    let jar = Zip::new()
        .manifest("Main-Class: a.A\r\nClass-Path: other.jar\r\n")
        .class("a/A.class", "a")
        .stored("BOOT-INF/lib/inner.jar", inner);
    let file = MemoryFile { name: "demo.jar".to_owned(), bytes: jar.bytes().into() };
    let inputs = open(&Request { memory: vec![file], ..Request::default() })?;
    assert_eq!(archive_names(&inputs), ["demo.jar", "BOOT-INF/lib/inner.jar"]);
    assert!(inputs.archives.values().all(|archive| archive.origin == Origin::Input));
    assert_eq!(names(&inputs, &inputs.classes), ["a/A", "b/B"]);
    assert_eq!(read_class(&inputs, "b/B")?, b"b");
    assert_eq!(problems(&inputs), [""; 0]);
    Ok(())
}
