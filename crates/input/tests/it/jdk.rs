//! Finding JDKs, old and new, and reading the one on this machine.

use std::env;
use std::path::{Path, PathBuf};

use heliostat_input::{Environment, InputError, Inputs, JdkChoice, Kind, Origin, Request, open};

use crate::image::sample;
use crate::support::{Outcome, Scratch, Zip, archive_names, names, problems, read_class, request};

fn with_home(home: &Path) -> Outcome<Inputs> {
    Ok(open(&Request { jdk: JdkChoice::Home(home.to_owned()), ..Request::default() })?)
}

/// A scratch JDK of version 21 with an image of a few classes.
fn modern(scratch: &Scratch, home: &str) -> Outcome<PathBuf> {
    scratch.write(&format!("{home}/lib/modules"), sample(false).bytes())?;
    scratch.write(&format!("{home}/bin/java{}", env::consts::EXE_SUFFIX), "")?;
    scratch.write(&format!("{home}/release"), "IMPLEMENTOR=\"Acme\"\nJAVA_VERSION=\"21.0.1\"\n")?;
    Ok(scratch.path(home))
}

#[test]
fn a_home_its_bundle_and_its_image() -> Outcome {
    let scratch = Scratch::new()?;
    let home = modern(&scratch, "jdk.bundle/Contents/Home")?;
    for named in [home.clone(), scratch.path("jdk.bundle"), home.join("lib/modules")] {
        let inputs = with_home(&named)?;
        let jdk = inputs.jdk.as_ref().ok_or("no JDK")?;
        assert_eq!((jdk.version.as_deref(), jdk.feature), (Some("21.0.1"), Some(21)));
        assert_eq!(jdk.home, home);
        let archive = inputs.archives.values().next().ok_or("no archive")?;
        assert_eq!((archive.kind, archive.origin), (Kind::Image, Origin::Jdk));
        assert_eq!(names(&inputs, &inputs.classes), ["java/lang/Object", "java/sql/Driver"]);
    }
    let lone = scratch.write("modules", sample(true).bytes())?;
    let jdk = with_home(&lone)?.jdk.ok_or("no JDK")?;
    assert_eq!((jdk.home, jdk.version, jdk.feature), (lone, None, None));
    Ok(())
}

#[test]
fn a_jdk_before_9() -> Outcome {
    let scratch = Scratch::new()?;
    let rt = Zip::new().class("java/lang/Object.class", "rt").manifest("Class-Path: jce.jar\r\n");
    scratch.write("jdk8/jre/lib/rt.jar", rt.bytes())?;
    scratch.write("jdk8/jre/lib/jce.jar", Zip::new().class("javax/crypto/Cipher.class", "jce").bytes())?;
    scratch.write("jdk8/jre/lib/ext/zipfs.jar", Zip::new().class("Z.class", "z").bytes())?;
    scratch.write("jdk8/lib/tools.jar", Zip::new().class("Tool.class", "t").bytes())?;
    scratch.write("jdk8/release", "JAVA_VERSION=\"1.8.0_292\"\n")?;
    for home in ["jdk8", "jdk8/jre"] {
        let inputs = with_home(&scratch.path(home))?;
        assert_eq!(archive_names(&inputs), ["rt.jar", "jce.jar", "zipfs.jar"]);
        assert!(inputs.archives.values().all(|archive| archive.origin == Origin::Jdk));
        assert_eq!(inputs.jdk.ok_or("no JDK")?.feature, Some(8));
    }
    Ok(())
}

#[test]
fn a_directory_of_jmods() -> Outcome {
    let scratch = Scratch::new()?;
    for (module, class) in [("java.base", "java/lang/Object"), ("java.sql", "java/sql/Driver")] {
        let zip = Zip::new().class(&format!("classes/{class}.class"), module);
        let bytes = [b"JM\x01\0", &zip.bytes()[..]].concat();
        scratch.write(&format!("jdk/jmods/{module}.jmod"), bytes)?;
    }
    scratch.write("jdk/release", "JAVA_VERSION=\"11\"\n")?;
    for home in ["jdk", "jdk/jmods"] {
        let inputs = with_home(&scratch.path(home))?;
        assert_eq!(names(&inputs, &inputs.classes), ["java/lang/Object", "java/sql/Driver"]);
        assert_eq!(inputs.module(&inputs.classes[1]), Some(&b"java.sql"[..]));
        assert_eq!(inputs.jdk.ok_or("no JDK")?.feature, Some(11));
    }
    Ok(())
}

