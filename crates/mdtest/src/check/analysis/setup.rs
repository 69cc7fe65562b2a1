//! A section's part of the program, and the options to analyse it with.

use heliostat_core::ir::{Body, Lowerer, Value};
use heliostat_core::program::{ClassId, MethodId, Program};
use heliostat_core::pta::{self, Flavour, Options, Selector, Service};
use heliostat_index::Ids;

use super::log;
use crate::Section;
use crate::stage::classes_of;
use crate::wanted::Entry;

/// What belongs to a section.
pub(super) struct Own {
    pub(super) package: String,
    classes: Vec<ClassId>,
    pub(super) methods: Vec<OwnMethod>,
}

/// A method of a section.
pub(super) struct OwnMethod {
    pub(super) method: MethodId,
    /// None if it has no code.
    pub(super) body: Option<Body>,
}

impl OwnMethod {
    /// The source lines of its instructions.
    pub(super) fn lines(&self) -> impl Iterator<Item = u32> + '_ {
        let body = self.body.as_ref().into_iter();
        body.flat_map(|body| body.insts.values().filter_map(|inst| body.line(inst.offset).map(u32::from)))
    }
}

impl Own {
    /// Finds and lowers what is in a package.
    pub(super) fn find(program: &mut Program, package: &str) -> Result<Self, String> {
        let classes = classes_of(program, package);
        let mut methods = Vec::new();
        for &class in &classes {
            program.link(class);
            for method in Ids::between(program.classes()[class].methods.clone()) {
                let lower =
                    || Lowerer::new().lower(program, method).map_err(|malformed| malformed.to_string());
                let body = program.methods()[method].has_code().then(lower).transpose()?;
                methods.push(OwnMethod { method, body });
            }
        }
        Ok(Self { package: package.to_owned(), classes, methods })
    }

    /// A text without the section's package.
    pub(super) fn shown(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.package), "")
    }

    /// The methods that `A.f` names.
    fn named<'a>(&'a self, program: &'a Program, name: &'a str) -> impl Iterator<Item = MethodId> + 'a {
        let full = |method| self.shown(&program.method_name(method));
        let is_named =
            move |m: &MethodId| full(*m).strip_prefix(name).is_some_and(|rest| rest.starts_with('('));
        self.methods.iter().map(|own| own.method).filter(is_named)
    }

    fn class(&self, program: &Program, name: &str) -> Result<ClassId, String> {
        let class =
            program.find_class(&format!("{}/{name}", self.package)).or_else(|| program.find_class(name));
        class.ok_or_else(|| format!("there is no class {name}"))
    }
}

/// The options for a section's program.
pub(super) fn options(
    section: &Section,
    program: &mut Program,
    own: &Own,
    flavour: Flavour,
) -> Result<Options, String> {
    let wanted = &section.wanted;
    let sensitive = methods_named(program, own, &wanted.sensitive)?;
    let selector = (!sensitive.is_empty()).then(|| Box::new(Only(sensitive)) as Box<dyn Selector>);
    Ok(Options {
        flavour,
        heap: wanted.heap,
        entries: entries(&wanted.entry, program, own)?,
        open_classes: open_classes(&wanted.entry, program, own),
        inputs: own.classes.iter().copied().collect(),
        services: services(&wanted.services, program, own)?,
        log: log::read(section, program, &own.package)?,
        most_contexts: None,
        selector,
        startup: wanted.startup,
    })
}

fn entries(entry: &Entry, program: &Program, own: &Own) -> Result<Vec<pta::Entry>, String> {
    let entries: Vec<pta::Entry> = match entry {
        Entry::Main => {
            let is_main = |m: &MethodId| program.method_name(*m).ends_with(".main([Ljava/lang/String;)V");
            own.methods.iter().map(|own| own.method).filter(is_main).map(pta::Entry::Main).collect()
        }
        Entry::Public => public_methods(program, own).map(pta::Entry::Member).collect(),
        Entry::Methods(names) => {
            methods_named(program, own, names)?.into_iter().map(pta::Entry::Open).collect()
        }
    };
    if entries.is_empty() { Err("the program has no entry point".to_owned()) } else { Ok(entries) }
}

fn open_classes(entry: &Entry, program: &Program, own: &Own) -> Vec<ClassId> {
    if *entry == Entry::Public { public_classes(program, own).collect() } else { Vec::new() }
}

fn public_classes<'a>(program: &'a Program, own: &'a Own) -> impl Iterator<Item = ClassId> + 'a {
    own.classes.iter().copied().filter(|&class| program.classes()[class].flags.is_public())
}

/// The public and protected methods of the section's public classes.
fn public_methods<'a>(program: &'a Program, own: &'a Own) -> impl Iterator<Item = MethodId> + 'a {
    let methods =
        public_classes(program, own).flat_map(|class| Ids::between(program.classes()[class].methods.clone()));
    methods.filter(|&method| {
        let flags = program.methods()[method].flags;
        (flags.is_public() || flags.is_protected()) && !flags.is_abstract()
    })
}

fn methods_named(program: &Program, own: &Own, names: &[String]) -> Result<Vec<MethodId>, String> {
    let mut all = Vec::new();
    for name in names {
        let found: Vec<MethodId> = own.named(program, name).collect();
        if found.is_empty() {
            return Err(format!("there is no method {name}"));
        }
        all.extend(found);
    }
    Ok(all)
}

fn services(wanted: &[(String, Vec<String>)], program: &Program, own: &Own) -> Result<Vec<Service>, String> {
    let mut services = Vec::new();
    for (service, providers) in wanted {
        let service = program.classes()[own.class(program, service)?].ty;
        for provider in providers {
            services.push(Service { service, provider: own.class(program, provider)? });
        }
    }
    Ok(services)
}

/// Only these methods are analysed in contexts.
struct Only(Vec<MethodId>);

impl Selector for Only {
    fn variable(&self, method: MethodId, _: Option<Value>) -> bool {
        self.0.contains(&method)
    }

    fn allocation(&self, method: MethodId, _: u32) -> bool {
        self.0.contains(&method)
    }
}
