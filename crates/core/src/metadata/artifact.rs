//! What Maven calls the inputs: files about a library lie in folders of that name.

use std::fmt;

use heliostat_input::{Archive, Kind, Origin};

use crate::Opened;

/// Where Maven's plugins put what they know of a jar.
const FOLDER: &[u8] = b"META-INF/maven/";

/// A library or program by its Maven coordinates, without the version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Its group.
    pub group: String,
    /// Its name.
    pub name: String,
}

impl Artifact {
    /// The artifact of a text `GROUP:NAME`, if both can be names of folders.
    pub fn parse(text: &str) -> Option<Self> {
        let (group, name) = text.split_once(':')?;
        Self::new(group, name)
    }

    fn new(group: &str, name: &str) -> Option<Self> {
        let artifact = || Self { group: group.to_owned(), name: name.to_owned() };
        (is_folder(group) && is_folder(name)).then(artifact)
    }

    /// That of the first input: by the `pom.properties` in it, else by the name of its file.
    pub fn of(opened: &Opened) -> Self {
        let inputs = &opened.inputs;
        let input = inputs.archives.iter().find(|(_, archive)| archive.origin == Origin::Input);
        let Some((id, archive)) = input else { return Self::named("program") };
        let stem = stem(archive);
        let files = inputs.resources.iter().filter(|entry| entry.archive == id);
        let files = files.filter(|entry| {
            let name = inputs.name(entry);
            name.starts_with(FOLDER) && name.ends_with(b"/pom.properties")
        });
        let read = |entry| Some(String::from_utf8_lossy(&inputs.read(entry).ok()?).into_owned());
        let mut found: Vec<Self> = files.filter_map(read).filter_map(|text| of_properties(&text)).collect();
        // A jar into which others were put has theirs, too.
        if found.len() > 1 {
            found.retain(|artifact| is_of(&stem, &artifact.name));
        }
        found.into_iter().next().unwrap_or_else(|| Self::named(without_version(&stem)))
    }

    fn named(name: &str) -> Self {
        let name: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
        Self::new(&name, &name)
            .unwrap_or_else(|| Self { group: "program".to_owned(), name: "program".to_owned() })
    }
}

impl fmt::Display for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.group, self.name)
    }
}

fn is_folder(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('.') && text.chars().all(is_plain)
}

fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_')
}

fn of_properties(text: &str) -> Option<Artifact> {
    let value = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once('='));
        lines.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    };
    Artifact::new(value("groupId")?, value("artifactId")?)
}

/// The name of an archive's file, without its ending.
fn stem(archive: &Archive) -> String {
    let name = archive.name.trim_end_matches(['/', '\\']);
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = match archive.kind {
        Kind::Directory => file,
        _ => file.rsplit_once('.').map_or(file, |(stem, _)| stem),
    };
    stem.to_owned()
}

/// Whether a file may be named for an artifact: `name`, or `name-` and a version.
fn is_of(stem: &str, name: &str) -> bool {
    stem.strip_prefix(name).is_some_and(|rest| rest.is_empty() || is_version(rest))
}

/// Whether a text is a dash and something that begins with a digit.
fn is_version(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

fn without_version(stem: &str) -> &str {
    let dashes = stem.match_indices('-').map(|(at, _)| at);
    let ends = dashes.filter_map(|at| Some((stem.get(..at)?, stem.get(at..)?)));
    ends.filter(|(_, rest)| is_version(rest)).map(|(name, _)| name).next().unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let names =
            ["acme-core-1.2.3", "acme-2d", "acme", "a-b-1.0-exec", "log4j-1.2-api-2.0"].map(without_version);
        assert_eq!(names, ["acme-core", "acme", "acme", "a-b", "log4j"]);
        assert!(is_of("acme-core-1.2", "acme-core") && !is_of("acme-core-1.2", "acme") && is_of("a", "a"));
        assert_eq!(Artifact::named("a b").to_string(), "a-b:a-b");
        assert_eq!(Artifact::named("..").to_string(), "program:program");
    }

    #[test]
    fn coordinates() {
        assert_eq!(
            Artifact::parse("com.acme:core").map(|it| it.to_string()).as_deref(),
            Some("com.acme:core")
        );
        for bad in ["core", ":core", "com.acme:", "..:a", "a/b:c", "a:b:c"] {
            assert_eq!(Artifact::parse(bad), None, "{bad}");
        }
        let text = "#made\nversion=1.0\ngroupId = com.acme\r\nartifactId=core\n";
        assert_eq!(of_properties(text), Artifact::parse("com.acme:core"));
        assert_eq!(of_properties("groupId=../../etc\nartifactId=x\n"), None);
    }
}
