//! What is missing, for people: what only a JDK has stands apart where there is none.

use std::io::{self, Write};

use heliostat_core::info::{Absent, MissingFrom};
use heliostat_core::{Info, is_platform_name};
use heliostat_report::text::{Align, Row, Style, fit, thousands, write_list};

/// What stands before a name and around the word before its first referrer.
const MARGIN: usize = "  12,345    from ".len();

/// Writes what some classes refer to in vain.
pub(super) fn write(
    from: &str,
    info: &Info,
    missing: &MissingFrom,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    // Without a JDK all of it is missing, which would hide what else is.
    let is_expected = |absent: &&Absent| info.jdk.is_none() && is_platform_name(&absent.name);
    let (expected, others): (Vec<_>, Vec<_>) = missing.classes.iter().partition(is_expected);
    absents(&format!("Missing classes, {}", order(from)), others, style, out)?;
    if style.all {
        absents(&format!("Missing for want of a JDK, {}", order(from)), expected, style, out)?;
    } else if !expected.is_empty() {
        let noun = if expected.len() == 1 { "class" } else { "classes" };
        let number = thousands(expected.len());
        writeln!(out, "\nMissing for want of a JDK: {number} {noun} of its packages (use --all)")?;
    }
    absents(&format!("Missing methods, {}", order(from)), &missing.methods, style, out)?;
    absents(&format!("Missing fields, {}", order(from)), &missing.fields, style, out)
}

fn order(from: &str) -> String {
    format!("by number of referring classes in the {from}")
}

fn absents<'a>(
    title: &str,
    absent: impl IntoIterator<Item = &'a Absent>,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    let row = |absent: &Absent| {
        let cells = vec![thousands(absent.referring_classes), absent.name.clone()];
        Row { cells, note: format!("from {}", referrers(absent, style)) }
    };
    let rows: Vec<_> = absent.into_iter().map(row).collect();
    write_list(title, rows.len(), &[Align::Right, Align::Left], &rows, style, out)
}

/// As many as fit beside the name; if all are wanted, all that are known.
fn referrers(absent: &Absent, style: Style) -> String {
    if !style.all {
        let room = style.width.saturating_sub(absent.name.chars().count() + MARGIN);
        return fit(&absent.from, absent.referring_classes, room);
    }
    match absent.referring_classes.saturating_sub(absent.from.len()) {
        0 => absent.from.join(", "),
        left => format!("{}, … and {} more", absent.from.join(", "), thousands(left)),
    }
}
