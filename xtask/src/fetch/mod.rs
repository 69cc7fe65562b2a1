//! `cargo xtask fetch`: the jars of `bench/programs.toml` or `bench/peers.toml`, each checked against its size and
//! checksum.
//!
//! A jar appears in the cache only after it proved right: it is downloaded beside the cache first, then renamed.

mod jar;
mod maven;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use self::jar::{Print, State};
use self::maven::{Item, Outcome};
use crate::programs::{Artifact, Kind, Manifest, Program, Shelf};

/// What to fetch.
#[derive(clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// Programs to fetch; all of them if none is named
    names: Vec<String>,
    /// Only the small ones that continuous integration uses
    #[arg(long)]
    ci: bool,
    /// Fetch the artifacts that have no checksum yet and print their lines for the manifest
    #[arg(long)]
    update: bool,
    /// The analysers of bench/peers.toml, and not the programs
    #[arg(long, conflicts_with = "ci")]
    peers: bool,
    /// List the programs and fetch nothing
    #[arg(long, conflicts_with = "update")]
    list: bool,
}

impl Options {
    /// What the tests read.
    pub(crate) fn for_tests() -> Self {
        Self { names: Vec::new(), ci: true, update: false, peers: false, list: false }
    }

    /// One program.
    pub(crate) fn for_program(name: &str) -> Self {
        Self { names: vec![name.to_owned()], ci: false, update: false, peers: false, list: false }
    }

    /// One analyser to compare with.
    pub(crate) fn for_peer(name: &str) -> Self {
        Self { names: vec![name.to_owned()], ci: false, update: false, peers: true, list: false }
    }
}

/// One jar that is not in the cache, or not the right one.
struct Download<'a> {
    program: &'a Program,
    artifact: &'a Artifact,
    /// The folder Maven puts it into, to be checked there.
    incoming: PathBuf,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    let shelf = if options.peers { Shelf::Peers } else { Shelf::Programs };
    let manifest = Manifest::load(root, shelf)?;
    let programs = manifest.select(&options.names, options.ci)?;
    if options.list {
        for program in programs {
            list(program);
        }
        return Ok(());
    }
    // The process id keeps two fetches at the same time out of each other's way.
    let incoming = root.join(shelf.cache()).join(format!(".incoming-{}", std::process::id()));
    let downloads = missing(root, &incoming, &programs, options.update)?;
    if !downloads.is_empty() {
        fs::create_dir_all(&incoming).with_context(|| format!("creating {}", incoming.display()))?;
        let fetched = fetch(root, &incoming, &downloads);
        fs::remove_dir_all(&incoming).with_context(|| format!("removing {}", incoming.display()))?;
        fetched?;
    }
    if options.update {
        eprintln!("{} new artifacts", downloads.len());
        return Ok(());
    }
    let jars: usize = programs.iter().map(|program| program.fetched().count()).sum();
    let bytes = programs.iter().map(|program| program.size()).sum();
    eprintln!("{} programs, {jars} jars, {}: all there", programs.len(), mebibytes(bytes));
    Ok(())
}

/// Hashes what is cached and finds what is not. Re-hashing everything takes less than a second.
fn missing<'a>(
    root: &Path,
    incoming: &Path,
    programs: &[&'a Program],
    update: bool,
) -> Result<Vec<Download<'a>>> {
    let mut downloads = Vec::new();
    for &program in programs {
        for artifact in program.fetched() {
            let state = jar::state(artifact, &program.jar(root, artifact))?;
            match &state {
                State::Wrong(why) => eprintln!("{}: cached {}: {why}", program.name, artifact.id),
                State::Unpinned if !update => {
                    bail!("{} has no checksum yet: cargo xtask fetch --update", artifact.id)
                }
                _ => {}
            }
            // An update looks only at the new entries, everything else only at the pinned ones.
            if state != State::Good && update == (state == State::Unpinned) {
                downloads.push(Download { program, artifact, incoming: incoming.join(&program.name) });
            }
        }
    }
    Ok(downloads)
}

