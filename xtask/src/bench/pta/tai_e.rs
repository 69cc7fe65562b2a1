//! Tai-e's side: its published jar on the same program, JDK and options, and the counts in its log.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::LOGS;
use super::applications::Application;
use super::row::{Counts, End, Run};
use super::unpack;
use crate::bench::child;
use crate::fetch;
use crate::programs::{Manifest, Shelf};

const NAME: &str = "tai-e";

/// One object for all string constants, and no reflection: what `--reflection none` means. The rest is its default:
/// strings, string builders and exceptions are merged by type, and what the JVM itself calls is an entry.
const OPTIONS: &str = "only-app:false;distinguish-string-constants:null;reflection-inference:null";

/// The parallel collector costs it less CPU and less memory than the default one. At the end of its memory the exit
/// code is 3, as Heliostat's at the end of a budget.
const JVM_OPTIONS: [&str; 2] = ["-XX:+UseParallelGC", "-XX:+ExitOnOutOfMemoryError"];

pub(super) struct TaiE {
    /// With its version.
    pub(super) name: String,
    root: PathBuf,
    jars: Vec<PathBuf>,
    main: String,
    limit: Duration,
    heap_gib: u64,
}

impl TaiE {
    pub(super) fn fetch(root: &Path, limit: Duration, heap_gib: u64) -> Result<Self> {
        fetch::run(root, &fetch::Options::for_peer(NAME))?;
        let manifest = Manifest::load(root, Shelf::Peers)?;
        let peer = *manifest.select(&[NAME.to_owned()], false)?.first().context("no such peer")?;
        let itself = &peer.artifacts.first().context("no artifacts")?.id;
        Ok(Self {
            name: format!("{} {}", itself.artifact, itself.version),
            root: root.to_owned(),
            jars: peer.artifacts.iter().map(|artifact| peer.jar(Path::new(""), artifact)).collect(),
            main: peer.main.clone().context("no main class")?,
            limit,
            heap_gib,
        })
    }

    pub(super) fn run(&self, application: &Application, context: &str) -> Result<Run> {
        let folder = Path::new(LOGS).join(format!("{}-{context}-{NAME}", application.subject.name));
        let mut command = self.command(application, context, &folder)?;
        let ended = child::run(&mut command, &self.root.join(&folder), Some(self.limit))?;
        // What it keeps of Soot and of its options is of no use later.
        fs::remove_dir_all(self.root.join(&folder)).ok();
        let end = End::of(&ended, self.limit, "out of memory");
        let counts = counts(&ended.stdout);
        if end == End::Complete && counts.is_none() {
            bail!("no counts in its log, {}.out", folder.display());
        }
        Ok(Run::new(&ended, end, counts))
    }

    /// Everything is on its class path and not on its application class path: so it loads only what is referred to.
    fn command(&self, application: &Application, context: &str, folder: &Path) -> Result<Command> {
        let Application { subject, main } = application;
        let main = main.as_deref().context("no main class")?;
        let mut command = Command::new(subject.jdk_home.join("bin/java"));
        command.current_dir(&self.root);
        command.args(JVM_OPTIONS).arg(format!("-Xmx{}g", self.heap_gib));
        command.arg("-cp").arg(env::join_paths(&self.jars)?).arg(&self.main);
        command.args(["--prepend-JVM", "--allow-phantom", "--main-class", main]);
        for path in class_path(&self.root, application)? {
            command.arg("--class-path").arg(path);
        }
        command.arg("--output-dir").arg(folder);
        command.arg("-a").arg(format!("pta=cs:{};{OPTIONS}", selector(context)?));
        command.args(["-a", "may-fail-cast", "-a", "poly-call"]);
        Ok(command)
    }
}

/// Its front end reads no jars inside jars.
fn class_path(root: &Path, application: &Application) -> Result<Vec<OsString>> {
    let subject = &application.subject;
    let mut paths = Vec::new();
    for input in &subject.inputs {
        paths.extend(unpack::flat(root, &subject.name, Path::new(input), &subject.jdk_home)?);
    }
    Ok(paths)
}

/// Its name of a context: `ci` for `insens`, `2-obj` for `2obj`. The heap's contexts are one shorter, as ours.
pub(super) fn selector(context: &str) -> Result<String> {
    if context == "insens" {
        return Ok("ci".to_owned());
    }
    let digits = context.len() - context.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match context.split_at(digits) {
        (depth, kind @ ("call" | "obj" | "type")) if !depth.is_empty() => Ok(format!("{depth}-{kind}")),
        _ => bail!("{NAME} has no context like {context:?}"),
    }
}

/// What its log says it found; `None` if it did not come so far.
fn counts(log: &str) -> Option<Counts> {
    Some(Counts {
        reachable_methods: statistic(log, "#reachable methods:", "(insens)")?,
        call_edges: statistic(log, "#call graph edges:", "(insens)")?,
        poly_calls: found(log, "#poly-call:")?,
        may_fail_casts: found(log, "#may-fail-cast:")?,
        var_points_to: statistic(log, "#var points-to:", "(sens)")?,
    })
}

/// The number before `kind` in a line such as `#var points-to:   636,3308 (insens) / 636,3308 (sens)`.
fn statistic(log: &str, key: &str, kind: &str) -> Option<u64> {
    let values = log.lines().find_map(|line| line.strip_prefix(key))?;
    let value = values.split('/').find_map(|value| value.trim().strip_suffix(kind))?;
    value.trim().replace(',', "").parse().ok()
}

/// The number in the line of all code; one of the application alone follows.
fn found(log: &str, key: &str) -> Option<u64> {
    let line = log.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" found "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
[Tai-e] starts ...
10554 classes with 107396 methods in the world
[Pointer analysis] elapsed time: 25.43s; CPU usage: start 100.00%, peak 100.00%, end 60.00%
-------------- Pointer analysis statistics: --------------
#var pointers:                9,1484 (insens) / 19,1484 (sens)
#objects:                     8114 (insens) / 8114 (sens)
#var points-to:               636,3308 (insens) / 1,0636,3309 (sens)
#static field points-to:      5151 (sens)
#reachable methods:           1,4047 (insens) / 2,4047 (sens)
#call graph edges:            8,9032 (insens) / 8,9221 (sens)
----------------------------------------
[may-fail-cast] starts ...
#may-fail-cast: found 1666 in 10581 reachable relevant Stmts
#may-fail-cast: found 1 in 2 reachable relevant Stmts (app)
#poly-call: found 2475 in 34178 reachable relevant Stmts
#poly-call: found 0 in 1 reachable relevant Stmts (app)
";

    #[test]
    fn counts_are_read_from_the_log() {
        let expected = Counts {
            reachable_methods: 14_047,
            call_edges: 89_032,
            poly_calls: 2_475,
            may_fail_casts: 1_666,
            var_points_to: 106_363_309,
        };
        assert_eq!(counts(LOG), Some(expected));
    }

    #[test]
    fn a_log_that_breaks_off_has_no_counts() {
        for end in ["#var points-to", "#call graph", "#may-fail-cast", "#poly-call"] {
            let (before, _) = LOG.split_once(end).unwrap();
            assert_eq!(counts(before), None, "{end}");
        }
    }

    #[test]
    fn contexts_have_other_names() {
        let names = ["insens", "1call", "2type", "2obj", "10obj"].map(|context| selector(context).unwrap());
        assert_eq!(names, ["ci", "1-call", "2-type", "2-obj", "10-obj"]);
        for wrong in ["", "obj", "2", "2object", "ci"] {
            assert!(selector(wrong).is_err(), "{wrong}");
        }
    }
}
