//! What is analysed: the programs of `bench/programs.toml` that have a main class, and those that a driver starts.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, ensure};
use heliostat_core::Jdk;

use super::drivers;
use crate::bench::subjects::Subject;
use crate::programs::{Manifest, Shelf};

/// The program that is nothing but its driver.
const HELLO: &str = "hello";

pub(super) struct Application {
    /// Its first input is the program itself, the others are its libraries.
    pub(super) subject: Subject,
    /// The class to start from, with dots.
    pub(super) main: String,
}

/// Those named, or all, with the drivers compiled.
pub(super) fn choose(root: &Path, names: &[String], jdk: &Jdk) -> Result<Vec<Application>> {
    let mut applications = Vec::new();
    if names.is_empty() || names.iter().any(|name| name == HELLO) {
        applications.extend(driven(root, Subject::of_inputs(HELLO, Vec::new(), jdk))?);
    }
    let listed: Vec<String> = names.iter().filter(|name| *name != HELLO).cloned().collect();
    if names.is_empty() || !listed.is_empty() {
        let manifest = Manifest::load(root, Shelf::Programs)?;
        for program in manifest.select(&listed, false)? {
            let can_start = program.main.is_some() || drivers::has(root, &program.name);
            ensure!(can_start || names.is_empty(), "{} is a library without a driver", program.name);
            if can_start {
                let subject = Subject::of_program(root, program, jdk)?;
                applications.extend(match &program.main {
                    Some(main) => Some(Application { subject, main: main.clone() }),
                    None => driven(root, subject)?,
                });
            }
        }
    }
    Ok(applications)
}

/// A program that its driver starts; the driver is the program, and what it drives are the libraries.
fn driven(root: &Path, mut subject: Subject) -> Result<Option<Application>> {
    let Some(driver) = drivers::compile(root, &subject.name, &subject.inputs, &subject.jdk_home)? else {
        return Ok(None);
    };
    subject.inputs.insert(0, OsString::from(driver.classes));
    Ok(Some(Application { subject, main: driver.main }))
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
            let library =
                manifest.programs.iter().any(|program| program.name == name && program.main.is_none());
            assert!(name == HELLO || library, "{name}");
        }
        assert!(drivers::has(&root, HELLO));
    }
}
