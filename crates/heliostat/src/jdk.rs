//! A JDK by its version, among those that are installed.

use std::fs;
use std::path::{Path, PathBuf};

use heliostat_core::Environment;

/// Folders that hold JDKs, as package managers and installers make them.
const FOLDERS: [&str; 4] = ["/usr/lib/jvm", "/opt", "/opt/java", "/Library/Java/JavaVirtualMachines"];
/// The same, in the user's home.
const HOME_FOLDERS: [&str; 2] = [".sdkman/candidates/java", ".jdks"];

/// The home of an installed JDK of a feature version, that of `JAVA_HOME` if it is one.
pub(crate) fn find(feature: u16, environment: &Environment) -> Option<PathBuf> {
    let own = environment.home.iter().flat_map(|home| HOME_FOLDERS.map(|folder| home.join(folder)));
    let folders = FOLDERS.map(PathBuf::from).into_iter().chain(own);
    let mut homes: Vec<_> = environment.java_home.iter().cloned().collect();
    homes.extend(folders.flat_map(|folder| children(&folder)));
    homes.into_iter().find_map(|home| {
        let bundle = home.join("Contents/Home");
        let home = if bundle.is_dir() { bundle } else { home };
        (is_jdk(&home) && feature_of(&home) == Some(feature)).then_some(home)
    })
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut children: Vec<_> = entries.map(|entry| entry.path()).collect();
    children.sort_unstable();
    children
}

fn is_jdk(home: &Path) -> bool {
    ["lib/modules", "jre/lib/rt.jar", "lib/rt.jar"].iter().any(|archive| home.join(archive).is_file())
}

/// What its `release` file says, as in `JAVA_VERSION="17.0.15"` or `"1.8.0_292"`.
fn feature_of(home: &Path) -> Option<u16> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let version = version.trim().trim_matches('"');
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