#[test]
fn no_jdk_where_one_is_named() -> Outcome {
    let scratch = Scratch::new()?;
    scratch.write("empty/lib/modules/not-an-image", "")?;
    let text = scratch.write("text", "hello")?;
    for home in [scratch.path("empty"), text] {
        let outcome = open(&Request { jdk: JdkChoice::Home(home.clone()), ..Request::default() });
        assert!(matches!(outcome, Err(InputError::NoJdk { home: named }) if named == home));
    }
    let gone = Request { jdk: JdkChoice::Home(scratch.path("gone")), ..Request::default() };
    assert!(matches!(open(&gone), Err(InputError::Unreadable { .. })));
    Ok(())
}

#[test]
fn the_environment_leads_to_a_jdk() -> Outcome {
    let scratch = Scratch::new()?;
    let home = modern(&scratch, "opt/jdk")?;
    let auto =
        |environment: Environment| open(&Request { jdk: JdkChoice::Auto, environment, ..Request::default() });
    let by_variable = auto(Environment { java_home: Some(home.clone()), ..Environment::default() })?;
    assert_eq!(by_variable.jdk.map(|jdk| jdk.home), Some(home.clone()));

    let java = home.join("bin").join(format!("java{}", env::consts::EXE_SUFFIX));
    let link = scratch.write("bin/other", "")?.with_file_name(java.file_name().ok_or("no name")?);
    #[cfg(unix)]
    std::os::unix::fs::symlink(&java, &link)?;
    #[cfg(not(unix))]
    std::fs::hard_link(&java, &link)?;
    let folder = if cfg!(unix) { scratch.path("bin") } else { home.join("bin") };
    let environment = Environment {
        java_home: Some(scratch.path("nowhere")),
        path: Some(env::join_paths([scratch.path("empty"), folder])?),
        home: None,
    };
    let by_path = auto(environment)?;
    assert_eq!(by_path.jdk.as_ref().map(|jdk| jdk.home.clone()), Some(home));
    assert_eq!(problems(&by_path), ["nowhere: JAVA_HOME is set to this, but there is no JDK"]);
    Ok(())
}

#[test]
fn the_jdk_wins_over_the_class_path() -> Outcome {
    let scratch = Scratch::new()?;
    let home = modern(&scratch, "jdk")?;
    let jar = Zip::new().class("java/lang/Object.class", "mine").class("java/lang/Mine.class", "mine");
    let jar = scratch.write("a.jar", jar.bytes())?;
    let inputs = open(&Request { jdk: JdkChoice::Home(home), ..request(&[&jar]) })?;
    assert_eq!(names(&inputs, &inputs.classes), ["java/lang/Mine", "java/lang/Object", "java/sql/Driver"]);
    assert_eq!(read_class(&inputs, "java/lang/Object")?, b"object");
    let duplicate = inputs.duplicates[0];
    assert_eq!(inputs.archives[duplicate.kept.archive].origin, Origin::Jdk);
    assert_eq!(inputs.archives[duplicate.hidden.archive].origin, Origin::Input);
    Ok(())
}

#[test]
fn an_image_as_input_is_not_hidden_by_the_jdk() -> Outcome {
    let scratch = Scratch::new()?;
    let home = modern(&scratch, "jdk")?;
    let other = scratch.write("other-modules", sample(true).bytes())?;
    for image in [home.join("lib/modules"), other] {
        let inputs = open(&Request { jdk: JdkChoice::Home(home.clone()), ..request(&[&image]) })?;
        assert_eq!(inputs.archives[inputs.classes[0].archive].origin, Origin::Input);
        assert!(inputs.jdk.is_some());
    }
    Ok(())
}

