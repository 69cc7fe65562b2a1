//! The targets that are known, as a log in the format of `TamiFlex`: an analysis can be given it, here or elsewhere.

use std::io::{self, Write};

use heliostat_core::trace::tamiflex::write_entries;

use super::Sites;
use crate::tsv::end;

/// Writes a line per call and target, sorted, for those that the format has a kind for. The JDK's own calls are among them.
pub fn write(sites: &Sites<'_>, out: &mut impl Write) -> io::Result<()> {
    let entries: Vec<_> = sites.sites.iter().flat_map(|site| site.log_entries()).collect();
    out.write_all(write_entries(&entries).as_bytes())?;
    end(sites.summary.result.complete, out)
}
