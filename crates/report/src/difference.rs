//! How a file that was written before differs from what is found now.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::text::thousands;

/// The entries of a file: what each is about, and its parts.
pub type Listing = BTreeMap<String, BTreeSet<String>>;

/// How a file differs from what is found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    title: String,
    /// Nothing if both have the entry, and parts of it differ.
    sign: Option<Sign>,
    parts: Vec<(Sign, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// It is found, and the file does not have it.
    Missing,
    /// The file has it, and it is not found.
    Stale,
}

impl Sign {
    fn mark(self) -> char {
        match self {
            Self::Missing => '+',
            Self::Stale => '-',
        }
    }
}

impl Difference {
    /// Holds a file against what is found. If that is not all that there is, nothing in the file is called stale.
    pub fn new(found: &Listing, file: &Listing, complete: bool) -> Self {
        let titles: BTreeSet<&String> = found.keys().chain(file.keys()).collect();
        let entries = titles.into_iter().filter_map(|title| {
            let (found, file) = (found.get(title), file.get(title));
            let sign = match (found, file) {
                (Some(_), None) => Some(Sign::Missing),
                (None, Some(_)) => Some(Sign::Stale),
                _ => None,
            };
            let parts = parts(found, file).filter(|&(sign, _)| complete || sign == Sign::Missing);
            let parts: Vec<_> = parts.map(|(sign, part)| (sign, part.clone())).collect();
            let differs = match sign {
                None => !parts.is_empty(),
                Some(sign) => complete || sign == Sign::Missing,
            };
            differs.then(|| Entry { title: title.clone(), sign, parts })
        });
        Self { entries: entries.collect() }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes it for people, below a line that begins with the name of the file.
    pub fn write(&self, file: &str, out: &mut impl Write) -> io::Result<()> {
        let count = |sign| self.entries.iter().filter(|entry| entry.sign == sign).count();
        let counts = [
            (count(Some(Sign::Missing)), "missing"),
            (count(None), "different"),
            (count(Some(Sign::Stale)), "not found any more"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let entries = |count: usize| if count == 1 { "entry" } else { "entries" };
        let text = |&(count, what): &(usize, &str)| format!("{} {} {what}", thousands(count), entries(count));
        let counts: Vec<String> = counts.map(text).collect();
        writeln!(out, "{file} is stale: {}", counts.join(", "))?;
        for entry in &self.entries {
            writeln!(out, "{} {}", entry.sign.map_or(' ', Sign::mark), entry.title)?;
            for (sign, part) in &entry.parts {
                writeln!(out, "{}   {part}", sign.mark())?;
            }
        }
        writeln!(out, "(+ is missing from the file, - is not found any more)")
    }
}

fn parts<'a>(
    found: Option<&'a BTreeSet<String>>,
    file: Option<&'a BTreeSet<String>>,
) -> impl Iterator<Item = (Sign, &'a String)> {
    let all: BTreeSet<&String> = found.into_iter().chain(file).flatten().collect();
    let has = |set: Option<&BTreeSet<String>>, part: &String| set.is_some_and(|set| set.contains(part));
    all.into_iter().filter_map(move |part| match (has(found, part), has(file, part)) {
        (true, false) => Some((Sign::Missing, part)),
        (false, true) => Some((Sign::Stale, part)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(entries: &[(&str, &[&str])]) -> Listing {
        let parts = |parts: &[&str]| parts.iter().map(|&part| part.to_owned()).collect();
        entries.iter().map(|&(title, list)| (title.to_owned(), parts(list))).collect()
    }

    fn text(difference: &Difference) -> String {
        let mut out = Vec::new();
        difference.write("a.json", &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_missing_and_what_is_stale() {
        let found = listing(&[("a.A", &["method m()", "field f"]), ("a.New", &["field x"]), ("a.Same", &[])]);
        let file =
            listing(&[("a.A", &["method m()", "method old()"]), ("a.Gone", &["field y"]), ("a.Same", &[])]);
        let difference = Difference::new(&found, &file, true);
        let expected = "\
a.json is stale: 1 entry missing, 1 entry different, 1 entry not found any more
  a.A
+   field f
-   method old()
- a.Gone
-   field y
+ a.New
+   field x
(+ is missing from the file, - is not found any more)
";
        assert_eq!(text(&difference), expected);
        assert!(Difference::new(&found, &found, true).is_empty());
    }

    #[test]
    fn half_an_analysis_calls_nothing_stale() {
        let file = listing(&[("a.A", &["field f"]), ("a.B", &[]), ("a.C", &["field x"])]);
        let found = listing(&[("a.A", &["field f"]), ("a.C", &[])]);
        assert!(Difference::new(&found, &file, false).is_empty());
        assert!(!Difference::new(&found, &file, true).is_empty());
        let more = listing(&[("a.D", &[]), ("a.E", &[])]);
        assert!(
            text(&Difference::new(&more, &file, false))
                .starts_with("a.json is stale: 2 entries missing\n+ a.D\n")
        );
    }
}
