//! Reflective call sites of reached code: whose code each is in, what is known of it, and what is not.

use std::collections::BTreeMap;

use heliostat_input::Origin;
use heliostat_program::{MethodId, PoolEntry, Program};
use serde::Serialize;

use super::place::{Place, called_at, called_offsets};
use super::reflection::ReflectiveCall;
use super::targets::{How, ReflectiveTarget, Target};
use crate::Opened;
use crate::info::origin_word;

/// A reflective call in reached code, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReflectiveSite {
    /// Where it is.
    pub place: Place,
    /// The method of the API in short, as `Class.forName`.
    pub api: String,
    /// The same in full, as `java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;`; none if its instruction does not name it.
    pub callee: Option<String>,
    /// Which of the calls of that class and name in its method it is, from 0 on; none if no instruction names it.
    pub index: Option<u32>,
    /// Whose code it is in.
    pub origin: Origin,
    /// How much is known of what it does.
    pub known: Known,
    /// What it does, as far as that is known, in order.
    pub targets: Vec<SiteTarget>,
}

/// Something that a reflective call does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SiteTarget {
    /// What it is about.
    pub target: Target,
    /// The method of the reflection API, as traces name it: they do not tell all methods apart.
    pub api: &'static str,
    /// How that is known.
    pub how: How,
    /// What it was found from, the most telling first. Empty if `how` says all.
    pub because: Vec<String>,
}

/// How much is known of what a reflective call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// Nothing: what it does is not part of the result.
    Unresolved,
    /// Some targets; there may be others, which are not part of the result.
    Partly,
    /// All that the analysis takes for possible.
    Resolved,
}

impl Known {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Unresolved, Self::Partly, Self::Resolved];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unresolved => "unresolved",
            Self::Partly => "partly",
            Self::Resolved => "resolved",
        }
    }
}

impl ReflectiveSite {
    /// What tells it from all others, and stays the same when lines move: its method, what it calls, and which of those calls it is.
    pub fn key(&self) -> String {
        let (method, callee) = (&self.place.method, self.callee.as_deref().map_or(self.api.as_str(), named));
        match self.index {
            Some(index) => format!("{method}/{callee}/{index}"),
            None => format!("{method}/{callee}@{}", self.place.offset),
        }
    }

    /// The name in files of whose code it is in.
    pub fn origin_name(&self) -> &'static str {
        origin_word(self.origin)
    }
}

/// What is at one place.
#[derive(Default)]
struct Here<'a> {
    calls: Vec<ReflectiveCall>,
    targets: Vec<&'a ReflectiveTarget>,
}

/// All calls, with what is known of each, in the order of places.
pub(super) fn join(
    opened: &Opened,
    calls: Vec<ReflectiveCall>,
    targets: &[ReflectiveTarget],
) -> Vec<ReflectiveSite> {
    let mut places: BTreeMap<Place, Here<'_>> = BTreeMap::new();
    for call in calls {
        places.entry(call.place.clone()).or_default().calls.push(call);
    }
    for target in targets {
        places.entry(target.place.clone()).or_default().targets.push(target);
    }
    let mut sites = Vec::new();
    for (place, here) in places {
        let origin = origin_of(opened, &place);
        // What targets alone tell of is none of the calls that are looked for, but some instruction calls it.
        let callee = if here.calls.is_empty() { callee_at(&opened.program, &place) } else { None };
        let found = sites_at(here).into_iter();
        sites.extend(found.map(|found| found.site(&place, origin, callee.as_deref())));
    }
    for site in &mut sites {
        site.index = index(&opened.program, site);
    }
    sites
}

/// Which of the calls of its class and name a call is.
fn index(program: &Program, site: &ReflectiveSite) -> Option<u32> {
    let (class, name) = named(site.callee.as_deref()?).rsplit_once('.')?;
    let offsets = called_offsets(program, method_of(program, &site.place)?, class, name);
    let index = offsets.iter().position(|&offset| offset == site.place.offset)?;
    u32::try_from(index).ok()
}

