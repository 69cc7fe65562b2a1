//! What a result does not cover, in one line, for commands that print something else.

use heliostat_core::analysis::Gaps;
use heliostat_report::text::thousands;

use crate::args::Messages;
use crate::console;

/// Tells it on standard error, if there is anything, and what tells more.
pub(super) fn tell(gaps: &Gaps, more: &str, messages: Messages) {
    let parts: Vec<String> =
        counts(gaps).iter().filter(|counted| counted.count > 0).map(Counted::text).collect();
    if !parts.is_empty() {
        let parts = parts.join(", ");
        console::remark(&format!("not covered: {parts}; {more}"), messages);
    }
}

/// A number of things.
struct Counted {
    count: usize,
    /// The words for one.
    one: &'static str,
    /// The words for several.
    several: &'static str,
}

impl Counted {
    fn text(&self) -> String {
        let Self { count, one, several } = *self;
        format!("{} {}", thousands(count), if count == 1 { one } else { several })
    }
}

fn counts(gaps: &Gaps) -> [Counted; 8] {
    [
        (gaps.used_missing_classes().count(), "missing class", "missing classes"),
        (gaps.unresolved.len(), "call that leads nowhere", "calls that lead nowhere"),
        (gaps.reflection.len(), "reflective call", "reflective calls"),
        (gaps.natives.len(), "native method without a model", "native methods without a model"),
        (gaps.unreadable.len(), "method that cannot be read", "methods that cannot be read"),
        (gaps.bootstraps.len(), "bootstrap not wholly known", "bootstraps not wholly known"),
        (gaps.missing_providers.len(), "missing provider", "missing providers"),
        (
            gaps.bounded.len(),
            "type of which not all that fit were tried",
            "types of which not all that fit were tried",
        ),
    ]
    .map(|(count, one, several)| Counted { count, one, several })
}
