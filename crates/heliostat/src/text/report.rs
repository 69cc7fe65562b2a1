//! What was read, for people: short, grouped, the important first.

use std::io::{self, Write};

use heliostat_core::Info;
use heliostat_core::info::{Absent, ArchiveInfo, ClassVersion, Count, DuplicateInfo, MainClass, MissingFrom};

use super::list::{self, Align, INDENT, Row, WIDTH, fit};
use super::{counted, thousands};

const LEFT: Align = Align::Left;
const RIGHT: Align = Align::Right;

/// Writes the report; with `all`, long lists in full.
pub(crate) fn write(info: &Info, all: bool, out: &mut impl Write) -> io::Result<()> {
    totals(info, out)?;
    archives(info, all, out)?;
    versions(info, out)?;
    mains(info, all, out)?;
    modules(info, all, out)?;
    missing("inputs", info, &info.missing.input, all, out)?;
    missing("class path", info, &info.missing.class_path, all, out)?;
    duplicates(info, all, out)?;
    unread_jars(info, all, out)?;
    match info.problems.len() {
        0 => writeln!(out, "\nNo problems"),
        some => writeln!(out, "\nProblems ({}), told on standard error", thousands(some)),
    }
}

fn totals(info: &Info, out: &mut impl Write) -> io::Result<()> {
    let heads = ["", "classes", "methods", "with code", "fields"].map(str::to_owned).to_vec();
    let mut rows = vec![Row { cells: heads, note: String::new() }, total("inputs", &info.totals.input, "")];
    if info.totals.class_path.classes > 0 {
        rows.push(total("class path", &info.totals.class_path, ""));
    }
    let jdk = info.jdk.as_ref().map(|jdk| (format!("JDK {}", jdk.version.as_deref().unwrap_or("?")), jdk));
    // The JDK has no classes of its own where it is what the user wants to know about.
    let remark = match jdk {
        Some((name, jdk)) if info.totals.jdk.classes > 0 => {
            rows.push(total(&name, &info.totals.jdk, &jdk.home));
            None
        }
        Some((name, _)) => Some(format!("{name} is among the inputs")),
        None => Some("no JDK".to_owned()),
    };
    list::write_rows(&[LEFT, RIGHT, RIGHT, RIGHT, RIGHT], &rows, out)?;
    remark.map_or(Ok(()), |remark| writeln!(out, "  {remark}"))
}

fn total(name: &str, count: &Count, note: &str) -> Row {
    let numbers = [count.classes, count.methods, count.methods_with_code, count.fields].map(thousands);
    let cells = std::iter::once(name.to_owned()).chain(numbers).collect();
    Row { cells, note: note.to_owned() }
}

fn archives(info: &Info, all: bool, out: &mut impl Write) -> io::Result<()> {
    let row = |archive: &ArchiveInfo| {
        let (outer, name) = archive.name.rsplit_once("!/").unwrap_or(("", &archive.name));
        let depth = if outer.is_empty() { 0 } else { outer.matches("!/").count() + 1 };
        let name = format!("{}{name}", "  ".repeat(depth));
        let cells = vec![name, archive.kind.to_owned(), classes(archive.classes as usize)];
        Row { cells, note: remarks(archive).join(", ") }
    };
    let rows: Vec<_> = info.archives.iter().map(row).collect();
    list::write("Archives", rows.len(), &[LEFT, LEFT, RIGHT], &rows, all, out)
}

/// What else there is to say about an archive.
fn remarks(archive: &ArchiveInfo) -> Vec<String> {
    let numbers = [
        (archive.resources, "resource"),
        (archive.duplicates, "duplicate"),
        (archive.problems, "problem"),
        (archive.missing_class_path, "missing Class-Path file"),
    ];
    let counts = numbers.into_iter().filter(|&(number, _)| number > 0);
    let counts = counts.map(|(number, noun)| counted(number as usize, noun));
    counts.chain(archive.multi_release.then(|| "multi-release".to_owned())).collect()
}

/// Of one width whatever the number, to stand in a column.
fn classes(number: usize) -> String {
    format!("{} {}", thousands(number), if number == 1 { "class  " } else { "classes" })
}

fn versions(info: &Info, out: &mut impl Write) -> io::Result<()> {
    let row = |version: &ClassVersion| {
        let cells = vec![version.major.to_string(), version.release.clone(), classes(version.classes)];
        Row { cells, note: String::new() }
    };
    let rows: Vec<_> = info.class_versions.iter().map(row).collect();
    list::write("Class versions of the inputs", rows.len(), &[RIGHT, LEFT, RIGHT], &rows, true, out)
}

