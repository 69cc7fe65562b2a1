//! What is known of reflective calls, as entries of a log or as annotations: what an analysis can be given.

use heliostat_trace::tamiflex::{Entry, Kind};
use heliostat_trace::{Api, Method, Target as Logged, annotations};

use super::sites::{Known, ReflectiveSite, SiteTarget};
use super::targets::Target;

impl ReflectiveSite {
    /// The entries that say what this call does: one for each target that a log has a kind for. They have the number of no line.
    pub fn log_entries(&self) -> Vec<Entry> {
        let Some(Method { class, name, .. }) = method(&self.place.method) else { return Vec::new() };
        let entry = |(api, target)| Entry {
            number: 0,
            kind: Kind::Known(api),
            target,
            caller: Some((class.clone(), name.clone())),
            line: self.place.line.map(u32::from),
        };
        self.targets.iter().filter_map(logged).map(entry).collect()
    }

    /// The annotations that say what this call does, a line for each target that they have a text for; if there is no target, a comment to be
    /// filled in. Empty if annotations do not speak of such calls.
    pub fn annotations(&self) -> Vec<String> {
        let lines = || {
            let caller = method(&self.place.method)?;
            let called = method(self.callee.as_deref()?)?;
            let (class, name) = (called.class.as_str(), called.name.as_str());
            let line =
                |target: Option<&Logged>| annotations::line(&caller, (class, name), self.index?, target);
            if self.known == Known::Unresolved {
                return Some(line(None).into_iter().collect());
            }
            let targets = self.targets.iter().filter_map(logged);
            let mut lines: Vec<String> = targets.filter_map(|(_, target)| line(Some(&target))).collect();
            // A target may be known in several ways.
            lines.dedup();
            Some(lines)
        };
        lines().unwrap_or_default()
    }
}

/// The parts of `pkg/Class.name(descriptor)result`.
fn method(text: &str) -> Option<Method> {
    let (named, descriptor) = text.split_at_checked(text.find('(')?)?;
    let (class, name) = named.rsplit_once('.')?;
    let [class, name, descriptor] = [class, name, descriptor].map(str::to_owned);
    Some(Method { class, name, descriptor })
}

/// What a log has for a target of a call.
fn logged(found: &SiteTarget) -> Option<(Api, Logged)> {
    let api = Api::ALL.into_iter().find(|api| api.name() == found.api)?;
    let target = match &found.target {
        Target::Class { class } => Logged::Classes(vec![descriptor(class)]),
        // A log has the class alone.
        Target::Method { class, .. } if api == Api::ClassNewInstance => {
            Logged::Classes(vec![descriptor(class)])
        }
        Target::Method { class, name, descriptor } => {
            let [class, name, descriptor] = [class, name, descriptor].map(Clone::clone);
            Logged::Method(Method { class, name, descriptor })
        }
        Target::Field { class, name, descriptor } => {
            let [class, name, descriptor] = [class, name, descriptor].map(Clone::clone);
            Logged::Field { class, name, descriptor }
        }
        Target::Members { .. } | Target::Proxy { .. } | Target::Resource { .. } | Target::Bundle { .. } => {
            return None;
        }
    };
    Some((api, target))
}

/// The descriptor of a class by its name, or of an array.
fn descriptor(class: &str) -> String {
    if class.starts_with('[') { class.to_owned() } else { format!("L{class};") }
}
