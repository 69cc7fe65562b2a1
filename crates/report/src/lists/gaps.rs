//! What the result does not cover, apart from natives, as a table: `kind, method, offset, line, what, missing_class`.

use std::io::{self, Write};

use heliostat_core::analysis::{Gaps, Place};

use crate::tsv::{field, optional};

/// Writes a row per gap:
///
/// | kind | what |
/// |---|---|
/// | `unresolved` | the method that is called and not there |
/// | `bootstrap` | the bootstrap method of a call site that is analysed as a plain call |
/// | `unreadable` | nothing: the method's own code cannot be read |
/// | `provider` | the provider of a service that is named, in place of a method, and not there |
pub fn write(gaps: &Gaps, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "kind\tmethod\toffset\tline\twhat\tmissing_class")?;
    for call in &gaps.unresolved {
        row("unresolved", &call.place, call.callee.as_deref(), call.missing_class.as_deref(), out)?;
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
    Ok(())
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