#[test]
fn an_old_jdk_as_input_is_not_hidden_by_another() -> Outcome {
    let scratch = Scratch::new()?;
    let environment = Environment { java_home: Some(modern(&scratch, "jdk")?), ..Environment::default() };
    let object = Zip::new().class("java/lang/Object.class", "old");
    let whole = object.clone().class("java/lang/String.class", "old");
    for (zip, is_jdk) in [(whole, true), (object, false)] {
        let rt = scratch.write("rt.jar", zip.bytes())?;
        let environment = environment.clone();
        let inputs = open(&Request { jdk: JdkChoice::Auto, environment, ..request(&[&rt]) })?;
        assert_eq!(inputs.jdk.is_none(), is_jdk);
        let expected: &[u8] = if is_jdk { b"old" } else { b"object" };
        assert_eq!(read_class(&inputs, "java/lang/Object")?, expected);
        std::fs::remove_file(rt)?;
    }
    Ok(())
}

#[test]
fn a_home_as_input_is_its_archives() -> Outcome {
    let scratch = Scratch::new()?;
    let home = modern(&scratch, "new")?;
    scratch.write("old/jre/lib/rt.jar", Zip::new().class("java/lang/Object.class", "rt").bytes())?;
    scratch.write("old/src/Demo.class", "demo")?;
    let jmod = [b"JM\x01\0", &Zip::new().class("classes/a/A.class", "a").bytes()[..]].concat();
    scratch.write("jmods-only/m.jmod", &jmod)?;
    scratch.write("app/m.jmod", &jmod)?;
    scratch.write("app/b/B.class", "b")?;
    scratch.write("other/lib/modules", "a list of modules")?;
    scratch.write("other/C.class", "c")?;
    let archive = |path: &Path| -> Outcome<_> {
        let inputs = open(&request(&[path]))?;
        let found: Vec<_> = inputs.archives.values().map(|archive| (archive.kind, archive.origin)).collect();
        Ok((found, names(&inputs, &inputs.classes)))
    };
    let one = |kind: Kind, classes: &[&str]| {
        (vec![(kind, Origin::Input)], classes.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(archive(&home)?, one(Kind::Image, &["java/lang/Object", "java/sql/Driver"]));
    assert_eq!(archive(&scratch.path("old"))?, one(Kind::Jar, &["java/lang/Object"]));
    assert_eq!(archive(&scratch.path("jmods-only"))?, one(Kind::Jmod, &["a/A"]));
    // These only look a little like a JDK.
    assert_eq!(archive(&scratch.path("app"))?, one(Kind::Directory, &["b/B"]));
    assert_eq!(archive(&scratch.path("other"))?, one(Kind::Directory, &["C"]));
    Ok(())
}

/// What the machine has to offer: the binary would fill this in the same way.
fn machine() -> Environment {
    Environment {
        java_home: env::var_os("JAVA_HOME").map(PathBuf::from),
        path: env::var_os("PATH"),
        home: env::var_os("HOME").map(PathBuf::from),
    }
}

#[test]
fn the_jdk_of_this_machine() -> Outcome {
    let request = Request { jdk: JdkChoice::Auto, environment: machine(), ..Request::default() };
    let inputs = open(&request)?;
    if inputs.jdk.is_none() {
        assert!(env::var_os("CI").is_none(), "CI has a JDK");
        return Ok(());
    }
    assert_eq!(problems(&inputs), [""; 0]);
    assert!(inputs.classes.len() > 5000 && inputs.duplicates.is_empty());
    let object = read_class(&inputs, "java/lang/Object")?;
    assert!(object.starts_with(b"\xCA\xFE\xBA\xBE"));
    for entry in inputs.classes.iter().chain(&inputs.modules) {
        let bytes = inputs.read(entry).map_err(|problem| problem.to_string())?;
        assert!(bytes.starts_with(b"\xCA\xFE\xBA\xBE"), "{}", inputs.path(entry));
    }
    Ok(())
}
