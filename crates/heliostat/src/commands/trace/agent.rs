//! The agent that this binary carries with it, as a file that JVMs can load.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, process};

use crate::failure::Failure;

static AGENT: &[u8] = include_bytes!(env!("HELIOSTAT_AGENT"));

/// A file of nobody else's, which goes away with its value.
pub(super) struct AgentFile {
    path: PathBuf,
    kept: bool,
}

impl AgentFile {
    pub(super) fn new() -> Result<Self, Failure> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let name = format!("heliostat-agent-{}-{now}{}", process::id(), env::consts::DLL_SUFFIX);
        let path = env::temp_dir().join(name);
        let file = Self { path, kept: false };
        match file.write() {
            Ok(()) => Ok(file),
            Err(error) => {
                Err(Failure::Message(format!("cannot write the agent to {}: {error}", file.path.display())))
            }
        }
    }

    fn write(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o755);
        options.open(&self.path)?.write_all(AGENT)
    }

    /// The option by which a JVM loads it, to write below a directory.
    pub(super) fn option(&self, directory: &Path) -> Result<String, Failure> {
        match (self.path.to_str(), directory.to_str()) {
            (Some(library), Some(directory)) if !library.contains('=') => {
                Ok(format!("-agentpath:{library}={directory}"))
            }
            _ => Err(Failure::Message(format!(
                "a JVM cannot be given these paths: {} (without `=`), {}",
                self.path.display(),
                directory.display()
            ))),
        }
    }

    /// Leaves the file where it is.
    pub(super) fn keep(&mut self) {
        self.kept = true;
    }
}

impl Drop for AgentFile {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}
