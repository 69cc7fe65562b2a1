//! What is analysed: the programs of `bench/programs.toml` that have a main class, those that a driver starts, and
//! libraries if they are wanted.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use heliostat_core::{Jdk, JdkChoice, Settings};

use super::drivers;
use crate::bench::subjects::Subject;
use crate::programs::{Manifest, Program, Shelf};

/// The program that is nothing but its driver.
const HELLO: &str = "hello";

pub(crate) struct Application {
    /// Its first input is the program itself, the others are its libraries.
    pub(crate) subject: Subject,
    /// The class to start from, with dots; none of a library, which anybody may enter anywhere.
    pub(crate) main: Option<String>,
}

impl Application {
    /// The program itself, and its libraries.
    pub(crate) fn inputs(&self) -> Result<(&OsString, &[OsString])> {
        self.subject.inputs.split_first().context("no input")
    }

    /// What opens it in this process.
    pub(crate) fn settings(&self, root: &Path) -> Result<Settings> {
        let (input, libraries) = self.inputs()?;
        Ok(Settings {
            inputs: vec![root.join(input).into_os_string()],
            class_path: libraries.iter().map(|library| root.join(library).into_os_string()).collect(),
            jdk: JdkChoice::Home(self.subject.jdk_home.clone()),
            ..Settings::default()
        })
    }
}

/// What becomes of libraries that no driver starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Libraries {
    LeftOut,
    Included,
}

/// Those named, or all, with the drivers compiled.
pub(crate) fn choose(
    root: &Path,
    names: &[String],
    libraries: Libraries,
    jdk: &Jdk,
) -> Result<Vec<Application>> {
    let mut applications = Vec::new();
    if names.is_empty() || names.iter().any(|name| name == HELLO) {
        applications.push(driven(root, Subject::of_inputs(HELLO, Vec::new(), jdk))?);
    }
    let listed: Vec<String> = names.iter().filter(|name| *name != HELLO).cloned().collect();
    if names.is_empty() || !listed.is_empty() {
        let manifest = Manifest::load(root, Shelf::Programs)?;
        for program in manifest.select(&listed, false)? {
            let wanted = program.main.is_some()
                || libraries == Libraries::Included
                || drivers::has(root, &program.name);
            ensure!(wanted || names.is_empty(), "{} is a library without a driver", program.name);
            if wanted {
                applications.push(of_program(root, program, jdk)?);
            }
        }
    }
    Ok(applications)
}

fn of_program(root: &Path, program: &Program, jdk: &Jdk) -> Result<Application> {
    let subject = Subject::of_program(root, program, jdk)?;
    match &program.main {
        Some(main) => Ok(Application { subject, main: Some(main.clone()) }),
        None => driven(root, subject),
    }
}

/// A program that its driver starts: the driver is the program, and what it drives are the libraries. Without a
/// driver it is a library.
fn driven(root: &Path, mut subject: Subject) -> Result<Application> {
    let driver = drivers::compile(root, &subject.name, &subject.inputs, &subject.jdk_home)?;
    let main = driver.map(|driver| {
        subject.inputs.insert(0, OsString::from(driver.classes));
        driver.main
    });
    Ok(Application { subject, main })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_driver_drives_a_program() {
        let root = crate::repository_root();
        let manifest = Manifest::load(&root, Shelf::Programs).unwrap();
        for entry in std::fs::read_dir(root.join(drivers::SOURCES)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let is_driven = |program: &Program| program.main.is_none() || program.workload.is_some();
            let driven = manifest.programs.iter().any(|program| program.name == name && is_driven(program));
            assert!(name == HELLO || driven, "{name}");
        }
        assert!(drivers::has(&root, HELLO));
    }
}
