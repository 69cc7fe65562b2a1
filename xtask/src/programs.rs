//! `bench/programs.toml` and `bench/peers.toml`: the real programs that tests and benchmarks run on, the analysers
//! that Heliostat is compared with, and where their jars lie.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// Which of the two manifests. Each has a folder of its own for what is fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shelf {
    #[default]
    Programs,
    Peers,
}

impl Shelf {
    fn manifest(self) -> &'static str {
        match self {
            Self::Programs => "bench/programs.toml",
            Self::Peers => "bench/peers.toml",
        }
    }

    /// The ignored folder, below the repository's root, that holds one folder per program.
    pub(crate) fn cache(self) -> &'static str {
        match self {
            Self::Programs => ".cache/programs",
            Self::Peers => ".cache/peers",
        }
    }
}

/// Every program of a manifest, in its order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    #[serde(rename = "program", alias = "peer")]
    pub(crate) programs: Vec<Program>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) kind: Kind,
    /// The class to start from, with dots; every application has one.
    pub(crate) main: Option<String>,
    /// One of the small programs that continuous integration fetches.
    #[serde(default)]
    pub(crate) ci: bool,
    pub(crate) remarks: Option<String>,
    /// In class-path order.
    pub(crate) artifacts: Vec<Artifact>,
    /// What it does when it is run for its trace.
    pub(crate) workload: Option<Workload>,
    #[serde(skip)]
    shelf: Shelf,
}

/// A real run. It starts in a folder with a copy of `bench/workloads/<name>/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Workload {
    /// The class to start, with dots, if it is neither the driver's nor the program's.
    pub(crate) main: Option<String>,
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    /// Options of the JVM.
    #[serde(default)]
    pub(crate) jvm: Vec<String>,
    /// The exit code of a run that went well.
    #[serde(default)]
    pub(crate) exit: i32,
    /// Jars that are unpacked into its folder.
    #[serde(default)]
    pub(crate) data: Vec<Artifact>,
    /// Where a server answers; it is told to end when it has answered everything.
    pub(crate) port: Option<u16>,
    #[serde(default)]
    pub(crate) requests: Vec<Request>,
}

/// What a server is asked by HTTP.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// JSON to send; without it, the request is a `GET`.
    pub(crate) body: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Application,
    Library,
}

/// One jar. Checksum and size are absent only while a new entry is being written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Artifact {
    pub(crate) id: Coordinates,
    pub(crate) sha256: Option<String>,
    pub(crate) size: Option<u64>,
}

/// `group:artifact:version[:classifier]`
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Coordinates {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: String,
    pub(crate) classifier: Option<String>,
}

impl Manifest {
    pub(crate) fn load(root: &Path, shelf: Shelf) -> Result<Self> {
        let path = root.join(shelf.manifest());
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let mut manifest = Self::parse(&text).with_context(|| format!("in {}", path.display()))?;
        for program in &mut manifest.programs {
            program.shelf = shelf;
        }
        Ok(manifest)
    }

    fn parse(text: &str) -> Result<Self> {
        let manifest: Self = toml::from_str(text)?;
        let mut names = BTreeSet::new();
        for program in &manifest.programs {
            program.validate()?;
            ensure!(names.insert(&program.name), "two programs are named {}", program.name);
        }
        Ok(manifest)
    }

    /// The programs named, or all; only those of continuous integration if `ci`.
    pub(crate) fn select(&self, names: &[String], ci: bool) -> Result<Vec<&Program>> {
        for name in names {
            ensure!(self.programs.iter().any(|program| program.name == *name), "no program is named {name}");
        }
        let wanted =
            |program: &&Program| (names.is_empty() || names.contains(&program.name)) && (!ci || program.ci);
        Ok(self.programs.iter().filter(wanted).collect())
    }
}

impl Program {
    /// Where the jar of `artifact` lies once it is fetched.
    pub(crate) fn jar(&self, root: &Path, artifact: &Artifact) -> PathBuf {
        root.join(self.shelf.cache()).join(&self.name).join(artifact.id.file_name())
    }

    /// The jars of the class path, and those that its workload reads.
    pub(crate) fn fetched(&self) -> impl Iterator<Item = &Artifact> {
        self.artifacts.iter().chain(self.workload.iter().flat_map(|workload| &workload.data))
    }

    pub(crate) fn size(&self) -> u64 {
        self.fetched().filter_map(|artifact| artifact.size).sum()
    }

