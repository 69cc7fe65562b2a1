//! What the result does not cover, apart from natives, as a table: `kind, method, offset, line, what, missing_class`.

use std::io::{self, Write};

use heliostat_core::analysis::{Gaps, Place};

use crate::tsv::{end, field, optional};

/// The kinds of gaps, and what the column `what` holds.
pub const KINDS: [(&str, &str); 8] = [
    ("unresolved", "the method or field that is called, or made a handle or lambda of, and not there"),
    ("allocation", "the missing class of which an object would be made"),
    ("field", "the field that is read or written, of a missing class or below one"),
    ("reflection", "the method of the reflection API that is called; nothing is known of what it gives"),
    ("bootstrap", "the bootstrap method of a call site or constant; what it makes is not wholly known"),
    ("unreadable", "nothing: the code of the method cannot be read"),
    ("provider", "a provider that is named and not there; the service stands for the method"),
    ("bounded", "how many types were not tried for a type, which stands for the method, of parameters"),
];

/// Writes a row per gap; [`KINDS`] says what is in it.
pub fn write(gaps: &Gaps, complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "kind\tmethod\toffset\tline\twhat\tmissing_class")?;
    for call in &gaps.unresolved {
        row("unresolved", &call.place, call.callee.as_deref(), call.missing_class.as_deref(), out)?;
    }
    for (kind, losses) in [("allocation", &gaps.allocations), ("field", &gaps.fields)] {
        for lost in losses {
            row(kind, &lost.place, Some(&lost.what), Some(&lost.missing_class), out)?;
        }
    }
    for call in &gaps.reflection {
        row("reflection", &call.place, Some(&call.api), None, out)?;
    }
    for site in &gaps.bootstraps {
        row("bootstrap", &site.place, site.bootstrap.as_deref(), None, out)?;
    }
    for method in &gaps.unreadable {
        writeln!(out, "unreadable\t{}\t\t\t\t", field(method))?;
    }
    for missing in &gaps.missing_providers {
        let [service, provider] = [&missing.service, &missing.provider].map(|name| field(name));
        writeln!(out, "provider\t{service}\t\t\t{provider}\t{provider}")?;
    }
    for bounded in &gaps.bounded {
        writeln!(out, "bounded\t{}\t\t\t{}\t", field(&bounded.ty), bounded.left_out)?;
    }
    end(complete, out)
}

fn row(
    kind: &str,
    place: &Place,
    what: Option<&str>,
    missing: Option<&str>,
    out: &mut impl Write,
) -> io::Result<()> {
    let (method, what) = (field(&place.method), field(what.unwrap_or_default()));
    let missing = field(missing.unwrap_or_default());
    writeln!(out, "{kind}\t{method}\t{}\t{}\t{what}\t{missing}", place.offset, optional(place.line))
}
