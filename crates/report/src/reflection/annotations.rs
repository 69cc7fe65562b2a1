//! Reflective calls as annotations: what is known as it can be given to an analysis, and what is not to be filled in.

use std::io::{self, Write};

use heliostat_core::analysis::ReflectiveSite;

use super::Sites;
use crate::tsv::end;

/// What stands at the top.
const HEAD: &str = "\
# Annotations for `heliostat --annotations`: a call, and a target of it, on each line. Calls of which nothing is known are comments:
# write a class, <Class: type method(types)> or <Class: type field> for the question mark, and take the # away.
";

/// Writes the calls that annotations can speak of, in the order of places. Those in the JDK are left out, unless they are asked for.
pub fn write(sites: &Sites<'_>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for line in sites.for_people().flat_map(ReflectiveSite::annotations) {
        out.write_all(line.as_bytes())?;
    }
    end(sites.summary.result.complete, out)
}
