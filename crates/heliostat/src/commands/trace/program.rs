//! The program that is traced.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use heliostat_core::trace::Exit;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

/// What JVMs read, whoever starts them.
const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";
/// What the agent adds to that for the JVMs that the program starts.
const OWN_OPTION: &str = "HELIOSTAT_TOOL_OPTION";
/// How often is looked whether the program has ended.
const LOOK: Duration = Duration::from_millis(10);

/// A program that runs.
pub(super) struct Program {
    child: Child,
    /// Whether somebody wants it to end.
    terminate: Arc<AtomicBool>,
}

impl Program {
    /// Starts a program, so that JVMs load the agent by this option.
    pub(super) fn start(words: &[OsString], option: &str) -> Result<Self, Failure> {
        let Some((name, arguments)) = words.split_first() else {
            return Err(Failure::Message("no program is given".to_owned()));
        };
        let quoted = quoted(option)?;
        let mut command = Command::new(name);
        command.env(OWN_OPTION, &quoted);
        if is_java(name.as_ref()) {
            command.arg(option);
        } else {
            let others = env::var(TOOL_OPTIONS).unwrap_or_default();
            command.env(TOOL_OPTIONS, format!("{others} {quoted}").trim_start());
        }
        // A terminal sends Ctrl-C to the program as well, and what comes of it is the program's affair.
        let terminate = Arc::new(AtomicBool::new(false));
        let _ = flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
        let _ = flag::register(SIGTERM, Arc::clone(&terminate));
        match command.args(arguments).spawn() {
            Ok(child) => Ok(Self { child, terminate }),
            Err(error) => {
                Err(Failure::Message(format!("cannot start {}: {error}", Path::new(name).display())))
            }
        }
    }

    /// Waits until it has ended, and calls something every now and then until it is true.
    pub(super) fn wait(mut self, look: &mut dyn FnMut() -> Result<bool, Failure>) -> Result<Exit, Failure> {
        let mut is_done = false;
        loop {
            let status = self.child.try_wait();
            let status = status.map_err(|error| Failure::Message(format!("cannot wait: {error}")))?;
            if let Some(status) = status {
                return Ok(status.code().map_or_else(|| signal(status), Exit::Code));
            }
            if self.terminate.swap(false, Ordering::Relaxed) {
                terminate(&mut self.child);
            }
            is_done = is_done || look()?;
            thread::sleep(LOOK);
        }
    }
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Exit {
    Exit::Signal(std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or(0))
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> Exit {
    Exit::Code(1)
}

#[cfg(unix)]
fn terminate(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn terminate(child: &mut Child) {
    let _ = child.kill();
}

/// Whether a program is the launcher of a JVM, which takes the option itself.
fn is_java(program: &Path) -> bool {
    program.file_name().is_some_and(|name| name == "java" || name == "java.exe")
}

/// An option as a JVM reads it from the environment, where spaces separate options.
fn quoted(option: &str) -> Result<String, Failure> {
    let quote = match (option.contains('"'), option.contains('\'')) {
        (false, false) if !option.contains(char::is_whitespace) => return Ok(option.to_owned()),
        (false, _) => '"',
        (true, false) => '\'',
        (true, true) => {
            return Err(Failure::Message(format!("a JVM cannot be given a path with both quotes: {option}")));
        }
    };
    Ok(format!("{quote}{option}{quote}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers() {
        let names = ["java", "/usr/bin/java", "javac", "./java.sh", "run"];
        assert_eq!(names.map(|name| is_java(Path::new(name))), [true, true, false, false, false]);
    }

    #[test]
    fn quotes() {
        let texts = ["-a:x", "-a:x y", "-a:\"x"].map(|text| quoted(text).unwrap());
        assert_eq!(texts, ["-a:x", "\"-a:x y\"", "'-a:\"x'"]);
        assert!(quoted("'\"").is_err());
    }
}