fn fetch(root: &Path, scratch: &Path, downloads: &[Download]) -> Result<()> {
    let bytes = downloads.iter().filter_map(|download| download.artifact.size).sum();
    eprintln!("fetching {} jars, {}", downloads.len(), mebibytes(bytes));
    deliver(scratch, downloads)?;
    let mut failures = 0;
    for download in downloads {
        if let Err(error) = settle(root, download) {
            eprintln!("{}: {}: {error:#}", download.program.name, download.artifact.id);
            failures += 1;
        }
    }
    ensure!(failures == 0, "{failures} of {} jars could not be fetched", downloads.len());
    Ok(())
}

/// Maven delivers all or nothing, so a refusal is followed by a try for each program alone.
fn deliver(scratch: &Path, downloads: &[Download]) -> Result<()> {
    if let Outcome::Delivered = copy(scratch, downloads)? {
        return Ok(());
    }
    for of_program in downloads.chunk_by(|a, b| a.program.name == b.program.name) {
        if let Outcome::Refused(why) = copy(scratch, of_program)? {
            eprintln!("{}: {why}", of_program[0].program.name);
        }
    }
    Ok(())
}

fn copy(scratch: &Path, downloads: &[Download]) -> Result<Outcome> {
    let items: Vec<Item> = downloads
        .iter()
        .map(|download| Item { id: &download.artifact.id, folder: &download.incoming })
        .collect();
    maven::copy(&items, scratch)
}

/// Checks what was delivered and moves it to its place.
fn settle(root: &Path, Download { program, artifact, incoming }: &Download) -> Result<()> {
    let delivered = incoming.join(artifact.id.file_name());
    match jar::state(artifact, &delivered)? {
        State::Good => {}
        State::Unpinned => {
            let print = jar::print(&delivered)?.context("not delivered")?;
            println!("{}", pinned(artifact, &print));
        }
        State::Missing => bail!("not delivered"),
        State::Wrong(why) => bail!("{why}; if the registry has the right one, Maven's local copy is damaged"),
    }
    let jar = program.jar(root, artifact);
    jar.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::rename(&delivered, &jar).with_context(|| format!("moving it to {}", jar.display()))
}

/// The artifact's line as it belongs into the manifest.
fn pinned(artifact: &Artifact, Print { sha256, size }: &Print) -> String {
    format!("  {{ id = \"{}\", sha256 = \"{sha256}\", size = {size} }},", artifact.id)
}

fn list(program: &Program) {
    let kind = match program.kind {
        Kind::Application => "application",
        Kind::Library => "library",
    };
    let (jars, size) = (program.artifacts.len(), mebibytes(program.size()));
    println!("{:<16} {kind:<11} {jars:>2} jars {size:>10}  {}", program.name, program.description);
    for note in program.main.iter().chain(&program.remarks) {
        println!("{:17}{note}", "");
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{}.{} MiB", bytes >> 20, ((bytes & 0xf_ffff) * 10) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_for_the_manifest_reads_back() {
        let id = "g:a:1".to_owned().try_into().unwrap();
        let new = Artifact { id, sha256: None, size: None };
        let line = pinned(&new, &Print { sha256: "00ff".to_owned(), size: 7 });
        let program = format!("name = 'a'\ndescription = ''\nkind = 'library'\nartifacts = [\n{line}\n]");
        let artifact = &toml::from_str::<Program>(&program).unwrap().artifacts[0];
        assert_eq!((artifact.sha256.as_deref(), artifact.size), (Some("00ff"), Some(7)));
    }

    #[test]
    fn sizes_are_told_in_tenths() {
        assert_eq!(mebibytes(0), "0.0 MiB");
        assert_eq!(mebibytes((5 << 20) + (1 << 19)), "5.5 MiB");
    }
}
