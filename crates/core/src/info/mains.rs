//! Where the inputs may start.

use heliostat_index::FastSet;
use heliostat_input::{Archive, Origin};
use heliostat_program::{ClassId, MethodId};
use serde::Serialize;

use crate::Opened;
use crate::find::package;

/// The release whose launcher takes instance and shorter mains (JEP 512), and the class version of it.
const COMPACT_MAINS: u16 = 25;
const COMPACT_MAINS_VERSION: u16 = 69;

/// A class to start from.
#[derive(Debug, Clone, Serialize)]
pub struct MainClass {
    /// Its internal name.
    pub class: String,
    /// The class, if it is there.
    #[serde(skip)]
    pub id: Option<ClassId>,
    /// The archive that it was found in; none if it is missing or could not be read.
    pub archive: Option<String>,
    /// Why it could not be read, if it is there.
    pub unreadable: Option<String>,
    /// The manifest that names it.
    pub named_by: Option<Mention>,
    /// Whether it has, or inherits, a main method.
    pub has_main: bool,
    /// How that method is declared.
    pub form: Option<MainForm>,
    /// The method.
    #[serde(skip)]
    pub method: Option<MethodId>,
}

/// How a main method is declared. Before Java 25 only the first can be started, and it must be public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum MainForm {
    /// The classic one.
    #[serde(rename = "static void main(String[])")]
    Static,
    /// With arguments, on an object of its class.
    #[serde(rename = "void main(String[])")]
    Instance,
    /// Without arguments.
    #[serde(rename = "static void main()")]
    StaticBare,
    /// Without arguments, on an object of its class.
    #[serde(rename = "void main()")]
    InstanceBare,
}

/// A line of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mention {
    /// `Main-Class` or `Start-Class`.
    pub header: &'static str,
    /// The archive whose manifest it is.
    pub archive: String,
    /// Whether that archive lies in another one, hence is no program of its own.
    #[serde(skip)]
    pub nested: bool,
}

/// Those that a manifest names, in the order of the archives, then all other classes of the inputs that declare a
/// `main`, by name.
pub(crate) fn find(opened: &Opened) -> Vec<MainClass> {
    let mut seen = FastSet::default();
    let mut mains: Vec<MainClass> = Vec::new();
    for archive in opened.archives().filter(|archive| archive.origin == Origin::Input) {
        for (mention, class) in mentions(archive) {
            let id = opened.program.find_class(&class);
            if seen.insert((id, id.is_none().then(|| class.clone()))) {
                mains.push(describe(opened, class, id, Some(mention)));
            }
        }
    }
    let mut others: Vec<MainClass> = opened
        .program
        .classes()
        .ids()
        .filter(|&class| opened.is_input(class) && !seen.contains(&(Some(class), None)))
        .filter(|&class| main_of(opened, class).is_some_and(|(method, _)| declares(opened, class, method)))
        .map(|class| describe(opened, opened.program.class_name(class), Some(class), None))
        .collect();
    others.sort_by(|a, b| a.class.cmp(&b.class));
    mains.extend(others);
    mains
}

fn mentions(archive: &Archive) -> impl Iterator<Item = (Mention, String)> {
    let headers = [("Main-Class", &archive.main_class), ("Start-Class", &archive.start_class)];
    let nested = archive.parent.is_some();
    let mention = move |header| Mention { header, archive: archive.name.clone(), nested };
    headers.into_iter().filter_map(move |(header, class)| Some((mention(header), class.clone()?)))
}

fn describe(opened: &Opened, class: String, id: Option<ClassId>, named_by: Option<Mention>) -> MainClass {
    let archive = id.map(|id| opened.archive(id).name.clone());
    let unreadable = if id.is_none() { opened.why_unreadable(&class) } else { None };
    let (method, form) = id.and_then(|id| main_of(opened, id)).unzip();
    MainClass { class, id, archive, unreadable, named_by, has_main: form.is_some(), form, method }
}

fn declares(opened: &Opened, class: ClassId, method: MethodId) -> bool {
    opened.program.methods()[method].class == class
}

/// The method that `java` would start for a class: `main(String[])` goes before `main()`, whatever they are
/// (JLS 12.1.4 of Java 25). Those of superinterfaces are not looked for.
pub(crate) fn main_of(opened: &Opened, class: ClassId) -> Option<(MethodId, MainForm)> {
    let compact = opened.jdk().and_then(|jdk| jdk.feature).is_some_and(|feature| feature >= COMPACT_MAINS)
        || opened.program.classes()[class].version.major >= COMPACT_MAINS_VERSION;
    let candidates = |descriptor| {
        let main = opened.program.find_selector("main", descriptor);
        let classes = main.into_iter().flat_map(|main| {
            let classes = opened.program.super_classes(class);
            classes.filter_map(move |class| opened.program.declared_method(class, main))
        });
        classes.map(|method| (method, opened.program.methods()[method].flags))
    };
    let mut with_arguments = candidates("([Ljava/lang/String;)V");
    if !compact {
        let (method, _) = with_arguments.find(|(_, flags)| flags.is_public() && flags.is_static())?;
        return Some((method, MainForm::Static));
    }
    let usable = |&(method, flags): &(MethodId, _)| {
        is_inherited(opened, class, method) && {
            let flags: heliostat_classfile::Flags = flags;
            flags.is_static() || !flags.is_abstract() && is_constructible(opened, class)
        }
    };
    let of = |found: Option<(MethodId, heliostat_classfile::Flags)>, [on_class, on_object]: [MainForm; 2]| {
        found.map(|(method, flags)| (method, if flags.is_static() { on_class } else { on_object }))
    };
    of(with_arguments.find(usable), [MainForm::Static, MainForm::Instance])
        .or_else(|| of(candidates("()V").find(usable), [MainForm::StaticBare, MainForm::InstanceBare]))
}

/// Whether a class has a method that it or a superclass declares as a member that is not private.
fn is_inherited(opened: &Opened, class: ClassId, method: MethodId) -> bool {
    let method = &opened.program.methods()[method];
    let [here, there] = [class, method.class].map(|class| package(opened.internal_name(class)));
    !method.flags.is_private() && (method.flags.is_public() || method.flags.is_protected() || here == there)
}

/// Whether a launcher can make an object of it.
fn is_constructible(opened: &Opened, class: ClassId) -> bool {
    let program = &opened.program;
    let flags = program.classes()[class].flags;
    let constructor = program.find_selector("<init>", "()V");
    let constructor = constructor.and_then(|constructor| program.declared_method(class, constructor));
    let is_private = |method: MethodId| program.methods()[method].flags.is_private();
    !flags.is_abstract() && constructor.is_some_and(|method| !is_private(method))
}
