//! The JDK of the tests, found as the binary finds it.

use std::io;
use std::path::PathBuf;

use heliostat_core::{Environment, JdkChoice, Settings, open};

use crate::Library;

const NO_JDK: &str = "these tests need a JDK of version 17 or later, with its compiler: \
    `apt install openjdk-17-jdk-headless`, or set JAVA_HOME";

/// A JDK to compile with and to have behind the tests' classes.
pub struct Jdk {
    /// Where it is.
    pub home: PathBuf,
    /// Its version: 17, for example.
    pub feature: u16,
    /// Its classes.
    pub library: Library,
}

impl Jdk {
    /// The JDK that the environment leads to.
    pub fn find() -> io::Result<Self> {
        let environment = Environment {
            java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
            path: std::env::var_os("PATH"),
            home: std::env::var_os("HOME").map(PathBuf::from),
        };
        let settings = Settings { jdk: JdkChoice::Auto, environment, ..Settings::default() };
        let opened = open(&settings).map_err(io::Error::other)?;
        let (home, feature) =
            opened.jdk().and_then(|jdk| Some((jdk.home.clone(), jdk.feature?))).unwrap_or_default();
        if feature < 17 || !home.join("bin/javac").exists() {
            return Err(io::Error::other(NO_JDK));
        }
        Ok(Self { home, feature, library: Library::new(opened.program) })
    }
}
