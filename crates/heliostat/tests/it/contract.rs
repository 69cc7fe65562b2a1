//! What holds for every command: exit codes, messages, pipes.

use std::process::Stdio;

use crate::support::{DEMO, Scratch, command, run};

#[test]
fn the_demo_needs_nothing() {
    let run = run(&["demo", "--jdk", "none"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for expected in ["$ heliostat info demo.jar", "demo/spi/Audit", "method Ldemo/Main;.load("] {
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
        run.stderr.ends_with("heliostat: error: no class could be read from the inputs\n"),
        "{}",
        run.stderr
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
    for expected in ["Examples:", "Exit codes:", "  3  a budget ended"] {
        assert!(help.stdout.contains(expected), "{expected}: {}", help.stdout);
    }
    assert_eq!(run(&["--version"]).stdout, concat!("heliostat ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn man_pages_and_completions_are_generated() {
    assert!(run(&["generate", "man"]).stdout.contains(".TH heliostat 1"));
    assert!(run(&["generate", "man", "info"]).stdout.contains(".TH heliostat-info 1"));
    assert_eq!(run(&["generate", "man", "nonsense"]).code, Some(2));
    for shell in ["bash", "zsh", "fish"] {
        assert!(run(&["generate", "completions", shell]).stdout.contains("heliostat"), "{shell}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in [&["demo", "--jdk", "none"][..], &["info", DEMO, "--jdk", "none", "--format", "json"]] {
        let mut child =
            command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a child");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}
