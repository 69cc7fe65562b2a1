//! Where the inputs may start.

use heliostat_index::FastSet;
use heliostat_input::{Archive, Origin};
use heliostat_program::ClassId;
use serde::Serialize;

use crate::Opened;

/// A class to start from.
#[derive(Debug, Clone, Serialize)]
pub struct MainClass {
    /// Its internal name.
    pub class: String,
    /// The archive that it was found in; none if it is missing.
    pub archive: Option<String>,
    /// The manifest that names it.
    pub named_by: Option<Mention>,
    /// Whether it has, or inherits, a `public static void main(String[])`.
    pub has_main: bool,
}

/// A line of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mention {
    /// `Main-Class` or `Start-Class`.
    pub header: &'static str,
    /// The archive whose manifest it is.
    pub archive: String,
}

/// Those that a manifest names, in the order of the archives, then all other classes of the inputs that declare a
/// `main`, by name.
pub(super) fn find(opened: &Opened) -> Vec<MainClass> {
    let mut seen = FastSet::default();
    let mut mains: Vec<MainClass> = Vec::new();
    for archive in opened.inputs.archives.values().filter(|archive| archive.origin == Origin::Input) {
        for (mention, class) in mentions(archive) {
            if seen.insert(class.clone()) {
                mains.push(describe(opened, class, Some(mention)));
            }
        }
    }
    let mut others: Vec<String> = opened
        .program
        .classes()
        .ids()
        .filter(|&class| opened.is_input(class) && declares_main(opened, class))
        .map(|class| opened.program.class_name(class))
        .filter(|name| !seen.contains(name))
        .collect();
    others.sort_unstable();
    mains.extend(others.into_iter().map(|class| describe(opened, class, None)));
    mains
}

fn mentions(archive: &Archive) -> impl Iterator<Item = (Mention, String)> {
    let headers = [("Main-Class", &archive.main_class), ("Start-Class", &archive.start_class)];
    let mention = |header| Mention { header, archive: archive.name.clone() };
    headers.into_iter().filter_map(move |(header, class)| Some((mention(header), class.clone()?)))
}

fn describe(opened: &Opened, class: String, named_by: Option<Mention>) -> MainClass {
    let found = opened.program.find_class(&class);
    let archive = found.map(|id| opened.archive(id).name.clone());
    let has_main =
        found.is_some_and(|id| opened.program.super_classes(id).any(|class| declares_main(opened, class)));
    MainClass { class, archive, named_by, has_main }
}

fn declares_main(opened: &Opened, class: ClassId) -> bool {
    let program = &opened.program;
    let main = program.find_selector("main", "([Ljava/lang/String;)V");
    main.and_then(|main| program.declared_method(class, main)).is_some_and(|method| {
        let flags = program.methods()[method].flags;
        flags.is_public() && flags.is_static()
    })
}
