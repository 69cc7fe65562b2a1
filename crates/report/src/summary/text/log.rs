//! What came of the log of real runs, and of annotations, in one line each.

use std::io::{self, Write};

use heliostat_core::analysis::{LogUse, Summary};

use super::number;

pub(super) fn write(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    let reflection = &summary.reflection;
    let lines =
        [reflection.log.as_ref().map(log_text), reflection.annotations.as_ref().map(annotations_text)];
    lines.iter().flatten().try_for_each(|line| writeln!(out, "\n{line}"))
}

fn log_text(log: &LogUse) -> String {
    let noun = if all(log) == 1 { "entry" } else { "entries" };
    let used = format!("Reflection log: {} of {} {noun} used", number(log.used), number(all(log)));
    used + &others([
        (log.unused, "of calls that are not reached or not at that line"),
        (log.unknown, "with names that the program does not have"),
        (log.others, "of kinds that say nothing here, as look-ups"),
    ])
}

fn annotations_text(annotations: &LogUse) -> String {
    let used = format!("Annotations: {} of {} used", number(annotations.used), number(all(annotations)));
    used + &others([
        (annotations.unused, "of calls that are not reached"),
        (annotations.unknown, "with names or calls that the program does not have"),
        (annotations.others, "of kinds that say nothing here"),
    ])
}

fn all(used: &LogUse) -> u64 {
    used.used + used.unused + used.unknown + used.others
}

/// Why others are not used.
fn others(others: [(u64, &str); 3]) -> String {
    let others = others.into_iter().filter(|&(count, _)| count > 0);
    let others: Vec<String> = others.map(|(count, why)| format!("{} {why}", number(count))).collect();
    if others.is_empty() { String::new() } else { format!("; not {}", others.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_used_is_told_with_its_reason() {
        let one = LogUse { used: 1, ..LogUse::default() };
        assert_eq!(log_text(&one), "Reflection log: 1 of 1 entry used");
        assert_eq!(annotations_text(&one), "Annotations: 1 of 1 used");
        let some = LogUse { used: 2000, unused: 3, unknown: 0, others: 1 };
        assert_eq!(
            log_text(&some),
            "Reflection log: 2,000 of 2,004 entries used; not 3 of calls that are not reached or not at that line, \
             1 of kinds that say nothing here, as look-ups"
        );
        let some = LogUse { used: 2, unused: 0, unknown: 1, others: 0 };
        let expected = "Annotations: 2 of 3 used; not 1 with names or calls that the program does not have";
        assert_eq!(annotations_text(&some), expected);
    }
}
