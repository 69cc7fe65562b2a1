//! Only the binary prints, reads the environment or exits; below `core`, only `input` touches files.
//!
//! A scan of words, not of meaning: it looks at code outside tests and comments and relies on rustfmt's layout.

use super::Finding;
use super::tree::{SourceFile, Tree};

/// The binary, and the crate that runs the Markdown tests.
const MAY_SPEAK: &[&str] = &["heliostat", "mdtest", "agent"];

/// `input`, and everything that does not lie below `core`.
const MAY_TOUCH_FILES: &[&str] = &["input", "core", "report", "heliostat", "mdtest", "oracle", "agent"];

/// Beginnings of words: `env::var` is also `env::var_os`. What `std::env` merely computes is not meant.
const SPEECH: &[&str] = &[
    "env::args",
    "env::current_",
    "env::home_dir",
    "env::temp_dir",
    "env::var",
    "process::abort",
    "process::exit",
    "print!",
    "println!",
    "eprint!",
    "eprintln!",
    "dbg!",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust_files().filter(|file| !is_test(&file.path)).flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<Finding> {
    let Some(library) = file.library() else { return Vec::new() };
    let mut findings = Vec::new();
    for (number, line) in code_lines(&file.text) {
        if !MAY_SPEAK.contains(&library) {
            findings.extend(SPEECH.iter().filter(|word| has_word(line, word)).map(|word| {
                let message = format!("`{word}`: only the binary prints, reads the environment or exits");
                Finding::new(&file.path, number, message)
            }));
        }
        if !MAY_TOUCH_FILES.contains(&library) && has_word(line, "fs::") {
            findings.push(Finding::new(
                &file.path,
                number,
                "`fs::`: below `core`, only `input` touches files",
            ));
        }
    }
    findings
}

/// Test modules that live in files of their own.
fn is_test(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "tests.rs"))
}

/// The lines outside comments and outside items under `#[cfg(test)]`.
fn code_lines(text: &str) -> Vec<(usize, &str)> {
    let mut code = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if line == "#[cfg(test)]" && lines.clone().next().is_some_and(|(_, next)| opens_module(next)) {
            // Clippy forbids items after the test module, and strings in it may look like its end.
            break;
        }
        if line.trim_start() == "#[cfg(test)]" {
            skip_item(&mut lines, line.len() - line.trim_start().len());
        } else if !line.trim_start().starts_with("//") {
            code.push((number, line.split(" // ").next().unwrap_or(line)));
        }
    }
    code
}

fn opens_module(line: &str) -> bool {
    line.contains("mod ") && line.ends_with('{')
}

/// Skips to the end of the item that begins at this indentation.
fn skip_item<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>, indent: usize) {
    let ends = |line: &str| {
        let (margin, rest) = line.split_at_checked(indent).unwrap_or(("", line));
        let attribute = rest.starts_with("#[");
        margin.trim().is_empty() && !rest.starts_with(' ') && !attribute && rest.ends_with([';', '}', ','])
    };
    lines.find(|(_, line)| ends(line));
}

/// Whether `word` stands in the line and does not merely end a longer name.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    const NONE: [usize; 0] = [];

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&tree(path, text)).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn libraries_neither_speak_nor_touch_files() {
        let text = "fn f() {\n    println!(\"a\");\n    std::env::var(\"A\");\n    std::process::exit(1);\n    \
                    dbg!(1);\n    fs::read(\"a\");\n}\n";
        assert_eq!(lines("crates/ir/src/lib.rs", text), [2, 3, 4, 5, 6]);
        assert_eq!(lines("crates/input/src/lib.rs", text), [2, 3, 4, 5]);
        assert_eq!(lines("crates/heliostat/src/main.rs", text), NONE);
        assert_eq!(lines("crates/ir/tests/a.rs", text), NONE);
        assert_eq!(lines("crates/ir/src/lower/tests.rs", text), NONE);
        assert_eq!(lines("xtask/src/main.rs", text), NONE);
    }

    #[test]
    fn longer_names_and_comments_are_not_meant() {
        let text = "/// Like println!(\"a\").\nmy_dbg!(1); // not dbg!(2)\nlet a = my_fs::read();\nenv!(\"A\");\nstd::env::split_paths(a);\n";
        assert_eq!(lines("crates/ir/src/lib.rs", text), NONE);
    }

    #[test]
    fn code_under_cfg_test_is_free() {
        let item = "impl A {\n    #[cfg(test)]\n    #[allow(x)]\n    fn f() {\n        dbg!(1);\n    }\n\n    \
                    fn g() {\n        dbg!(1);\n    }\n}\n";
        assert_eq!(lines("crates/ir/src/lib.rs", item), [9]);
        let import = "#[cfg(test)]\nuse std::fs::File;\nuse std::fs::read;\n";
        assert_eq!(lines("crates/ir/src/lib.rs", import), [3]);
        let module =
            "#[cfg(test)]\nmod tests {\n    const A: &str = \"\n}\n\";\n    fn f() { dbg!(1); }\n}\n";
        assert_eq!(lines("crates/ir/src/lib.rs", module), NONE);
        let module_file = "#[cfg(test)]\nmod tests;\nfn f() {\n    dbg!(1);\n}\n";
        assert_eq!(lines("crates/ir/src/lib.rs", module_file), [4]);
    }
}
