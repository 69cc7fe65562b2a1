//! What the numbers were measured on: enough to judge them by, nothing that names the machine.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::clock::kibibytes;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) memory_bytes: u64,
    pub(crate) kernel: String,
    pub(crate) rustc: String,
    /// The commit measured; `-dirty` follows if files that are under version control were changed after it.
    pub(crate) commit: String,
}

impl Machine {
    pub(crate) fn describe(root: &Path) -> Result<Self> {
        let memory = read("/proc/meminfo")?;
        let commit = output(root, "git", &["rev-parse", "HEAD"])?;
        let status = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"];
        let changed = !output(root, "git", &status)?.is_empty();
        Ok(Self {
            cpu: cpu_model(&read("/proc/cpuinfo")?).unwrap_or("unknown").to_owned(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: kibibytes(&memory, "MemTotal").context("no MemTotal in /proc/meminfo")?,
            kernel: read("/proc/sys/kernel/osrelease")?.trim().to_owned(),
            rustc: output(root, "rustc", &["--version"])?,
            commit: if changed { format!("{commit}-dirty") } else { commit },
        })
    }

    /// How kept results begin: by which command they came about, and on what.
    pub(crate) fn text(&self, command: &str) -> String {
        let Self { cpu, cores, memory_bytes, kernel, rustc, .. } = self;
        let memory = memory_bytes >> 20;
        format!(
            "`cargo xtask {command}`; the columns are explained in ../NOTES.md.\n\n- {cpu}, {cores} cores, \
             {memory} MiB; Linux {kernel}\n- {rustc}\n"
        )
    }
}

fn cpu_model(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {path}"))
}

fn output(root: &Path, program: &str, arguments: &[&str]) -> Result<String> {
    let called = || format!("running {program} {}", arguments.join(" "));
    let output = Command::new(program).args(arguments).current_dir(root).output().with_context(called)?;
    ensure!(output.status.success(), "{}: {}", called(), String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// One that is not there.
    pub(crate) fn machine() -> Machine {
        Machine {
            cpu: "Acme".to_owned(),
            cores: 2,
            memory_bytes: 1 << 30,
            kernel: "6".to_owned(),
            rustc: "rustc 1".to_owned(),
            commit: "abc".to_owned(),
        }
    }

    #[test]
    fn the_model_is_the_first_processors() {
        let text = "processor\t: 0\nmodel name\t: Acme 9 @ 3 GHz\n\nprocessor\t: 1\nmodel name\t: Acme 9\n";
        assert_eq!(cpu_model(text), Some("Acme 9 @ 3 GHz"));
        assert_eq!(cpu_model("processor: 0\n"), None);
    }
}
