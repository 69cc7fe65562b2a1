//! Whether what one run found, another found too.

use heliostat_index::FastSet;

use crate::bench::sample::Findings;

/// The lines of the smaller text that the larger one does not have.
pub(super) fn outside(smaller: &str, larger: &str) -> Findings {
    let known: FastSet<&str> = larger.lines().collect();
    let mut findings = Findings::default();
    for line in smaller.lines().filter(|line| !known.contains(line)) {
        findings.add(|| line.replace('\t', " "));
    }
    findings
}

/// The counts that are greater where they must not be; each has a name, the count, and the most it may be.
pub(super) fn above(counts: &[(&str, u64, u64)]) -> Findings {
    let mut findings = Findings::default();
    for (name, count, most) in counts.iter().filter(|(_, count, most)| count > most) {
        findings.add(|| format!("{count} {name}, and only {most} without contexts"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_not_there_are_told() {
        let large = "caller\tcallee\na\tb\na\tc\nd\te\n";
        assert_eq!(outside("caller\tcallee\nd\te\na\tb\n", large), Findings::default());
        assert_eq!(outside("", large).count, 0);
        let found = outside("caller\tcallee\na\td\na\tb\ne\te\n", large);
        assert_eq!((found.count, found.first), (2, vec!["a d".to_owned(), "e e".to_owned()]));
    }

    #[test]
    fn only_the_first_are_listed() {
        let lines: Vec<String> = (0..50).map(|number| number.to_string()).collect();
        let found = outside(&lines.join("\n"), "0\n");
        assert_eq!((found.count, found.first.len()), (49, 20));
    }

    #[test]
    fn counts_may_be_equal_but_not_greater() {
        assert_eq!(above(&[("poly calls", 3, 3), ("may-fail casts", 0, 2)]).count, 0);
        let found = above(&[("poly calls", 4, 3), ("may-fail casts", 2, 2)]);
        assert_eq!(found.first, ["4 poly calls, and only 3 without contexts"]);
    }
}
