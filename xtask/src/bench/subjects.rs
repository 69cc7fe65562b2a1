//! What is measured: JDKs by themselves, and programs with a JDK behind them.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use heliostat_core::{Environment, Jdk, JdkChoice, Settings};
use serde::Serialize;

use crate::programs::{Manifest, Program, Shelf};

/// Folders that hold one folder per JDK.
const JDK_FOLDERS: &[&str] = &["/usr/lib/jvm", "/opt/java", "/Library/Java/JavaVirtualMachines"];

#[derive(Debug, Serialize)]
pub(crate) struct Subject {
    pub(crate) name: String,
    /// The version of the JDK.
    pub(crate) jdk: String,
    /// The jars; none if the JDK itself is the subject.
    #[serde(skip)]
    pub(crate) inputs: Vec<OsString>,
    #[serde(skip)]
    pub(crate) jdk_home: PathBuf,
}

impl Subject {
    pub(super) fn is_jdk(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Whether this is the JDK that targets of time and memory are set for.
    pub(super) fn is_jdk_17(&self) -> bool {
        self.is_jdk() && self.jdk.split('.').next() == Some("17")
    }

    fn of_jdk(jdk: &Jdk) -> Self {
        let version = version(jdk);
        Self { name: format!("jdk-{version}"), jdk: version, inputs: Vec::new(), jdk_home: jdk.home.clone() }
    }

    /// The jars are named relative to the root, so that no message shows where the repository lies.
    pub(super) fn of_program(root: &Path, program: &Program, jdk: &Jdk) -> Result<Self> {
        let jars = program.artifacts.iter().map(|artifact| program.jar(Path::new(""), artifact));
        let inputs: Vec<OsString> = jars.map(PathBuf::into_os_string).collect();
        let fetched = inputs.iter().all(|jar| root.join(jar).is_file());
        ensure!(fetched, "{0} is not fetched: cargo xtask fetch {0}", program.name);
        Ok(Self::of_inputs(&program.name, inputs, jdk))
    }

    pub(super) fn of_inputs(name: &str, inputs: Vec<OsString>, jdk: &Jdk) -> Self {
        Self { name: name.to_owned(), jdk: version(jdk), inputs, jdk_home: jdk.home.clone() }
    }
}

/// The JDKs and programs named; everything there is if none is.
pub(super) fn choose(root: &Path, names: &[String], homes: &[PathBuf]) -> Result<Vec<Subject>> {
    let everything = names.is_empty() && homes.is_empty();
    let default = find_jdk(JdkChoice::Auto)?.context("no JDK found")?;
    let jdks = if everything { installed(default.clone()) } else { named(homes)? };
    let mut subjects: Vec<Subject> = jdks.iter().map(Subject::of_jdk).collect();
    if everything || !names.is_empty() {
        let manifest = Manifest::load(root, Shelf::Programs)?;
        for program in manifest.select(names, false)? {
            subjects.push(Subject::of_program(root, program, &default)?);
        }
    }
    Ok(subjects)
}

fn named(homes: &[PathBuf]) -> Result<Vec<Jdk>> {
    let jdk = |home: &PathBuf| find_jdk(JdkChoice::Home(home.clone()))?.context("no JDK");
    homes.iter().map(|home| jdk(home).with_context(|| home.display().to_string())).collect()
}

/// The default JDK and those of the usual folders, each once: many entries there are links.
fn installed(default: Jdk) -> Vec<Jdk> {
    let entries = JDK_FOLDERS.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let homes: BTreeSet<PathBuf> = entries
        .filter_map(|entry| fs::canonicalize(entry.path()).ok())
        .filter(|home| home.is_dir())
        .collect();
    let default_home = fs::canonicalize(&default.home).unwrap_or_else(|_| default.home.clone());
    let others = homes.into_iter().filter(|home| *home != default_home);
    // Not every folder there is a JDK.
    let others = others.filter_map(|home| find_jdk(JdkChoice::Home(home)).ok().flatten());
    [default].into_iter().chain(others).collect()
}

pub(crate) fn find_jdk(choice: JdkChoice) -> Result<Option<Jdk>> {
    let environment = Environment {
        java_home: env::var_os("JAVA_HOME").map(PathBuf::from),
        path: env::var_os("PATH"),
        home: env::home_dir(),
    };
    let settings = Settings { jdk: choice, environment, ..Settings::default() };
    Ok(heliostat_core::find_jdk(&settings)?)
}

fn version(jdk: &Jdk) -> String {
    jdk.version.clone().unwrap_or_else(|| "unknown".to_owned())
}
