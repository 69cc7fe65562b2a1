//! Where a program is entered.

use heliostat_index::FastSet;
use heliostat_program::{ClassId, MethodId};
use heliostat_pta::Entry;

use super::no_entry::NoEntry;
use super::{AnalysisSettings, EntryChoice, public};
use crate::info::mains::{self, main_of};
use crate::info::{MainClass, Mention};
use crate::{MethodPattern, Opened};

/// Where a program is entered, and why there.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    /// Entry points by what led to them, none twice.
    pub groups: Vec<EntryGroup>,
    /// Classes whose fields users of the inputs as a library see.
    pub open_classes: Vec<ClassId>,
    /// The main classes that a manifest names and that are missing or have no main method.
    pub unusable: Vec<MainClass>,
}

/// Entry points with one reason.
#[derive(Debug, Clone)]
pub struct EntryGroup {
    /// Why these.
    pub reason: EntryReason,
    /// The entry points.
    pub entries: Vec<Entry>,
}

/// What led to an entry point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryReason {
    /// It is the main method of a class that was asked for.
    Asked,
    /// It is the main method of a class that a manifest names.
    Manifest(Mention),
    /// It is a main method, and no manifest names one.
    EveryMain,
    /// Anybody who uses the inputs as a library may call it.
    Public,
    /// It matches this pattern.
    Pattern(String),
}

impl Entries {
    /// All entry points.
    pub fn all(&self) -> Vec<Entry> {
        self.groups.iter().flat_map(|group| group.entries.iter().copied()).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.entries.len()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The method of an entry point.
pub fn entry_method(entry: Entry) -> MethodId {
    match entry {
        Entry::Main(method) | Entry::Inherited(_, method) | Entry::Open(method) | Entry::Member(method) => {
            method
        }
    }
}

/// The main method of a class that has or inherits it, as an entry.
fn main_entry(opened: &Opened, class: ClassId, method: MethodId) -> Entry {
    let declares = opened.program.methods()[method].class == class;
    if declares { Entry::Main(method) } else { Entry::Inherited(class, method) }
}

/// Finds what the settings ask for.
pub(super) fn find(opened: &mut Opened, settings: &AnalysisSettings) -> Result<Entries, NoEntry> {
    let mut finder = Finder { opened, entries: Entries::default(), seen: FastSet::default() };
    let mut choices = settings.choices();
    // A method that users see and that matches a pattern is entered as users do, which is more.
    choices.sort_by_key(|choice| matches!(choice, EntryChoice::Methods(_)));
    for choice in choices {
        match choice {
            EntryChoice::Main if settings.mains.is_empty() => finder.add_mains()?,
            EntryChoice::Main => finder.add_named(&settings.mains)?,
            EntryChoice::Public => finder.add_public()?,
            EntryChoice::Methods(pattern) => finder.add_like(pattern)?,
        }
    }
    Ok(finder.entries)
}

struct Finder<'a> {
    opened: &'a mut Opened,
    entries: Entries,
    /// Methods that are entry points, each with the class that inherits it.
    seen: FastSet<(Option<ClassId>, MethodId)>,
}

impl Finder<'_> {
    fn add(&mut self, reason: EntryReason, entries: impl IntoIterator<Item = Entry>) {
        let seen = &mut self.seen;
        let key = |entry| match entry {
            Entry::Inherited(class, method) => (Some(class), method),
            Entry::Main(method) | Entry::Open(method) | Entry::Member(method) => (None, method),
        };
        let new: Vec<Entry> = entries.into_iter().filter(|&e| seen.insert(key(e))).collect();
        match self.entries.groups.iter_mut().find(|group| group.reason == reason) {
            Some(group) => group.entries.extend(new),
            None if new.is_empty() => {}
            None => self.entries.groups.push(EntryGroup { reason, entries: new }),
        }
    }

