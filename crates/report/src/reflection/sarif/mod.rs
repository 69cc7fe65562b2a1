//! Reflective calls of which something is unknown, as SARIF 2.1.0: what code-scanning tools show beside the source.

mod format;
mod rules;

use std::io::{self, Write};

use heliostat_core::analysis::{Place, ReflectiveSite};

use super::Sites;
use super::shown::shown;
use crate::names;
use crate::text::{counted, thousands};
use format::{
    ArtifactLocation, Details, Driver, Invocation, Location, Log, LogicalLocation, Message, Notification,
    PhysicalLocation, Properties, Region, Run, SITE, Tool, UriBase,
};
use rules::Rule;

/// How many targets a message names.
const NAMED: usize = 5;
/// What paths of sources begin at, as tools know it.
const SOURCES: &str = "%SRCROOT%";

/// Writes a log with one run. Those in the JDK are left out, unless they are asked for; so are calls that are resolved. `source_root` stands
/// before the paths of source files, of which classes tell only the part that their package says.
pub fn write(sites: &Sites<'_>, source_root: &str, out: &mut impl Write) -> io::Result<()> {
    let results = sites.for_people().filter_map(|site| result(site, source_root)).collect();
    let complete = sites.summary.result.complete;
    let driver = Driver {
        name: "Heliostat",
        semantic_version: sites.summary.version,
        rules: Rule::ALL.map(Rule::descriptor).into(),
    };
    let run = Run {
        tool: Tool { driver },
        automation_details: Details { id: "heliostat-reflection/" },
        invocations: [Invocation { execution_successful: complete, notifications: ended(complete) }],
        original_uri_base_ids: [(SOURCES, UriBase { description: text("The root of the sources.") })].into(),
        column_kind: "utf16CodeUnits",
        results,
    };
    let log = Log { schema: format::SCHEMA, version: format::VERSION, runs: [run] };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn text(text: impl Into<String>) -> Message {
    Message { text: text.into() }
}

/// What is to be told of an analysis that was ended.
fn ended(complete: bool) -> Vec<Notification> {
    let told = "The analysis was ended early: what is here is true, but not all.";
    if complete { Vec::new() } else { vec![Notification { level: "warning", message: text(told) }] }
}

/// A call; none if all is known of it.
fn result(site: &ReflectiveSite, source_root: &str) -> Option<format::Result> {
    let rule = Rule::of(site.known)?;
    let targets: Vec<String> = shown(&site.targets).into_iter().map(|shown| shown.target).collect();
    Some(format::Result {
        rule_id: rule.id(),
        rule_index: rule.index(),
        level: rule.level(),
        message: text(message(site, &targets)),
        locations: [Location {
            physical_location: physical(&site.place, source_root),
            logical_locations: [logical(&site.place)],
        }],
        partial_fingerprints: [(SITE, site.key())].into(),
        properties: Properties { offset: site.place.offset, api: site.api.clone(), targets },
    })
}

fn message(site: &ReflectiveSite, targets: &[String]) -> String {
    let api = &site.api;
    let (named, left) = targets.split_at_checked(NAMED).unwrap_or((targets, &[]));
    if named.is_empty() {
        return format!("Nothing is known of what {api} does here.");
    }
    let more = if left.is_empty() { String::new() } else { format!(" and {} more", thousands(left.len())) };
    let (count, named) = (counted(targets.len(), "target"), named.join(", "));
    format!("Of what {api} does here, {count} may not be all: {named}{more}.")
}

/// The source file, as far as the class file tells.
fn physical(place: &Place, source_root: &str) -> Option<PhysicalLocation> {
    let file = place.source_file.as_deref()?;
    let (class, ..) = names::parts(&place.method)?;
    let package = class.rsplit_once('/').map(|(package, _)| package);
    let root = source_root.trim_matches('/');
    let path = [Some(root).filter(|root| !root.is_empty()), package, Some(file)];
    let path: Vec<&str> = path.into_iter().flatten().collect();
    let line = place.line.map(u32::from).filter(|&line| line > 0);
    Some(PhysicalLocation {
        artifact_location: ArtifactLocation { uri: uri(&path.join("/")), uri_base_id: SOURCES },
        region: line.map(|start_line| Region { start_line }),
    })
}

/// A path as a URI: bytes that mean something else there, or nothing, are written as numbers (RFC 3986).
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@/".contains(&byte);
    let text = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(text).collect()
}

fn logical(place: &Place) -> LogicalLocation {
    let decorated_name = place.method.clone();
    let (name, fully_qualified_name) = match names::parts(&place.method) {
        Some((class, name, descriptor)) => {
            (name.to_owned(), format!("{}.{}", names::class(class), names::full_call(name, descriptor)))
        }
        None => (decorated_name.clone(), decorated_name.clone()),
    };
    LogicalLocation { name, fully_qualified_name, decorated_name, kind: "function" }
}

#[cfg(test)]
mod tests {
    use heliostat_core::analysis::{Known, Target};

    use super::*;
    use crate::reflection::tests::site;

    fn classes(number: usize) -> Vec<Target> {
        (0..number).map(|number| Target::Class { class: format!("a/T{number}") }).collect()
    }

    #[test]
    fn what_is_resolved_is_no_finding() {
        assert!(result(&site(1, Known::Resolved, &classes(1)), "").is_none());
        let [unresolved, partly] = [site(1, Known::Unresolved, &[]), site(1, Known::Partly, &classes(7))];
        let told = |site: &ReflectiveSite| result(site, "").map(|told| (told.level, told.message.text));
        let nothing = "Nothing is known of what Method.invoke does here.";
        assert_eq!(told(&unresolved), Some(("warning", nothing.to_owned())));
        let some = "Of what Method.invoke does here, 7 targets may not be all: a.T0, a.T1, a.T2, a.T3, a.T4 and 2 more.";
        assert_eq!(told(&partly), Some(("note", some.to_owned())));
    }

    #[test]
    fn files_and_methods() {
        let mut place = site(2, Known::Unresolved, &[]).place;
        let found = |place: &Place, root: &str| {
            let found = physical(place, root)?;
            Some((found.artifact_location.uri, found.region.map(|region| region.start_line)))
        };
        assert_eq!(found(&place, ""), Some(("a/B.java".to_owned(), Some(12))));
        assert_eq!(found(&place, "src/main/"), Some(("src/main/a/B.java".to_owned(), Some(12))));
        let method = logical(&place);
        assert_eq!(method.fully_qualified_name, "a.B$C.load(int,java.lang.String)");
        assert_eq!((method.name.as_str(), method.decorated_name), ("load", place.method.clone()));
        place.line = Some(0);
        place.source_file = Some("Ä b%.java".to_owned());
        assert_eq!(found(&place, ""), Some(("a/%C3%84%20b%25.java".to_owned(), None)));
        place.source_file = None;
        assert_eq!(found(&place, ""), None);
    }
}
