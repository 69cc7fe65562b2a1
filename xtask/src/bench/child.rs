//! Another program as a child process: what it printed, how it ended, what it cost.
//!
//! The CPU time is read while the child is a zombie, so that it is complete. A zombie has no memory any more, so its
//! peak is looked at while it runs: it is a high-water mark, and only what a child takes in its last hundredth of a
//! second can be missed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::clock::kibibytes;

/// How often the peak of memory is looked at.
const INTERVAL: Duration = Duration::from_millis(10);

/// A child that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// It was killed because it took longer than it was allowed to.
    pub(crate) overdue: bool,
    /// User and system together, of all its threads.
    pub(crate) cpu: Duration,
    pub(crate) peak_bytes: u64,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the command to its end, or until `limit`. What it prints goes to `<log>.out` and `<log>.err`, and stays there.
pub(crate) fn run(command: &mut Command, log: &Path, limit: Option<Duration>) -> Result<Ended> {
    let [stdout, stderr] = ["out", "err"].map(|end| PathBuf::from(format!("{}.{end}", log.display())));
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    }
    let program = command.get_program().to_string_lossy().into_owned();
    let started = Instant::now();
    let mut child = command
        .stdout(File::create(&stdout)?)
        .stderr(File::create(&stderr)?)
        .spawn()
        .with_context(|| format!("starting {program}"))?;
    let id = Pid::from_child(&child);
    let (mut peak_bytes, mut overdue) = (0, false);
    while !has_ended(id)? {
        peak_bytes = peak_bytes.max(peak_of(id).unwrap_or(0));
        if !overdue && limit.is_some_and(|limit| started.elapsed() > limit) {
            overdue = true;
            child.kill()?;
        }
        thread::sleep(INTERVAL);
    }
    let cpu = cpu_of(id)?;
    let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended {
        status: child.wait()?,
        overdue,
        cpu,
        peak_bytes,
        stdout: text(&stdout)?,
        stderr: text(&stderr)?,
    })
}

/// Looks, and leaves the child to be waited for.
fn has_ended(id: Pid) -> Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(id), options)?.is_some())
}

fn peak_of(id: Pid) -> Option<u64> {
    kibibytes(&fs::read_to_string(format!("/proc/{id}/status")).ok()?, "VmHWM")
}

fn cpu_of(id: Pid) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).context("CPU time is known on Linux only")?;
    let ticks = ticks(&stat).context("no CPU time in /proc/*/stat")?;
    Ok(Duration::from_millis(ticks * 1000 / clock_ticks_per_second()))
}

/// `utime` and `stime`, the 14th and 15th field. The second is the program's name, which may hold anything.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    fn shell(script: &str, limit: Option<Duration>) -> Ended {
        let folder = env::temp_dir().join(format!("xtask-child-{}-{}", std::process::id(), script.len()));
        let ended = run(Command::new("sh").args(["-c", script]), &folder.join("a.b"), limit).unwrap();
        assert_eq!(fs::read_to_string(folder.join("a.b.out")).unwrap(), ended.stdout);
        fs::remove_dir_all(&folder).unwrap();
        ended
    }

    #[test]
    fn a_child_is_measured() {
        let work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo out; echo err >&2; exit 3";
        let ended = shell(work, None);
        assert_eq!((ended.status.code(), ended.overdue), (Some(3), false));
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("out\n", "err\n"));
        assert!(ended.cpu > Duration::ZERO && ended.cpu < Duration::from_secs(60), "{:?}", ended.cpu);
        assert!((1 << 16..1 << 30).contains(&ended.peak_bytes), "{}", ended.peak_bytes);
    }

    #[test]
    fn an_overdue_child_is_killed() {
        let ended = shell("exec sleep 60", Some(Duration::from_millis(30)));
        assert!(ended.overdue && !ended.status.success());
    }

    #[test]
    fn ticks_are_found_behind_an_odd_name() {
        let stat = "42 (a) b) Z 1 2 3 4 5 6 7 8 9 10 120 34 0 0 20 0 1";
        assert_eq!(ticks(stat), Some(154));
        assert_eq!(ticks("42 (a) Z 1 2"), None);
    }
}
