//! A program together with what it is to do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use heliostat_core::Jdk;

use crate::bench::pta::drivers;
use crate::programs::{Artifact, Program, Workload};

/// The files that workloads read, one folder for each program.
const FILES: &str = "bench/workloads";

pub(crate) struct Subject {
    pub(crate) name: String,
    /// The class to start, with dots.
    pub(crate) main: String,
    /// All of it: its driver, if it has one, its jars, and the jars of its libraries; relative to the root.
    pub(crate) inputs: Vec<OsString>,
    pub(crate) jdk_home: PathBuf,
    pub(super) workload: Workload,
    /// Archives that are unpacked for it to work on, relative to the root.
    pub(super) data: Vec<PathBuf>,
    /// The folder of files to work on, relative to the root; not every workload has one.
    pub(super) files: PathBuf,
}

impl Subject {
    pub(super) fn new(root: &Path, program: &Program, workload: &Workload, jdk: &Jdk) -> Result<Self> {
        let jar = |artifact: &Artifact| program.jar(Path::new(""), artifact);
        let jars = program.artifacts.iter().map(jar).map(PathBuf::into_os_string);
        let mut inputs: Vec<OsString> = jars.collect();
        let driver = drivers::compile(root, &program.name, &inputs, &jdk.home)?;
        let driver_main = driver.map(|driver| {
            inputs.insert(0, driver.classes.into_os_string());
            driver.main
        });
        let main = workload.main.clone().or(driver_main).or_else(|| program.main.clone());
        Ok(Self {
            name: program.name.clone(),
            main: main.with_context(|| format!("{} has a workload and no main class", program.name))?,
            inputs,
            jdk_home: jdk.home.clone(),
            workload: workload.clone(),
            data: workload.data.iter().map(jar).collect(),
            files: Path::new(FILES).join(&program.name),
        })
    }
}
