//! What the tests share: running the binary, a scratch directory, and writers of class files and jars.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the binary, its output piped.
pub(crate) fn run<S: AsRef<OsStr>>(arguments: &[S]) -> Run {
    let output = command(arguments).output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The same, where whoever reads its output goes away at once.
pub(crate) fn run_unread<S: AsRef<OsStr>>(arguments: &[S]) -> Run {
    let child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    let stderr = String::from_utf8(output.stderr).expect("what it tells is UTF-8");
    Run { code: output.status.code(), stdout: String::new(), stderr }
}

/// What a run has printed, as JSON.
pub(crate) fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.stdout).expect(&run.stdout)
}

pub(crate) fn command<S: AsRef<OsStr>>(arguments: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heliostat"));
    command.args(arguments);
    command
}

/// The sample program.
pub(crate) const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/demo.jar");

/// Whether there is a JDK to test with; on CI there has to be one.
pub(crate) fn has_jdk() -> bool {
    let found = !run(&["info", DEMO]).stdout.contains("no JDK");
    assert!(found || env::var_os("CI").is_none(), "CI must have a JDK");
    found
}

/// Compiles Java sources, each given by its path and its text, into a directory of the scratch one; none if there is no
/// compiler, which CI must have.
pub(crate) fn compile(scratch: &Scratch, sources: &[(&str, &str)]) -> Option<String> {
    let home = jdk_home()?;
    let paths: Vec<String> =
        sources.iter().map(|(path, text)| scratch.write(&format!("src/{path}"), text.as_bytes())).collect();
    let classes = scratch.path().join("classes");
    let javac = home.join("bin/javac");
    if !javac.exists() {
        assert!(env::var_os("CI").is_none(), "CI must have a Java compiler");
        return None;
    }
    let output =
        Command::new(javac).arg("-g").arg("-d").arg(&classes).args(paths).output().expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(classes.to_str().expect("a path in UTF-8").to_owned())
}

/// Takes some classes of the JDK's base module, given by regular expressions for their names, into a directory of the
/// scratch one; none if there is nothing to take them with.
pub(crate) fn some_of_jdk(scratch: &Scratch, classes: &[&str]) -> Option<String> {
    let home = jdk_home()?;
    let jimage = home.join("bin/jimage");
    if !jimage.exists() {
        return None;
    }
    let directory = scratch.path().join("jdk");
    let patterns: Vec<String> =
        classes.iter().map(|class| format!("regex:/java.base/{class}\\.class")).collect();
    let mut command = Command::new(jimage);
    command.arg("extract").arg("--include").arg(patterns.join(",")).arg("--dir").arg(&directory);
    let output = command.arg(home.join("lib/modules")).output().expect("jimage runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    Some(directory.join("java.base").to_str().expect("a path in UTF-8").to_owned())
}

/// The home of the JDK that the binary finds.
pub(crate) fn jdk_home() -> Option<PathBuf> {
    if !has_jdk() {
        return None;
    }
    let info = json(&run(&["info", DEMO, "--format", "json"]));
    info["jdk"]["home"].as_str().map(PathBuf::from)
}

/// A directory that goes away with its value.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("heliostat-cli-{}-{number}", process::id()));
        fs::create_dir_all(&path).expect("a scratch directory");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with the directories above it; returns its path.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a path in UTF-8").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A class file with static methods without parameters or result, each given by its name and its code.
pub(crate) fn class(name: &str, methods: &[(&str, &[u8])]) -> Vec<u8> {
    class_below("java/lang/Object", name, methods, &[])
}

/// The same with a superclass, and with more entries of the constant pool, which follow the names of the methods: the first
/// has number 7 if there are none. Number 2 is the class itself, number 5 is `()V`.
pub(crate) fn class_below(parent: &str, name: &str, methods: &[(&str, &[u8])], more: &[Vec<u8>]) -> Vec<u8> {
    let mut pool = vec![utf8(name), vec![7, 0, 1], utf8(parent), vec![7, 0, 3], utf8("()V"), utf8("Code")];
    pool.extend(methods.iter().map(|(name, _)| utf8(name)));
    pool.extend_from_slice(more);
    let mut bytes = b"\xCA\xFE\xBA\xBE\0\0\0\x34".to_vec();
    bytes.extend((pool.len() as u16 + 1).to_be_bytes());
    bytes.extend(pool.concat());
    // Flags, this class, superclass, no interfaces, no fields.
    bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0]);
    bytes.extend((methods.len() as u16).to_be_bytes());
    for (index, (_, code)) in (7_u16..).zip(methods) {
        bytes.extend([0, 8]);
        bytes.extend(index.to_be_bytes());
        bytes.extend([0, 5, 0, 1, 0, 6]);
        bytes.extend((code.len() as u32 + 12).to_be_bytes());
        bytes.extend([0, 1, 0, 1]);
        bytes.extend((code.len() as u32).to_be_bytes());
        bytes.extend(*code);
        bytes.extend([0, 0, 0, 0]);
    }
    bytes.extend([0, 0]);
    bytes
}

/// A text in a constant pool.
pub(crate) fn utf8(text: &str) -> Vec<u8> {
    // Beyond the BMP a class file has surrogates, each as if it were a character of three bytes.
    let three = |unit: u16| [0xE0 | unit >> 12, 0x80 | unit >> 6 & 0x3F, 0x80 | unit & 0x3F].map(|b| b as u8);
    let unit = |unit: u16| if unit < 0x80 { vec![unit as u8] } else { three(unit).to_vec() };
    let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
    [&[1][..], &(bytes.len() as u16).to_be_bytes(), &bytes].concat()
}

/// A jar of stored entries.
pub(crate) fn jar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut local, mut central) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let offset = local.len() as u32;
        let size = (bytes.len() as u32).to_le_bytes();
        let crc = crc(bytes).to_le_bytes();
        // Nothing is said of flags, and the entries are stored at no known time.
        let common = [&[0; 8][..], &crc, &size, &size, &(name.len() as u16).to_le_bytes(), &[0, 0]].concat();
        local.extend([b"PK\x03\x04\x14\0", &common[..], name.as_bytes(), bytes].concat());
        central.extend([b"PK\x01\x02\x14\0\x14\0", &common[..], &[0; 10]].concat());
        central.extend(offset.to_le_bytes());
        central.extend(name.as_bytes());
    }
    let count = (entries.len() as u16).to_le_bytes();
    let (size, start) = ((central.len() as u32).to_le_bytes(), (local.len() as u32).to_le_bytes());
    [&local[..], &central, b"PK\x05\x06\0\0\0\0", &count, &count, &size, &start, &[0, 0]].concat()
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xEDB8_8320 },
        )
    })
}
