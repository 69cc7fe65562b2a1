//! Finding a JDK and the archives it consists of.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use crate::class_path::jars_of;
use crate::format::Format;
use crate::{Environment, InputError, JdkChoice, Problem, file};

/// The jars that the boot class loader of a JDK before 9 reads, in its order.
const BOOT_JARS: [&str; 7] =
    ["resources.jar", "rt.jar", "sunrsasign.jar", "jsse.jar", "jce.jar", "charsets.jar", "jfr.jar"];

/// A JDK in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its home, or what was named in its place.
    pub home: PathBuf,
    /// `JAVA_VERSION` of its `release` file, such as `17.0.15`.
    pub version: Option<String>,
    /// The feature version, such as 17, or 8 for `1.8.0_292`.
    pub feature: Option<u16>,
}

/// A JDK and its archives.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) jdk: Jdk,
    pub(crate) archives: Vec<PathBuf>,
}

/// The JDK that was asked for, and what is to be said about the search.
pub(crate) fn choose(
    choice: &JdkChoice,
    environment: &Environment,
) -> Result<(Option<Found>, Vec<Problem>), InputError> {
    match choice {
        JdkChoice::None => Ok((None, Vec::new())),
        JdkChoice::Auto => Ok(search(environment, &usual_homes(environment))),
        JdkChoice::Home(home) => {
            fs::metadata(home).map_err(|source| InputError::Unreadable { path: home.clone(), source })?;
            let found = inspect(home).ok_or_else(|| InputError::NoJdk { home: home.clone() })?;
            Ok((Some(found), Vec::new()))
        }
    }
}

/// `JAVA_HOME`, then `java` on the path, then the newest of the usual homes.
fn search(environment: &Environment, usual: &[PathBuf]) -> (Option<Found>, Vec<Problem>) {
    let mut problems = Vec::new();
    if let Some(home) = environment.java_home.as_deref().filter(|home| !home.as_os_str().is_empty()) {
        let found = inspect(home);
        if found.is_some() {
            return (found, problems);
        }
        problems.push(problem(home.display().to_string(), "JAVA_HOME is set to this, but there is no JDK"));
    }
    let found = on_path(environment).or_else(|| newest(usual));
    if found.is_none() {
        let message = "none found through JAVA_HOME, `java` on the path or the usual folders";
        problems.push(problem("JDK".to_owned(), message));
    }
    (found, problems)
}

fn problem(archive: String, message: &str) -> Problem {
    Problem { archive, entry: None, offset: None, message: message.to_owned() }
}

fn on_path(environment: &Environment) -> Option<Found> {
    let path = environment.path.as_deref()?;
    let program = format!("java{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(path).find_map(|folder| {
        // Links lead from a folder such as /usr/bin to `bin/java` of the home.
        let java = fs::canonicalize(folder.join(&program)).ok()?;
        inspect(java.parent()?.parent()?)
    })
}

fn newest(homes: &[PathBuf]) -> Option<Found> {
    let found = homes.iter().filter_map(|home| inspect(home));
    found.min_by_key(|found| (Reverse(found.jdk.feature), found.jdk.home.clone()))
}

fn usual_homes(environment: &Environment) -> Vec<PathBuf> {
    let mut homes = Vec::new();
    let mut add = |folder: &str, prefixes: &[&str]| {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if prefixes.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                homes.push(entry.path());
            }
        }
    };
    add("/usr/lib/jvm", &[""]);
    add("/opt", &["java", "jdk"]);
    add("/opt/java", &[""]);
    add("/Library/Java/JavaVirtualMachines", &[""]);
    homes.extend(environment.home.iter().map(|home| home.join(".sdkman/candidates/java/current")));
    homes
}

