//! All pages under `tests/md`, read and compiled.

use std::fs;
use std::io;
use std::path::Path;

use crate::compile::{self, Compiled};
use crate::{Failure, Jdk, Page, Section, Setting, Stage, files};

/// Where the pages are.
const FOLDER: &str = "tests/md";

/// The sections of all pages.
pub struct Suite {
    /// Those that this JDK can compile.
    pub tests: Vec<Test>,
    /// The names of those that need a newer one.
    pub too_new: Vec<String>,
    /// Pages that are not written as they should be, and what is wrong with them.
    pub misread: Vec<(String, String)>,
    /// What the sections are checked with.
    pub setting: Setting,
}

/// A section with the classes of its program.
pub struct Test {
    /// The file that it is in, below the folder of all pages.
    pub page: String,
    /// What it says.
    pub section: Section,
    /// Its classes, or what the compiler says.
    pub compiled: Compiled,
}

impl Suite {
    /// Reads all pages, and compiles their programs with the JDK that the environment leads to. What `cache` holds
    /// of an earlier run is used again.
    pub fn open(cache: &Path) -> io::Result<Self> {
        let jdk = Jdk::find()?;
        let (sections, misread) = read()?;
        let is_new = |section: &Section| section.release.is_some_and(|release| release > jdk.feature);
        let (too_new, usable): (Vec<_>, Vec<_>) =
            sections.into_iter().partition(|(_, section)| is_new(section));
        let sections: Vec<&Section> = usable.iter().map(|(_, section)| section).collect();
        let compiled = compile::compile(&jdk.home, cache, &sections)?;
        let setting = Setting { library: jdk.library, stage: Stage::new(compiled.iter().flatten()) };
        let tests = usable.into_iter().zip(compiled);
        let tests = tests.map(|((page, section), compiled)| Test { page, section, compiled }).collect();
        let too_new = too_new.iter().map(|(page, section)| name(page, section)).collect();
        Ok(Self { tests, too_new, misread, setting })
    }
}

impl Test {
    /// Page and title.
    pub fn name(&self) -> String {
        name(&self.page, &self.section)
    }

    /// What is wrong, each with its place.
    pub fn tell(&self, failures: &[Failure]) -> String {
        tell(&self.page, failures)
    }
}

type Sections = Vec<(String, Section)>;

/// The sections of all pages, and the pages that are not written as they should be.
fn read() -> io::Result<(Sections, Vec<(String, String)>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FOLDER);
    let (mut sections, mut misread) = (Vec::new(), Vec::new());
    for path in files::below(&folder, "md")? {
        let name = path.strip_prefix(&folder).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        match Page::parse(&fs::read_to_string(&path)?) {
            Ok(page) => sections.extend(page.sections.into_iter().map(|section| (name.clone(), section))),
            Err(failures) => misread.push((name.clone(), tell(&name, &failures))),
        }
    }
    Ok((sections, misread))
}

fn name(page: &str, section: &Section) -> String {
    format!("{page}: {}", section.title)
}

fn tell(page: &str, failures: &[Failure]) -> String {
    let page = format!("{FOLDER}/{page}");
    failures.iter().map(|failure| failure.on(&page)).collect::<Vec<_>>().join("\n")
}
