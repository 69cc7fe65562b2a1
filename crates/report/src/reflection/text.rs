//! Reflective calls for people: how many there are, then each with its targets, by whose code it is in, by class and by method.

use std::io::{self, Write};

use heliostat_core::Origin;
use heliostat_core::analysis::{Known, Place, ReflectiveSite};

use super::Sites;
use super::shown::{Shown, shown};
use crate::names;
use crate::summary::text::subject;
use crate::text::{Align, Row, Style, counted, thousands, write_rows};

/// How many targets of a call are shown.
const SHOWN: usize = 10;
/// The parts of a program, and where they are.
const PARTS: [(Origin, &str); 3] =
    [(Origin::Input, "in the inputs"), (Origin::ClassPath, "in libraries"), (Origin::Jdk, "in the JDK")];
const COLUMNS: [Align; 5] = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right];

/// Writes the calls. Those in the JDK are only counted, unless they are asked for.
pub fn write(sites: &Sites<'_>, style: Style, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", subject(sites.summary, style))?;
    if !sites.summary.result.complete {
        writeln!(out, "\nIncomplete: the analysis was ended early. What is here is true, but not all.")?;
    }
    let (asked, total) = (sites.sites.len(), thousands(sites.total));
    let number = if asked == sites.total { total } else { format!("{} of {total}", thousands(asked)) };
    writeln!(out, "\nReflective calls of reached code: {number}")?;
    if sites.sites.is_empty() {
        return Ok(());
    }
    write_rows(&COLUMNS, &table(sites, style), style, out)?;
    let parts = PARTS.map(|(origin, place)| {
        (place, sites.for_people().filter(|site| site.origin == origin).collect::<Vec<_>>())
    });
    let has_heads = parts.iter().filter(|(_, sites)| !sites.is_empty()).count() > 1;
    for (place, sites) in parts.iter().filter(|(_, sites)| !sites.is_empty()) {
        if has_heads {
            writeln!(out, "\nCalls {place}:")?;
        }
        write_part(sites, style, out)?;
    }
    advice(sites, out)
}

/// How many calls there are of each part, by how much is known of them.
fn table(sites: &Sites<'_>, style: Style) -> Vec<Row> {
    let heads = ["", "calls", "unresolved", "partly", "resolved"].map(str::to_owned);
    let mut rows = vec![Row { cells: heads.into(), note: String::new() }];
    for (origin, place) in PARTS {
        let counts = Known::ALL.map(|known| sites.count(origin, known));
        let all: usize = counts.iter().sum();
        if all == 0 {
            continue;
        }
        let mut cells = vec![place.to_owned(), thousands(all)];
        cells.extend(counts.map(thousands));
        let hidden = origin == Origin::Jdk && !sites.with_jdk;
        rows.push(Row { cells, note: if hidden { format!("({})", style.more) } else { String::new() } });
    }
    rows
}

fn write_part(sites: &[&ReflectiveSite], style: Style, out: &mut impl Write) -> io::Result<()> {
    for sites in sites.chunk_by(|a, b| class_of(&a.place) == class_of(&b.place)) {
        let Some(first) = sites.first() else { continue };
        writeln!(out, "\n{}", names::class(class_of(&first.place)))?;
        write_class(sites, style, out)?;
    }
    Ok(())
}

fn write_class(sites: &[&ReflectiveSite], style: Style, out: &mut impl Write) -> io::Result<()> {
    let widest = |text: fn(&ReflectiveSite) -> String| {
        sites.iter().map(|site| text(site).chars().count()).max().unwrap_or_default()
    };
    let (place, api) = (widest(|site| place_text(&site.place)), widest(|site| site.api.clone()));
    for sites in sites.chunk_by(|a, b| a.place.method == b.place.method) {
        let Some(first) = sites.first() else { continue };
        writeln!(out, "  {}", method_text(&first.place))?;
        for site in sites {
            let (at, targets) = (place_text(&site.place), shown(&site.targets));
            let what = state(site.known, &targets);
            writeln!(out, "    {at:<place$}  {:<api$}  {what}", site.api)?;
            write_targets(&targets, style, out)?;
        }
    }
    Ok(())
}

