//! What was read: archives, classes, main classes, what is missing and what is wrong, as plain data.

mod archives;
mod counts;
pub(crate) mod mains;
pub(crate) mod missing;
mod modules;

pub use archives::{ArchiveInfo, DuplicateInfo, JdkInfo, Place};
pub use counts::{ClassVersion, Count, Totals};
pub use mains::{MainClass, MainForm, Mention};
pub use missing::{Absent, Missing, MissingFrom};
pub use modules::Module;

use heliostat_input::Origin;
use serde::Serialize;

use crate::{Bodies, Opened, Problem, Progress};

/// What was read. Its JSON form is the public one of `heliostat info --format json`.
#[derive(Debug, Clone, Serialize)]
pub struct Info {
    /// The version of this structure.
    pub schema: u32,
    /// The version of Heliostat.
    pub version: &'static str,
    /// The JDK in use.
    pub jdk: Option<JdkInfo>,
    /// How much there is, by origin.
    pub totals: Totals,
    /// The class file versions of the inputs, oldest first.
    pub class_versions: Vec<ClassVersion>,
    /// Where the inputs may start: those that a manifest names first.
    pub main_classes: Vec<MainClass>,
    /// The module declarations of inputs and class path.
    pub modules: Vec<Module>,
    /// What is referred to and not there.
    pub missing: Missing,
    /// All archives, in class-path order.
    pub archives: Vec<ArchiveInfo>,
    /// Classes hidden by one of the same name; at most `Limits::listed` per archive, which tells how many there are.
    pub duplicates: Vec<DuplicateInfo>,
    /// Jars inside archives that are not on the class path, hence not read.
    pub unread_jars: Vec<Place>,
    /// What a look into all method bodies found, if there was one.
    pub bodies: Option<Bodies>,
    /// What the user should know before believing the rest.
    pub warnings: Vec<String>,
    /// How many problems there are, listed or not.
    pub problem_count: u64,
    /// What is wrong with any of it; at most `Limits::listed` per archive, which tells how many there are.
    pub problems: Vec<Problem>,
}

impl Info {
    /// The version of the structure that this code writes.
    pub const SCHEMA: u32 = 1;
}

/// Tells what was read. Looks into every class of inputs and class path for what they refer to.
pub fn info(opened: &mut Opened, progress: &mut Progress<'_>) -> Info {
    let missing = missing::find(opened, progress);
    Info {
        schema: Info::SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        jdk: archives::jdk(opened),
        totals: counts::totals(opened),
        class_versions: counts::versions(opened),
        main_classes: mains::find(opened),
        modules: modules::find(opened),
        missing,
        archives: archives::list(opened),
        duplicates: archives::duplicates(opened),
        unread_jars: archives::unread_jars(opened),
        bodies: opened.bodies,
        warnings: opened.warnings(),
        problem_count: opened.problems.total(),
        problems: opened.problems.listed().to_vec(),
    }
}

/// The word for an origin.
pub(crate) fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Input => "input",
        Origin::ClassPath => "class_path",
        Origin::Jdk => "jdk",
    }
}