/// The archives to open in place of a directory that a user names as input, if it is a JDK's home or consists of
/// jmods: its other files are of no use as classes.
pub(crate) fn archives_of(directory: &Path) -> Option<Vec<PathBuf>> {
    let archives = inspect(directory)?.archives;
    let first = archives.first()?;
    let is_jdk = if first.parent() == Some(directory) {
        let is_jmod = |entry: fs::DirEntry| entry.path().extension().is_some_and(|e| e == "jmod");
        fs::read_dir(directory).ok()?.all(|entry| entry.is_ok_and(is_jmod))
    } else {
        // Another program may have a folder `lib` with a file `modules`.
        file::map(first).is_ok_and(|bytes| Format::of(&bytes) != Format::Other)
    };
    is_jdk.then_some(archives)
}

/// The JDK at a path: a home, the home's bundle on macOS, a directory of jmods, or a lone archive.
fn inspect(path: &Path) -> Option<Found> {
    if path.is_file() {
        let is_archive = file::map(path)
            .is_ok_and(|bytes| matches!(Format::of(&bytes), Format::Image | Format::Zip | Format::Jmod));
        return is_archive.then(|| found(&home_of(path), vec![path.to_owned()]));
    }
    let bundle = path.join("Contents/Home");
    let home = if bundle.is_dir() { &bundle } else { path };
    let modules = home.join("lib/modules");
    // On Linux, /usr/lib/modules is the kernel's directory.
    if modules.is_file() {
        return Some(found(home, vec![modules]));
    }
    for lib in [home.join("jre/lib"), home.join("lib")] {
        if lib.join("rt.jar").is_file() {
            return Some(found(home, boot_jars(&lib)));
        }
    }
    for folder in [home.join("jmods"), home.to_owned()] {
        let jmods = jmods_of(&folder);
        if !jmods.is_empty() {
            return Some(found(&home_of(&folder.join("x.jmod")), jmods));
        }
    }
    None
}

/// The home of a JDK that has this archive in its `lib` or `jmods`.
fn home_of(archive: &Path) -> PathBuf {
    let folder = archive.parent().unwrap_or(archive);
    match folder.file_name() {
        Some(name) if name == "lib" || name == "jmods" => folder.parent().unwrap_or(folder).to_owned(),
        _ => archive.to_owned(),
    }
}

fn boot_jars(lib: &Path) -> Vec<PathBuf> {
    let boot = BOOT_JARS.iter().map(|jar| lib.join(jar)).filter(|jar| jar.is_file());
    boot.chain(jars_of(&lib.join("ext")).unwrap_or_default()).collect()
}

fn jmods_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut jmods: Vec<_> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "jmod")).collect();
    jmods.sort_unstable();
    jmods
}

fn found(home: &Path, archives: Vec<PathBuf>) -> Found {
    // A JDK before 9 has its `release` beside the `jre` folder.
    let folder = home.parent().filter(|_| home.ends_with("jre")).unwrap_or(home);
    let release = fs::read_to_string(folder.join("release"));
    let version = release.ok().as_deref().and_then(java_version).map(str::to_owned);
    let feature = version.as_deref().and_then(feature_version);
    Found { jdk: Jdk { home: home.to_owned(), version, feature }, archives }
}

fn java_version(release: &str) -> Option<&str> {
    let value = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(value.trim().trim_matches('"'))
}

fn feature_version(version: &str) -> Option<u16> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let release = "IMPLEMENTOR=\"Acme\"\nJAVA_VERSION=\"17.0.15\"\r\nMODULES=\"java.base\"\n";
        assert_eq!(java_version(release), Some("17.0.15"));
        assert_eq!(java_version("MODULES=\"\""), None);
        let features = ["17.0.15", "1.8.0_292", "21", "26-ea", "9+181", "", "x"].map(feature_version);
        assert_eq!(features, [Some(17), Some(8), Some(21), Some(26), Some(9), None, None]);
    }

    #[test]
    fn no_jdk_is_a_problem() {
        let environment = Environment { java_home: Some("/nowhere".into()), ..Environment::default() };
        let (found, problems) = search(&environment, &["/nowhere/else".into()]);
        assert!(found.is_none());
        let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "/nowhere: JAVA_HOME is set to this, but there is no JDK",
                "JDK: none found through JAVA_HOME, `java` on the path or the usual folders",
            ]
        );
    }
}
