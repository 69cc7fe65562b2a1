//! Reflective calls as JSON: one on each line.

use std::io::{self, Write};

use heliostat_core::analysis::{ReflectiveSite, SiteTarget};
use serde::Serialize;

use super::Sites;

/// The version of the structure that this code writes.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct JsonSite<'a> {
    method: &'a str,
    offset: u32,
    line: Option<u16>,
    source_file: Option<&'a str>,
    api: &'a str,
    callee: Option<&'a str>,
    index: Option<u32>,
    origin: &'a str,
    known: &'a str,
    targets: &'a [SiteTarget],
}

/// Writes an object with `schema`, `complete` and `sites`. The JDK's own calls are among them: `origin` tells.
pub fn write(sites: &Sites<'_>, out: &mut impl Write) -> io::Result<()> {
    let complete = sites.summary.result.complete;
    write!(out, "{{\"schema\":{SCHEMA},\"complete\":{complete},\n\"sites\":[")?;
    for (i, site) in sites.sites.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &json(site))?;
    }
    writeln!(out, "]}}")
}

fn json(site: &ReflectiveSite) -> JsonSite<'_> {
    let place = &site.place;
    JsonSite {
        method: &place.method,
        offset: place.offset,
        line: place.line,
        source_file: place.source_file.as_deref(),
        api: &site.api,
        callee: site.callee.as_deref(),
        index: site.index,
        origin: site.origin_name(),
        known: site.known.name(),
        targets: &site.targets,
    }
}
