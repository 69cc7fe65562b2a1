//! What came of the log of real runs, in one line.

use std::io::{self, Write};

use heliostat_core::analysis::{LogUse, Summary};

use super::number;

pub(super) fn write(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    match &summary.reflection.log {
        Some(log) => writeln!(out, "\n{}", text(log)),
        None => Ok(()),
    }
}

/// How many entries are used, and why the others are not.
fn text(log: &LogUse) -> String {
    let all = log.used + log.unused + log.unknown + log.others;
    let noun = if all == 1 { "entry" } else { "entries" };
    let used = format!("Reflection log: {} of {} {noun} used", number(log.used), number(all));
    let others = [
        (log.unused, "of calls that are not reached or not at that line"),
        (log.unknown, "with names that the program does not have"),
        (log.others, "of kinds that say nothing here, as look-ups"),
    ];
    let others = others.into_iter().filter(|&(count, _)| count > 0);
    let others: Vec<String> = others.map(|(count, why)| format!("{} {why}", number(count))).collect();
    if others.is_empty() { used } else { format!("{used}; not {}", others.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_used_is_told_with_its_reason() {
        let one = LogUse { used: 1, ..LogUse::default() };
        assert_eq!(text(&one), "Reflection log: 1 of 1 entry used");
        let some = LogUse { used: 2000, unused: 3, unknown: 0, others: 1 };
        assert_eq!(
            text(&some),
            "Reflection log: 2,000 of 2,004 entries used; not 3 of calls that are not reached or not at that line, \
             1 of kinds that say nothing here, as look-ups"
        );
    }
}