/// The method that a place is in.
fn method_of(program: &Program, place: &Place) -> Option<MethodId> {
    let (named, descriptor) = place.method.split_at_checked(named(&place.method).len())?;
    let (class, name) = named.rsplit_once('.')?;
    program.declared_method(program.find_class(class)?, program.find_selector(name, descriptor)?)
}

/// Whose code a place is in.
fn origin_of(opened: &Opened, place: &Place) -> Origin {
    let class = class_of(&place.method).and_then(|class| opened.program.find_class(class));
    class.map_or(Origin::Jdk, |class| opened.origin(class))
}

/// What the instruction at a place calls, in full.
fn callee_at(program: &Program, place: &Place) -> Option<String> {
    match called_at(program, method_of(program, place)?, place.offset)? {
        PoolEntry::Method(called) => Some(program.method_ref_name(called)),
        _ => None,
    }
}

/// A call, and its targets.
struct Found<'a> {
    api: String,
    call: Option<ReflectiveCall>,
    targets: Vec<&'a ReflectiveTarget>,
}

impl Found<'_> {
    /// The call at a place. `callee` is what its instruction calls, if only targets tell of it.
    fn site(self, place: &Place, origin: Origin, callee: Option<&str>) -> ReflectiveSite {
        let known = self.known();
        let callee = self.call.map(|call| call.api).or_else(|| callee.map(str::to_owned));
        let api = callee.as_deref().map_or(self.api, |callee| short(callee).to_owned());
        let targets = self.targets.into_iter().map(|found| SiteTarget {
            target: found.target.clone(),
            api: found.api,
            how: found.how,
            because: found.because.clone(),
        });
        let mut targets: Vec<SiteTarget> = targets.collect();
        targets.sort_unstable();
        targets.dedup();
        ReflectiveSite { place: place.clone(), api, callee, index: None, origin, known, targets }
    }

    fn known(&self) -> Known {
        let is_beyond_runs = self.targets.iter().any(|target| !target.how.is_of_runs());
        let resolved = match &self.call {
            Some(call) => call.resolved_without_log || call.resolved && is_beyond_runs,
            None => is_beyond_runs,
        };
        match (resolved, self.targets.is_empty()) {
            (true, _) => Known::Resolved,
            (false, false) => Known::Partly,
            (false, true) => Known::Unresolved,
        }
    }
}

