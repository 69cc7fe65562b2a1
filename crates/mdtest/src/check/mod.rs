//! A section held against the program that its Java gives.

mod analysis;
mod flow;
mod hierarchy;
mod ir;
mod members;

use crate::compile::Classes;
use crate::expect::{Claim, Expectation};
use crate::scene::Scene;
use crate::{Failure, Library, Section, Stage};

pub use analysis::options;

/// What a check says: nothing, or what is there instead of the expected.
type Checked = Result<(), String>;

/// What sections are checked with.
pub struct Setting {
    /// The JDK behind their classes.
    pub library: Library,
    /// The program of those that are analysed.
    pub stage: Stage,
}

/// Checks all that a section expects of its compiled classes.
pub fn check(section: &Section, classes: &Classes, setting: &Setting) -> Result<(), Vec<Failure>> {
    let whole = |message| Failure::new(section.line, message);
    let scene = Scene::open(classes, &setting.library)
        .map_err(|messages| messages.into_iter().map(whole).collect::<Vec<_>>())?;
    let claims = section.expectations.iter().filter_map(|expectation| {
        let found = claim(&scene, section, expectation).err()?;
        Some(Failure::new(expectation.at, format!("expected {}\n{found}", expectation.text)))
    });
    let listings = section.listings.iter().filter_map(|listing| ir::listing(&scene, listing).err());
    let mut failures: Vec<_> = claims.chain(listings).collect();
    if let Some(package) = &classes.package {
        let found =
            setting.stage.with(&setting.library, |program| analysis::check(section, package, program));
        failures.extend(found.unwrap_or_else(|message| vec![whole(message)]));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn claim(scene: &Scene, section: &Section, expectation: &Expectation) -> Checked {
    let line = expectation.line;
    match &expectation.claim {
        Claim::Ir { holds, patterns } => ir::patterns(scene, line, *holds, patterns),
        Claim::Resolves { name, target } => members::resolves(scene, line, name.as_deref(), target),
        Claim::Selects { name, targets } => members::selects(scene, line, name.as_deref(), targets),
        Claim::Subtype(answer) => hierarchy::subtype(scene, line, answer),
        Claim::Type { name, what, expected } => {
            let source = section.sources.iter().find(|source| source.lines().contains(&line));
            let package = source.map(crate::java::Source::package).unwrap_or_default();
            hierarchy::declared(scene, &package, name, *what, expected)
        }
        Claim::Guard { ty, holds, fails } => {
            flow::guard(scene, line, ty, [labelled(section, holds)?, labelled(section, fails)?])
        }
        Claim::PostDominates { holds, label } => {
            flow::post_dominates(scene, line, labelled(section, label)?, *holds)
        }
        Claim::Index(expected) => ir::indices(scene, line, expected),
        Claim::Length(expected) => ir::lengths(scene, line, expected),
        Claim::Label(_) | Claim::Finding(_) => Ok(()),
    }
}

fn labelled(section: &Section, label: &str) -> Result<u32, String> {
    section.labelled(label).ok_or_else(|| format!("  but no line has the label {label}"))
}

/// Compares what is expected with what is found, both as text.
fn same(expected: &[String], found: &[String]) -> Checked {
    if expected == found { Ok(()) } else { Err(format!("   found {}", found.join(", "))) }
}

/// The only one of the things that a line may hold; `what` they are is said if there is none or more.
fn only<T>(scene: &Scene, line: u32, what: &str, mut found: Vec<T>) -> Result<T, String> {
    match (found.pop(), found.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => Err(format!("   found no {what} {}", ir::on_line(scene, line))),
        (Some(_), _) => Err(format!("   found more than one {what} {}", ir::on_line(scene, line))),
    }
}
