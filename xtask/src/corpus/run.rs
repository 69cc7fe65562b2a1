//! One run of a program under `heliostat trace`, in a folder of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use super::{Subject, requests};

/// Where programs run, below the root.
const FOLDER: &str = ".cache/corpus";

/// No workload takes so long, even traced.
const LIMIT: Duration = Duration::from_secs(10 * 60);

/// How often is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(50);

/// Runs it once; gives the folder of its trace.
pub(super) fn record(root: &Path, subject: &Subject, binary: &Path) -> Result<PathBuf> {
    let folder = root.join(FOLDER).join(&subject.name);
    let (work, trace) = (folder.join("work"), folder.join("trace"));
    for old in [&work, &trace] {
        if old.exists() {
            fs::remove_dir_all(old).with_context(|| format!("removing {}", old.display()))?;
        }
    }
    prepare(root, subject, &work)?;
    let mut command = Command::new(binary);
    command.current_dir(&work).args(["trace", "--quiet", "--output"]).arg(&trace).arg("--");
    command.arg(subject.jdk_home.join("bin/java")).args(&subject.workload.jvm);
    command.arg("-cp").arg(class_path(root, subject)?).arg(&subject.main).args(&subject.workload.arguments);
    let log = |end: &str| File::create(folder.join(format!("run.{end}")));
    let mut child = command.stdout(log("out")?).stderr(log("err")?).spawn().context("starting it")?;
    let status = finish(subject, &mut child)?;
    let wanted = subject.workload.exit;
    ensure!(status.code() == Some(wanted), "it ended with {status}, not {wanted}: see run.err");
    Ok(trace)
}

/// A fresh folder with the files that it works on.
fn prepare(root: &Path, subject: &Subject, work: &Path) -> Result<()> {
    fs::create_dir_all(work)?;
    let files = root.join(&subject.files);
    if files.is_dir() {
        copy(&files, work)?;
    }
    for archive in &subject.data {
        let mut jar = Command::new(subject.jdk_home.join("bin/jar"));
        let archive = root.join(archive);
        let status = jar.current_dir(work).args(["--extract", "--file"]).arg(&archive).status()?;
        ensure!(status.success(), "{} cannot be unpacked", archive.display());
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn class_path(root: &Path, subject: &Subject) -> Result<std::ffi::OsString> {
    let paths = subject.inputs.iter().map(|input| root.join(input).canonicalize());
    Ok(std::env::join_paths(paths.collect::<std::io::Result<Vec<_>>>()?)?)
}

/// Asks a server what it is to be asked and tells it to end; waits for the end of everything else.
fn finish(subject: &Subject, child: &mut Child) -> Result<ExitStatus> {
    let started = Instant::now();
    if let Some(port) = subject.workload.port {
        let asked = requests::ask(port, &subject.workload.requests, || Ok(child.try_wait()?.is_some()));
        terminate(child);
        asked?;
    }
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if started.elapsed() > LIMIT {
            terminate(child);
            bail!("it takes longer than {} s", LIMIT.as_secs());
        }
        thread::sleep(LOOK);
    }
}

/// Heliostat passes it on to the program, and makes the files of the trace when that has ended.
fn terminate(child: &Child) {
    // One that has just ended needs no telling.
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
}