/// The calls of one place. A target belongs to the call that its API names, else to the first; if there is no call, targets are what
/// tells of one.
fn sites_at(here: Here<'_>) -> Vec<Found<'_>> {
    let found = |call: ReflectiveCall| Found {
        api: short(&call.api).to_owned(),
        call: Some(call),
        targets: Vec::new(),
    };
    let mut sites: Vec<Found<'_>> = here.calls.into_iter().map(found).collect();
    let told_by_calls = !sites.is_empty();
    for target in here.targets {
        let named = sites.iter().position(|site| is_named(&site.api, target.api));
        match named.or_else(|| told_by_calls.then_some(0)).and_then(|index| sites.get_mut(index)) {
            Some(site) => site.targets.push(target),
            None => {
                sites.push(Found { api: target.api.to_owned(), call: None, targets: vec![target] });
            }
        }
    }
    sites
}

/// Whether a method in short is the one that a target's API names, which may end with a star: `Field.get*`.
fn is_named(short: &str, api: &str) -> bool {
    match api.strip_suffix('*') {
        Some(start) => short.starts_with(start),
        None => short == api,
    }
}

/// A method without its descriptor.
fn named(method: &str) -> &str {
    method.split('(').next().unwrap_or(method)
}

/// A method in short: `java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;` is `Class.forName`, and
/// `java/lang/invoke/MethodHandles$Lookup.findVirtual` is `Lookup.findVirtual`.
fn short(method: &str) -> &str {
    let named = named(method);
    let simple = named.rsplit('/').next().unwrap_or(named);
    let inner = simple.rsplit_once('$').map(|(_, inner)| inner);
    // Classes without a name have a number.
    inner.filter(|inner| inner.starts_with(char::is_alphabetic)).unwrap_or(simple)
}

/// The class of a method.
fn class_of(method: &str) -> Option<&str> {
    Some(named(method).rsplit_once('.')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOR_NAME: &str = "java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;";
    const INVOKE: &str =
        "java/lang/reflect/Method.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";

    fn place(offset: u32) -> Place {
        Place { method: "a/A.m()V".to_owned(), offset, line: None, source_file: None }
    }

    fn call(offset: u32, api: &str, resolved: bool) -> ReflectiveCall {
        ReflectiveCall {
            place: place(offset),
            api: api.to_owned(),
            resolved,
            resolved_without_log: false,
            caller: MethodId::from_u32(7),
        }
    }

    fn target(offset: u32, api: &'static str) -> ReflectiveTarget {
        let target = Target::Class { class: "a/B".to_owned() };
        ReflectiveTarget { place: place(offset), api, target, how: How::Log, because: Vec::new() }
    }

    fn found(calls: &[ReflectiveCall], targets: &[ReflectiveTarget]) -> Vec<ReflectiveSite> {
        let here = Here { calls: calls.to_vec(), targets: targets.iter().collect() };
        sites_at(here).into_iter().map(|found| found.site(&place(4), Origin::Input, None)).collect()
    }

    #[test]
    fn targets_come_to_the_call_that_they_name() {
        let targets = [target(4, "Class.forName"), target(4, "Method.invoke"), target(4, "Field.get*")];
        let sites = found(&[call(4, FOR_NAME, true), call(4, INVOKE, true)], &targets);
        let apis = |site: &ReflectiveSite| site.targets.iter().map(|target| target.api).collect::<Vec<_>>();
        let apis: Vec<_> = sites.iter().map(|site| (site.api.as_str(), apis(site))).collect();
        let expected = [
            ("Class.forName", vec!["Class.forName", "Field.get*"]),
            ("Method.invoke", vec!["Method.invoke"]),
        ];
        assert_eq!(apis, expected);
        let sites = found(&[], &targets);
        let apis: Vec<_> = sites.iter().map(|site| site.api.as_str()).collect();
        assert_eq!(apis, ["Class.forName", "Method.invoke", "Field.get*"]);
    }

    #[test]
    fn names_in_short() {
        assert_eq!(short(FOR_NAME), "Class.forName");
        assert_eq!(short("java/lang/invoke/MethodHandles$Lookup.findVirtual()V"), "Lookup.findVirtual");
        assert_eq!(short("a/Loader$1.loadClass(Ljava/lang/String;)V"), "Loader$1.loadClass");
        assert!(is_named("Field.getInt", "Field.get*") && !is_named("Field.setInt", "Field.get*"));
    }

    #[test]
    fn how_much_is_known() {
        let known = |call: ReflectiveCall, targets: &[ReflectiveTarget]| found(&[call], targets)[0].known;
        let logged = [target(4, "Class.forName")];
        assert_eq!(known(call(4, FOR_NAME, false), &[]), Known::Unresolved);
        assert_eq!(known(call(4, FOR_NAME, false), &logged), Known::Partly);
        assert_eq!(known(call(4, FOR_NAME, true), &logged), Known::Partly, "other runs may do more");
        let by_itself = ReflectiveCall { resolved_without_log: true, ..call(4, FOR_NAME, true) };
        assert_eq!(known(by_itself, &logged), Known::Resolved);
    }

    #[test]
    fn keys_do_without_lines() {
        let mut site = found(&[call(4, FOR_NAME, false)], &[]).remove(0);
        assert_eq!(site.key(), "a/A.m()V/java/lang/Class.forName@4");
        site.index = Some(2);
        assert_eq!(site.key(), "a/A.m()V/java/lang/Class.forName/2");
        site.callee = None;
        assert_eq!(site.key(), "a/A.m()V/Class.forName/2");
    }
}
