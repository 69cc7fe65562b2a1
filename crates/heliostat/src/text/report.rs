//! What was read, for people: short, grouped, the important first.

use std::io::{self, Write};

use heliostat_core::Info;
use heliostat_core::info::{ArchiveInfo, ClassVersion, Count, DuplicateInfo, MainClass, MainForm};
use heliostat_report::text::{Align, Row, Style, counted, thousands, write_list, write_rows};

use super::missing;

const LEFT: Align = Align::Left;
const RIGHT: Align = Align::Right;

/// Writes the report.
pub(crate) fn write(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    totals(info, style, out)?;
    archives(info, style, out)?;
    versions(info, style, out)?;
    for warning in &info.warnings {
        writeln!(out, "\nWarning: {warning}")?;
    }
    mains(info, style, out)?;
    modules(info, style, out)?;
    missing::write("inputs", info, &info.missing.input, style, out)?;
    missing::write("class path", info, &info.missing.class_path, style, out)?;
    duplicates(info, style, out)?;
    unread_jars(info, style, out)?;
    class_path(info, style, out)?;
    writeln!(out, "\n{}", verdict(info, style.quiet))
}

/// The last line: what is wrong, and what was looked at.
fn verdict(info: &Info, quiet: bool) -> String {
    let problems = thousands(info.problem_count as usize);
    match (info.problem_count, info.bodies) {
        (0, None) => "No problems (method bodies were not looked at; --bodies does)".to_owned(),
        (0, Some(bodies)) => {
            format!(
                "No problems, and all {} method bodies can be lowered",
                thousands(bodies.methods as usize)
            )
        }
        _ if quiet => format!("Problems ({problems}), not shown (-q)"),
        _ => format!("Problems ({problems}), told on standard error"),
    }
}

fn totals(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
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
    write_rows(&[LEFT, RIGHT, RIGHT, RIGHT, RIGHT], &rows, style, out)?;
    remark.map_or(Ok(()), |remark| writeln!(out, "  {remark}"))
}

fn total(name: &str, count: &Count, note: &str) -> Row {
    let numbers = [count.classes, count.methods, count.methods_with_code, count.fields].map(thousands);
    let cells = std::iter::once(name.to_owned()).chain(numbers).collect();
    Row { cells, note: note.to_owned() }
}

fn archives(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    let row = |archive: &ArchiveInfo| {
        let (outer, name) = archive.name.rsplit_once("!/").unwrap_or(("", &archive.name));
        let depth = if outer.is_empty() { 0 } else { outer.matches("!/").count() + 1 };
        let name = format!("{}{name}", "  ".repeat(depth));
        let cells = vec![name, archive.kind.to_owned(), classes(archive.classes as usize)];
        Row { cells, note: remarks(archive).join(", ") }
    };
    let rows: Vec<_> = info.archives.iter().map(row).collect();
    write_list("Archives", rows.len(), &[LEFT, LEFT, RIGHT], &rows, style, out)
}

/// What else there is to say about an archive.
fn remarks(archive: &ArchiveInfo) -> Vec<String> {
    let numbers = [
        (u64::from(archive.resources), "resource"),
        (archive.problems, "problem"),
        (archive.missing_class_path_count.into(), "missing Class-Path file"),
    ];
    let counts = numbers.into_iter().filter(|&(number, _)| number > 0);
    let counts = counts.map(|(number, noun)| counted(number as usize, noun));
    let unused = [(archive.hidden, "hidden"), (archive.unreadable, "unreadable")].into_iter();
    let unused = unused.filter(|&(number, _)| number > 0);
    let unused = unused.map(|(number, how)| format!("{} {how}", thousands(number as usize)));
    unused.chain(counts).chain(archive.multi_release.then(|| "multi-release".to_owned())).collect()
}

/// Of one width whatever the number, to stand in a column.
fn classes(number: usize) -> String {
    format!("{} {}", thousands(number), if number == 1 { "class  " } else { "classes" })
}

fn versions(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    let row = |version: &ClassVersion| {
        let cells = vec![version.major.to_string(), version.release.clone(), classes(version.classes)];
        Row { cells, note: String::new() }
    };
    let rows: Vec<_> = info.class_versions.iter().map(row).collect();
    write_list(
        "Class versions of the inputs",
        rows.len(),
        &[RIGHT, LEFT, RIGHT],
        &rows,
        Style { all: true, ..style },
        out,
    )
}

fn mains(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    let row = |main: &MainClass| {
        let named = main.named_by.as_ref().map(|by| format!("{} of {}", by.header, file(&by.archive)));
        let flaw = match (&main.archive, main.has_main) {
            (None, _) if main.unreadable.is_some() => Some("could not be read".to_owned()),
            (None, _) => Some("missing".to_owned()),
            (Some(_), false) => Some("no main method".to_owned()),
            (Some(_), true) => None,
        };
        let found = main.archive.as_deref().filter(|_| main.named_by.is_none());
        // The classic form goes without saying.
        let form = main.form.and_then(|form| match form {
            MainForm::Static => None,
            MainForm::Instance => Some("void main(String[]), on an object"),
            MainForm::StaticBare => Some("static void main()"),
            MainForm::InstanceBare => Some("void main(), on an object"),
        });
        let flaw = flaw.or(form.map(str::to_owned));
        let note: Vec<_> = named
            .into_iter()
            .chain(flaw)
            .chain(found.map(|archive| within(info, archive)).filter(|place| !place.is_empty()))
            .collect();
        Row { cells: vec![main.class.clone()], note: note.join(", ") }
    };
    let rows: Vec<_> = info.main_classes.iter().map(row).collect();
    write_list("Main classes", rows.len(), &[LEFT], &rows, style, out)
}

fn modules(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    let row = |module: &heliostat_core::info::Module| {
        let name = module.name.clone().unwrap_or_else(|| "?".to_owned());
        Row { cells: vec![name], note: within(info, &module.archive) }
    };
    let rows: Vec<_> = info.modules.iter().map(row).collect();
    write_list("Modules", rows.len(), &[LEFT], &rows, style, out)
}

fn duplicates(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    let row = |duplicate: &DuplicateInfo| {
        let note = format!("from {}, not {}", file(&duplicate.kept), file(&duplicate.hidden));
        Row { cells: vec![duplicate.class.clone()], note }
    };
    let rows: Vec<_> = info.duplicates.iter().map(row).collect();
    let total = info.archives.iter().map(|archive| archive.hidden as usize).sum();
    write_list("Duplicate classes", total, &[LEFT], &rows, style, out)
}

fn unread_jars(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    let row = |jar: &heliostat_core::info::Place| Row {
        cells: vec![jar.path.clone()],
        note: within(info, &jar.archive),
    };
    let rows: Vec<_> = info.unread_jars.iter().map(row).collect();
    write_list(
        "Jars inside that are not on the class path, hence not read",
        rows.len(),
        &[LEFT],
        &rows,
        style,
        out,
    )
}

/// The files that manifests name in vain.
fn class_path(info: &Info, style: Style, out: &mut impl Write) -> io::Result<()> {
    let row = |(archive, path): (&ArchiveInfo, &String)| Row {
        cells: vec![path.clone()],
        note: format!("of {}", file(&archive.name)),
    };
    let missing = info
        .archives
        .iter()
        .flat_map(|archive| archive.missing_class_path.iter().map(move |path| (archive, path)));
    let rows: Vec<_> = missing.map(row).collect();
    let total = info.archives.iter().map(|archive| archive.missing_class_path_count as usize).sum();
    write_list("Files that a Class-Path names and are not there", total, &[LEFT], &rows, style, out)
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
