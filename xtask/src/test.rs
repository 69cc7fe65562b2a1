//! Sets up what the tests need, and runs them all.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::fetch;

/// A tool that the tests start, and the Debian package that has it.
const TOOLS: [(&str, &str); 2] = [("javac", "openjdk-17-jdk-headless"), ("mvn", "maven")];

/// Runs the whole workspace's tests, after installing what is missing and fetching the jars that they read.
pub(crate) fn run(root: &Path) -> Result<()> {
    install_tools()?;
    fetch::run(root, &fetch::Options::for_tests())?;
    let status = Command::new(env!("CARGO")).current_dir(root).args(["test", "--workspace"]).status()?;
    if status.success() { Ok(()) } else { bail!("tests failed") }
}

fn install_tools() -> Result<()> {
    let missing: Vec<&str> =
        TOOLS.iter().filter(|(tool, _)| !is_there(tool)).map(|&(_, package)| package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("install what the tests need: apt-get install {}", missing.join(" "));
    if !is_there("apt-get") || !is_root() {
        bail!("{by_hand}");
    }
    apt_get(&["update", "-q"]).context(by_hand.clone())?;
    apt_get(&[&["install", "-y", "-q", "--no-install-recommends"], &missing[..]].concat()).context(by_hand)
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let status = Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").status()?;
    if status.success() { Ok(()) } else { bail!("apt-get {} failed", arguments.join(" ")) }
}

fn is_there(tool: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(tool).is_file())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
