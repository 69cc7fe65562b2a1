//! What holds for every command: exit codes, messages, pipes.

use crate::support::{DEMO, Scratch, class, command, has_jdk, jar, run, run_unread};

#[test]
fn the_demo_needs_nothing() {
    let run = run(&["demo", "--jdk", "none"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let analyze = "$ heliostat analyze demo.jar\ndemo.jar (4 classes) with no JDK, ";
    for expected in ["$ heliostat info demo.jar", "demo/spi/Audit", " Ldemo/Main;.load(", analyze] {
        assert!(run.stdout.contains(expected), "{expected}: {}", run.stdout);
    }
}

#[test]
fn a_path_that_is_not_there() {
    let run = run(&["info", "nowhere.jar", "--jdk", "none"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("heliostat: error: cannot read nowhere.jar: "), "{}", run.stderr);
}

#[test]
fn a_file_that_is_no_program() {
    let scratch = Scratch::new();
    let path = scratch.write("a.txt", b"hello");
    let run = run(&["info", &path, "--jdk", "none"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("heliostat: error: no class could be read from the inputs\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn inputs_without_a_class() {
    let scratch = Scratch::new();
    let empty = scratch.write("empty.txt", b"");
    let of_jars = scratch.write("jars/lib/a.jar", &jar(&[("A.class", &class("A", &[("m", b"\xB1")]))]));
    let of_jars = of_jars.trim_end_matches("/lib/a.jar");
    let resources = scratch.write("r.jar", &jar(&[("a.txt", b"hello")]));
    std::fs::create_dir(scratch.path().join("none")).expect("a directory");
    let none = scratch.path().join("none").to_str().expect("UTF-8").to_owned();
    let jars = format!("\n  {of_jars} has jars, which were not read; name them, or use '{of_jars}/lib/*'\n");
    for (input, hint) in [
        (of_jars, jars.as_str()),
        (&format!("@{empty}"), "\n  they lead to no file\n"),
        (&resources, "\n  they hold other files only (1)\n"),
        (&none, ""),
    ] {
        for command in [&["info"][..], &["ir", "--method", "m"]] {
            let told = run(&[command, &[input, "--jdk", "none"]].concat());
            assert_eq!(told.code, Some(2), "{input}");
            let expected = format!("heliostat: error: no class could be read from the inputs{hint}");
            assert!(told.stderr.contains(&expected), "{expected}: {}", told.stderr);
        }
    }
    assert_eq!(run(&["info", &format!("{of_jars}/lib/*"), "--jdk", "none"]).code, Some(0));
    let nameless = run(&["info", "", "--jdk", "none"]);
    assert!(nameless.code == Some(2) && nameless.stderr.contains("it is empty"), "{}", nameless.stderr);
}

#[test]
fn habits_from_java() {
    let scratch = Scratch::new();
    let lib = scratch.write("lib.jar", &jar(&[("c/C.class", &class("c/C", &[]))]));
    for option in ["-cp", "--cp", "--classpath", "--class-path", "-classpath"] {
        let told = run(&["info", DEMO, "--jdk", "none", option, &lib]);
        assert!(told.stdout.contains("\n  class path  "), "{option}: {} {}", told.stdout, told.stderr);
    }
    let told = run(&["info", DEMO, "--jdk", "3"]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("no JDK 3 in the usual folders"), "{}", told.stderr);
}

#[test]
fn a_jdk_by_its_version() {
    let scratch = Scratch::new();
    scratch.write("jdk/release", b"JAVA_VERSION=\"1.7.0_80\"\n");
    scratch.write("jdk/jre/lib/rt.jar", &jar(&[("java/lang/Object.class", &class("java/lang/Object", &[]))]));
    let told = command(&["info", DEMO, "--jdk", "7"])
        .env("JAVA_HOME", scratch.path().join("jdk"))
        .output()
        .expect("a run");
    let text = String::from_utf8_lossy(&told.stdout);
    assert!(text.contains("\n  JDK 1.7.0_80 "), "{text}");
    assert!(
        text.contains("Warning: the inputs need Java 11, the JDK is 7; choose another with --jdk"),
        "{text}"
    );
}

#[test]
fn bad_usage() {
    for arguments in [&["info"][..], &["info", "--nonsense", DEMO], &["nonsense"], &["ir", DEMO]] {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.starts_with("heliostat: error: "), "{}", run.stderr);
    }
    let bare = run::<&str>(&[]);
    assert_eq!(bare.code, Some(2));
    assert!(bare.stderr.contains("Usage: heliostat"), "{}", bare.stderr);
}

#[test]
fn help_and_version() {
    let help = run(&["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    for expected in ["Examples:", "Exit codes:", "  2  bad usage", "heliostat generate completions bash"] {
        assert!(help.stdout.contains(expected), "{expected}: {}", help.stdout);
    }
    assert!(help.stdout.contains("  3  a limit or Ctrl-C ended the analysis"), "{}", help.stdout);
    assert_eq!(run(&["help"]).stdout, help.stdout);
    let ir = run(&["help", "ir"]);
    assert_eq!(ir.code, Some(0));
    for expected in ["Patterns:", "<init>", "a pattern without a match"] {
        assert!(ir.stdout.contains(expected), "{expected}: {}", ir.stdout);
    }
    for (command, expected) in [
        (
            "analyze",
            &[
                "Kinds of gaps",
                "  reflection  the method of the reflection API",
                "  missing.tsv ",
                "  3  a limit",
            ][..],
        ),
        ("callgraph", &["Kinds of edges:\n", "  clinit ", "  implicit ", "--app-only", "# incomplete"]),
        (
            "metadata",
            &["Conditions:\n", "java.lang.Object", "--merge", "--scope", "  1  --check found a difference"],
        ),
        ("keep", &["-keepclassmembers ", "--check", "  1  --check found a difference"]),
    ] {
        let help = run(&[command, "--help"]).stdout;
        for expected in expected {
            assert!(help.contains(expected), "{expected}: {help}");
        }
        let widest = help.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{widest:?}: {help}");
    }
    assert_eq!(run(&["--version"]).stdout, concat!("heliostat ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn man_pages_and_completions_are_generated() {
    let man = run(&["generate", "man"]).stdout;
    assert!(man.contains(".TH heliostat 1"));
    let line = "  heliostat info app.jar                           what is in a jar, and what it misses\n";
    assert!(man.contains(".SH EXAMPLES\n.nf\n") && man.contains(line), "{man}");
    assert!(run(&["generate", "man", "info"]).stdout.contains(".TH heliostat-info 1"));
    assert_eq!(run(&["generate", "man", "nonsense"]).code, Some(2));
    for shell in ["bash", "zsh", "fish"] {
        assert!(run(&["generate", "completions", shell]).stdout.contains("heliostat"), "{shell}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in [
        &["demo", "--jdk", "none"][..],
        &["info", DEMO, "--jdk", "none", "--format", "json"],
        &["analyze", DEMO, "--jdk", "none", "-q"],
        &["callgraph", DEMO, "--jdk", "none", "-q"],
        &["metadata", DEMO, "--jdk", "none", "-q"],
        &["keep", DEMO, "--jdk", "none", "-q"],
        &["why", "Main.main", DEMO, "--jdk", "none", "-q"],
    ] {
        let told = run_unread(arguments);
        assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_makes_nothing_complete() {
    if !has_jdk() {
        return;
    }
    for command in [
        &["analyze"][..],
        &["analyze", "--format", "json"],
        &["callgraph"],
        &["callgraph", "--format", "json"],
        &["callgraph", "--format", "dot"],
        &["metadata"],
        &["keep"],
        &["why", "demo.Main.main"],
        &["why", "demo.Main.main", "--format", "json"],
    ] {
        let told = run_unread(&[command, &[DEMO, "--time-limit", "0"]].concat());
        assert_eq!(told.code, Some(3), "{command:?}: {}", told.stderr);
        assert!(told.stderr.ends_with("the result is incomplete\n"), "{}", told.stderr);
    }
}