/// Several targets have a line each; one alone stands beside the call.
fn write_targets(targets: &[Shown], style: Style, out: &mut impl Write) -> io::Result<()> {
    if targets.len() < 2 {
        return Ok(());
    }
    let is_told = common(targets).is_some();
    let first = if style.all { targets } else { targets.get(..SHOWN).unwrap_or(targets) };
    for Shown { target, how } in first {
        if is_told {
            writeln!(out, "      {target}")?;
        } else {
            writeln!(out, "      {target} ({how})")?;
        }
    }
    match targets.len() - first.len() {
        0 => Ok(()),
        left => writeln!(out, "      … and {} more ({})", thousands(left), style.more),
    }
}

/// How much is known of a call.
fn state(known: Known, targets: &[Shown]) -> String {
    let name = known.name();
    match (targets, known) {
        ([], Known::Resolved) => format!("{name} from what comes to it"),
        ([], _) => name.to_owned(),
        ([Shown { target, how }], _) => format!("{name}: {target} ({how})"),
        (several, _) => {
            let how = common(several).map(|how| format!(" ({how})")).unwrap_or_default();
            format!("{name}: {}{how}", counted(several.len(), "target"))
        }
    }
}

/// How all of some targets are known, if that is the same.
fn common(targets: &[Shown]) -> Option<&str> {
    let first = targets.first()?;
    targets.iter().all(|shown| shown.how == first.how).then_some(first.how.as_str())
}

/// What can be done about the calls of which something is unknown.
fn advice(sites: &Sites<'_>, out: &mut impl Write) -> io::Result<()> {
    if sites.for_people().all(|site| site.known != Known::Unresolved) {
        return Ok(());
    }
    writeln!(out, "\nWhat unresolved calls do is no part of the result. It can be given to the analysis:")?;
    writeln!(out, "  --reflection-log FILE  what they do in a run, as `heliostat trace` records it")?;
    writeln!(out, "  --annotations FILE     what you know; --format annotations writes a file to fill in")
}

fn class_of(place: &Place) -> &str {
    names::parts(&place.method).map_or(place.method.as_str(), |(class, ..)| class)
}

fn method_text(place: &Place) -> String {
    names::parts(&place.method)
        .map_or(place.method.clone(), |(_, name, descriptor)| names::call(name, descriptor))
}

/// A place as stack traces have it.
fn place_text(place: &Place) -> String {
    match (&place.source_file, place.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (None, Some(line)) => format!("line {line}"),
        (_, None) => format!("offset {}", place.offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(how: &[&str]) -> Vec<Shown> {
        let shown = |how: &&str| Shown { target: "a.B".to_owned(), how: (*how).to_owned() };
        how.iter().map(shown).collect()
    }

    #[test]
    fn states_say_how_targets_are_known() {
        let text = |how: &[&str]| state(Known::Partly, &shown(how));
        assert_eq!(text(&[]), "partly");
        assert_eq!(text(&["log"]), "partly: a.B (log)");
        assert_eq!(text(&["log", "log"]), "partly: 2 targets (log)");
        assert_eq!(text(&["log", "cast: to C"]), "partly: 2 targets");
        assert_eq!(state(Known::Resolved, &[]), "resolved from what comes to it");
    }

    #[test]
    fn long_lists_of_targets_are_cut() {
        let style = Style { width: 100, cut: false, all: false, quiet: false, more: "use --all" };
        let written = |how: &[&str], style: Style| {
            let mut out = Vec::new();
            write_targets(&shown(how), style, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(&["log"], style), "");
        assert_eq!(written(&["log", "annotation"], style), "      a.B (log)\n      a.B (annotation)\n");
        let many = written(&["log"; SHOWN + 2], style);
        assert!(many.ends_with("      a.B\n      … and 2 more (use --all)\n"), "{many}");
        let all = written(&["log"; SHOWN + 2], Style { all: true, ..style });
        assert_eq!(all.lines().count(), SHOWN + 2);
    }
}