    /// The mains that the manifests of the inputs name, those of jars inside them left aside; if there are none, all.
    fn add_mains(&mut self) -> Result<(), NoEntry> {
        let mains = mains::find(self.opened);
        let mut is_named = false;
        for main in &mains {
            let Some(mention) = main.named_by.as_ref().filter(|mention| !mention.nested) else { continue };
            match main.id.zip(main.method) {
                Some((class, method)) => {
                    let entry = main_entry(self.opened, class, method);
                    self.add(EntryReason::Manifest(mention.clone()), [entry]);
                    is_named = true;
                }
                None => self.entries.unusable.push(main.clone()),
            }
        }
        if !is_named {
            self.add(EntryReason::EveryMain, mains.iter().filter_map(|main| main.method).map(Entry::Main));
        }
        if !is_named && mains.iter().all(|main| main.method.is_none()) {
            return Err(NoEntry::NoMain { unusable: std::mem::take(&mut self.entries.unusable) });
        }
        Ok(())
    }

    fn add_named(&mut self, names: &[String]) -> Result<(), NoEntry> {
        for name in names {
            let Some(class) = find_class(self.opened, name) else {
                if let Some(why) = self.opened.why_unreadable(&name.replace('.', "/")) {
                    return Err(NoEntry::Unreadable { class: name.clone(), why });
                }
                return Err(NoEntry::NoSuchClass { class: name.clone(), mains: main_classes(self.opened) });
            };
            let Some((method, _)) = main_of(self.opened, class) else {
                let class = self.opened.program.class_name(class);
                return Err(NoEntry::NotMain { class, mains: main_classes(self.opened) });
            };
            let entry = main_entry(self.opened, class, method);
            self.add(EntryReason::Asked, [entry]);
        }
        Ok(())
    }

    /// What whoever uses the inputs as a library may call.
    fn add_public(&mut self) -> Result<(), NoEntry> {
        let members = public::members(self.opened);
        if members.is_empty() {
            return Err(NoEntry::NothingPublic);
        }
        self.add(EntryReason::Public, members.into_iter().map(Entry::Member));
        self.entries.open_classes = public::classes(self.opened);
        Ok(())
    }

    fn add_like(&mut self, text: String) -> Result<(), NoEntry> {
        let pattern = MethodPattern::new(&text);
        let methods = self.opened.methods_like(&pattern);
        if methods.is_empty() {
            let why = self.opened.why_no_match(&pattern);
            return Err(NoEntry::NoMatch { pattern: text, why });
        }
        let methods = methods.into_iter().filter(|&m| has_implementation(self.opened, m));
        let entries: Vec<Entry> = methods.map(|method| entry(self.opened, method)).collect();
        if entries.is_empty() {
            return Err(NoEntry::NoCode { pattern: text });
        }
        self.add(EntryReason::Pattern(text), entries);
        Ok(())
    }
}

/// A method as an entry: with arguments as the launcher gives them if it is a main method, else with any.
fn entry(opened: &Opened, method: MethodId) -> Entry {
    let class = opened.program.methods()[method].class;
    let is_main = main_of(opened, class).is_some_and(|(main, _)| main == method);
    if is_main { Entry::Main(method) } else { Entry::Open(method) }
}

fn has_implementation(opened: &Opened, method: MethodId) -> bool {
    let data = &opened.program.methods()[method];
    data.has_code() || data.flags.is_native()
}

/// The class of a name with slashes or dots, of an inner class with `$` or a dot.
pub(super) fn find_class(opened: &Opened, name: &str) -> Option<ClassId> {
    let mut name = name.replace('.', "/");
    loop {
        if let Some(class) = opened.program.find_class(&name) {
            return Some(class);
        }
        let slash = name.rfind('/')?;
        name.replace_range(slash..=slash, "$");
    }
}

fn main_classes(opened: &Opened) -> Vec<String> {
    let mains = mains::find(opened).into_iter();
    mains.filter(|main| main.has_main).map(|main| main.class).collect()
}