fn mains(info: &Info, all: bool, out: &mut impl Write) -> io::Result<()> {
    let row = |main: &MainClass| {
        let named = main.named_by.as_ref().map(|by| format!("{} of {}", by.header, file(&by.archive)));
        let flaw = match (&main.archive, main.has_main) {
            (None, _) => Some("missing".to_owned()),
            (Some(_), false) => Some("no main method".to_owned()),
            (Some(_), true) => None,
        };
        let found = main.archive.as_deref().filter(|_| main.named_by.is_none());
        let note: Vec<_> =
            named.into_iter().chain(flaw).chain(found.map(|archive| within(info, archive))).collect();
        Row { cells: vec![main.class.clone()], note: note.join(", ") }
    };
    let rows: Vec<_> = info.main_classes.iter().map(row).collect();
    list::write("Main classes", rows.len(), &[LEFT], &rows, all, out)
}

fn modules(info: &Info, all: bool, out: &mut impl Write) -> io::Result<()> {
    let row = |module: &heliostat_core::info::Module| {
        let name = module.name.clone().unwrap_or_else(|| "?".to_owned());
        Row { cells: vec![name], note: within(info, &module.archive) }
    };
    let rows: Vec<_> = info.modules.iter().map(row).collect();
    list::write("Modules", rows.len(), &[LEFT], &rows, all, out)
}

fn missing(
    from: &str,
    info: &Info,
    missing: &MissingFrom,
    all: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    // Without a JDK all of it is missing, which would hide what else is.
    let is_expected = |absent: &&Absent| info.jdk.is_none() && !all && absent.name.starts_with("java/");
    let (expected, others): (Vec<_>, Vec<_>) = missing.classes.iter().partition(is_expected);
    absents("classes", from, &others, all, out)?;
    if !expected.is_empty() {
        let expected = classes(expected.len());
        writeln!(out, "\nMissing for want of a JDK: {} of java/... (use --all)", expected.trim_end())?;
    }
    absents("methods", from, &missing.methods.iter().collect::<Vec<_>>(), all, out)?;
    absents("fields", from, &missing.fields.iter().collect::<Vec<_>>(), all, out)
}

fn absents(what: &str, from: &str, absent: &[&Absent], all: bool, out: &mut impl Write) -> io::Result<()> {
    let row = |absent: &&Absent| {
        let cells = vec![thousands(absent.referring_classes), absent.name.clone()];
        Row { cells, note: referrers(absent) }
    };
    let rows: Vec<_> = absent.iter().map(row).collect();
    let title = format!("Missing {what}, by number of referring classes in the {from}");
    list::write(&title, rows.len(), &[RIGHT, LEFT], &rows, all, out)
}

/// As many as fit beside the name; if there is no room for one, as many as fit below it, but at least one.
fn referrers(absent: &Absent) -> String {
    // What stands before the name and around the word before the first referrer.
    let margin = "  12,345    from ".len();
    let beside = WIDTH.saturating_sub(absent.name.chars().count() + margin);
    let below = WIDTH - INDENT.len() - "from ".len();
    let names = [beside, below].map(|room| fit(&absent.from, absent.referring_classes, room));
    let names = names.iter().find(|names| !names.is_empty()).or(absent.from.first());
    names.map(|names| format!("from {names}")).unwrap_or_default()
}

fn duplicates(info: &Info, all: bool, out: &mut impl Write) -> io::Result<()> {
    let row = |duplicate: &DuplicateInfo| {
        let note = format!("from {}, not {}", file(&duplicate.kept), file(&duplicate.hidden));
        Row { cells: vec![duplicate.class.clone()], note }
    };
    let rows: Vec<_> = info.duplicates.iter().map(row).collect();
    let total = info.archives.iter().map(|archive| archive.duplicates as usize).sum();
    list::write("Duplicate classes", total, &[LEFT], &rows, all, out)
}

fn unread_jars(info: &Info, all: bool, out: &mut impl Write) -> io::Result<()> {
    let row = |jar: &heliostat_core::info::Place| Row {
        cells: vec![jar.path.clone()],
        note: within(info, &jar.archive),
    };
    let rows: Vec<_> = info.unread_jars.iter().map(row).collect();
    list::write(
        "Jars inside that are not on the class path, hence not read",
        rows.len(),
        &[LEFT],
        &rows,
        all,
        out,
    )
}

/// Where something is, unless there is only one place to be in.
fn within(info: &Info, archive: &str) -> String {
    let mut inputs = info.archives.iter().filter(|archive| archive.origin == "input");
    match (inputs.next(), inputs.next()) {
        (Some(only), None) if only.name == archive => String::new(),
        _ => format!("in {}", file(archive)),
    }
}

/// The last part of an archive's name.
fn file(archive: &str) -> &str {
    archive.trim_end_matches('/').rsplit('/').next().unwrap_or(archive)
}