    fn validate(&self) -> Result<()> {
        // The name becomes a folder that is written to.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        let folder =
            self.name.starts_with(|c: char| c.is_ascii_alphanumeric()) && self.name.chars().all(plain);
        ensure!(folder, "program name {:?} does not make a folder name", self.name);
        ensure!(!self.artifacts.is_empty(), "{} has no artifacts", self.name);
        let application = self.kind == Kind::Application;
        ensure!(application == self.main.is_some(), "{}: exactly applications have a main class", self.name);
        let mut files = BTreeSet::new();
        for Artifact { id, sha256, size } in self.fetched() {
            ensure!(files.insert(id.file_name()), "{} has two jars named {}", self.name, id.file_name());
            ensure!(sha256.is_some() == size.is_some(), "{id} needs both sha256 and size, or neither");
        }
        if let Some(workload) = &self.workload {
            let asked = !workload.requests.is_empty();
            ensure!(workload.port.is_some() == asked, "{}: exactly servers are asked", self.name);
        }
        Ok(())
    }
}

impl Coordinates {
    pub(crate) fn file_name(&self) -> String {
        let classifier = self.classifier.as_ref().map_or_else(String::new, |c| format!("-{c}"));
        format!("{}-{}{classifier}.jar", self.artifact, self.version)
    }
}

impl TryFrom<String> for Coordinates {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let (&[group, artifact, version], classifier) = match parts.split_first_chunk() {
            Some((first, rest)) if rest.len() <= 1 => (first, rest.first()),
            _ => bail!("{text:?} is not group:artifact:version[:classifier]"),
        };
        // Parts go into file names and into a generated POM.
        let plain = |part: &&str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-._+".contains(c))
        };
        ensure!(parts.iter().all(plain), "{text:?} has an empty part or an odd character");
        Ok(Self {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
            classifier: classifier.map(|&c| c.to_owned()),
        })
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.artifact, self.version)?;
        self.classifier.iter().try_for_each(|classifier| write!(f, ":{classifier}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_round_trip_and_name_the_file() {
        let plain = Coordinates::try_from("org.h2:h2:2.2".to_owned()).unwrap();
        assert_eq!((plain.to_string(), plain.file_name()), ("org.h2:h2:2.2".into(), "h2-2.2.jar".into()));
        let fat = Coordinates::try_from("io.z:server:3:exec".to_owned()).unwrap();
        assert_eq!(
            (fat.to_string(), fat.file_name()),
            ("io.z:server:3:exec".into(), "server-3-exec.jar".into())
        );
        for wrong in ["a:b", "a:b:c:d:e", "a::c", "a:b:../c", "a:<b>:c"] {
            assert!(Coordinates::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_manifests_are_pinned_and_agree_with_themselves() {
        let load = |shelf| Manifest::load(&crate::repository_root(), shelf).unwrap().programs;
        let programs = [load(Shelf::Programs), load(Shelf::Peers)].concat();
        let mut known = std::collections::BTreeMap::new();
        for artifact in programs.iter().flat_map(Program::fetched) {
            let id = artifact.id.to_string();
            let sha256 = artifact.sha256.as_deref().unwrap_or_default();
            assert!(sha256.len() == 64 && sha256.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
            assert_eq!(*known.entry(id).or_insert(sha256), sha256);
        }
    }

    #[test]
    fn what_continuous_integration_fetches_is_small() {
        let manifest = Manifest::load(&crate::repository_root(), Shelf::Programs).unwrap();
        let bytes: u64 = manifest.select(&[], true).unwrap().iter().map(|program| program.size()).sum();
        assert!((1..10 << 20).contains(&bytes), "{bytes} bytes");
    }

    #[test]
    fn mistakes_are_named() {
        let entry = |name: &str, rest: &str| {
            format!(
                "[[program]]\nname = {name:?}\ndescription = ''\n{rest}\nartifacts = [{{ id = 'a:b:c' }}]\n"
            )
        };
        let mistake = |text: &str| format!("{:#}", Manifest::parse(text).unwrap_err());
        let library = "kind = 'library'";
        assert!(Manifest::parse(&entry("a", library)).is_ok());
        assert!(mistake(&entry("../a", library)).contains("folder name"));
        assert!(mistake(&entry("a", library).repeat(2)).contains("two programs"));
        assert!(mistake(&entry("a", "kind = 'application'")).contains("main class"));
        assert!(mistake(&entry("a", "kind = 'library'\nmian = 'x'")).contains("mian"));
    }
}
