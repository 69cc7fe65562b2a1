//! Builds the agent that traces Java programs, which the binary carries with it.
//!
//! The agent is a library for the JVM to load, so that it cannot be linked in: it is built on its own, and embedded as bytes.

use std::env::{self, VarError};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the agent is made of, beside this crate.
const PARTS: [&str; 3] = ["agent", "weave", "classfile"];

fn main() -> ExitCode {
    match build() {
        Ok(library) => {
            println!("cargo::rustc-env=HELIOSTAT_AGENT={}", library.display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("cargo::error=the agent cannot be built: {why}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<PathBuf, String> {
    let crates = variable("CARGO_MANIFEST_DIR").map(PathBuf::from)?.join("..");
    for part in PARTS {
        println!("cargo::rerun-if-changed={}", crates.join(part).display());
    }
    let (target, out) = (variable("TARGET")?, PathBuf::from(variable("OUT_DIR")?).join("agent"));
    let mut cargo = Command::new(variable("CARGO")?);
    cargo.args(["build", "--quiet", "--profile", "agent", "--target", &target]);
    cargo.arg("--manifest-path").arg(crates.join("agent/Cargo.toml")).arg("--target-dir").arg(&out);
    // What is meant for the crates around: a checker in place of the compiler, or where their output goes.
    for around in ["RUSTC_WORKSPACE_WRAPPER", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"] {
        cargo.env_remove(around);
    }
    let status = cargo.status().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("cargo ended with {status}"));
    }
    library(&out.join(target).join("agent"))
}

/// The library, under whichever name this system gives it.
fn library(directory: &Path) -> Result<PathBuf, String> {
    let names = ["libheliostat_agent.so", "libheliostat_agent.dylib", "heliostat_agent.dll"];
    let mut paths = names.iter().map(|name| directory.join(name));
    paths.find(|path| path.is_file()).ok_or_else(|| format!("no library in {}", directory.display()))
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error: VarError| format!("{name}: {error}"))
}
