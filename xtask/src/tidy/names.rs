//! No committed file names the host of a package registry or a path of one machine.
//!
//! Hosts are told by their shape and not by a list, since a list would itself name them.

use super::Finding;
use super::tree::Tree;

/// First labels that registries and their mirrors give their hosts.
const REGISTRY_LABELS: &[&str] = &[
    "archive", "deb", "files", "ftp", "index", "mirror", "mirrors", "packages", "proxy", "registry", "repo",
    "repo1", "security", "snapshot", "static",
];

const TOP_LABELS: &[&str] = &["com", "dev", "io", "net", "org"];

/// Folders of the machines this was developed on, after their leading slash.
const MACHINE_PATHS: &[&str] = &["work/", "root/", "tmp/bash"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Cargo itself writes the registry's address into its lock file.
    for file in tree.files.iter().filter(|file| file.path != "Cargo.lock") {
        for (number, line) in file.lines() {
            let hosts =
                registry_hosts(line).map(|host| format!("`{host}` looks like the host of a registry"));
            let paths = machine_paths(line).map(|path| format!("`/{path}` is a path of one machine"));
            findings.extend(hosts.chain(paths).map(|message| Finding::new(&file.path, number, message)));
        }
    }
    findings
}

fn registry_hosts(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    line.split(move |c| !is_part(c)).filter(|name| {
        let labels: Vec<&str> = name.split('.').collect();
        let ends_as_host = labels.last().is_some_and(|last| TOP_LABELS.contains(last));
        let named_as_registry = labels.len() >= 3 && REGISTRY_LABELS.contains(&labels[0]);
        ends_as_host && (named_as_registry || labels[0] == "pypi")
    })
}

fn machine_paths(line: &str) -> impl Iterator<Item = &'static str> {
    let starts = |before: &str| {
        // `a/b/` and `../b/` are relative; only a slash that nothing leads to begins a path.
        let Some(before) = before.strip_suffix('/') else { return false };
        !before
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '/' | '*' | '}' | '>'))
    };
    let found = move |path: &&&str| line.match_indices(**path).any(|(at, _)| starts(&line[..at]));
    MACHINE_PATHS.iter().filter(found).copied()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    fn count(line: &str) -> usize {
        check(&tree("README.md", line)).len()
    }

    #[test]
    fn hosts_are_told_by_their_shape() {
        let host = |labels: &[&str]| labels.join(".");
        assert_eq!(count(&format!("see https://{}/maven2/a", host(&["repo", "example", "org"]))), 1);
        assert_eq!(count(&host(&["static", "crates", "example", "io"])), 1);
        assert_eq!(count(&host(&["pypi", "org"])), 1);
        for other in
            ["index.html", "files.len()", "https://example.org/files", "org.apache.index.io", "repo.org"]
        {
            assert_eq!(count(other), 0, "{other}");
        }
    }

    #[test]
    fn paths_of_machines_are_absolute() {
        for path in MACHINE_PATHS {
            assert_eq!(count(&format!("cd /{path}x")), 1);
            assert_eq!(count(&format!("\"/{path}x\"")), 1);
            for before in ["a/", "../", "./", "${x}/", "https://"] {
                assert_eq!(count(&format!("{before}{path}x")), 0, "{before}{path}");
            }
        }
        assert_eq!(check(&tree("Cargo.lock", &format!("/{}", MACHINE_PATHS[0]))).len(), 0);
    }
}
