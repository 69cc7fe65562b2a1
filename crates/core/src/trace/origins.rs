//! Where classes of a traced program are from: whether the file that they name has them.

use std::path::{Path, PathBuf};

use heliostat_index::{FastMap, FastSet};
use heliostat_input::{Request, open};
use heliostat_trace::Candidate;

/// The files that were looked into, and the names of their classes: none of a file that cannot be read.
#[derive(Default)]
pub(super) struct Origins(FastMap<PathBuf, Option<FastSet<Vec<u8>>>>);

impl Origins {
    /// Whether the file that a class names has it; none if it names no file, or one that cannot be read any more.
    pub(super) fn has(&mut self, class: Candidate<'_>) -> Option<bool> {
        let names = self.0.entry(file_of(class.location)?).or_insert_with_key(|file| class_names(file));
        names.as_ref().map(|names| names.contains(class.name.as_bytes()))
    }
}

/// The file on disk that a location is in: `file:/app.jar`, `jar:file:/app.jar!/BOOT-INF/lib/x.jar!/`, or
/// `jar:nested:/app.jar/!BOOT-INF/lib/x.jar!/`.
fn file_of(location: &str) -> Option<PathBuf> {
    let location = location.strip_prefix("jar:").unwrap_or(location);
    let path = location.strip_prefix("file:").or_else(|| location.strip_prefix("nested:"))?;
    let path = path.split('!').next().unwrap_or(path);
    let path = path.strip_prefix("//").unwrap_or(path).trim_end_matches('/');
    Some(PathBuf::from(percent_decoded(path)))
}

/// A URL's path has `%20` for a space.
fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn class_names(file: &Path) -> Option<FastSet<Vec<u8>>> {
    let request = Request { inputs: vec![file.into()], ..Request::default() };
    let inputs = open(&request).ok()?;
    Some(inputs.classes.iter().map(|entry| inputs.name(entry).to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_locations() {
        let file = |location| file_of(location).map(|path| path.display().to_string());
        assert_eq!(file("file:/a%20b/app.jar").as_deref(), Some("/a b/app.jar"));
        assert_eq!(file("jar:file:/app.jar!/BOOT-INF/lib/x.jar!/").as_deref(), Some("/app.jar"));
        assert_eq!(file("jar:nested:/app.jar/!BOOT-INF/classes/!/").as_deref(), Some("/app.jar"));
        assert_eq!(file("file:/100%/x").as_deref(), Some("/100%/x"));
        assert_eq!((file("jrt:/java.xml"), file("")), (None, None));
    }

    #[test]
    fn what_a_file_has() {
        let folder = std::env::temp_dir().join(format!("heliostat-origins-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("app")).unwrap();
        std::fs::write(folder.join("app/Main.class"), b"\xca\xfe\xba\xbe").unwrap();
        let location = format!("file:{}/", folder.display());
        let mut origins = Origins::default();
        let mut has = |name, location| origins.has(Candidate { name, location });
        let found = [
            has("app/Main", &location),
            has("app/Made", &location),
            has("app/Made", ""),
            has("app/Made", "file:/none"),
        ];
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, [Some(true), Some(false), None, None]);
    }
}
