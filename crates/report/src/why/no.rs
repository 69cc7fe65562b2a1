//! Answers that say no, or that the question means nothing.

use heliostat_core::analysis::Unanswered;

/// How many names are listed.
const NAMES: usize = 5;

/// Why there is nothing to explain. What may have been meant by a pattern without a match is not told here.
pub fn text(unanswered: &Unanswered) -> String {
    match unanswered {
        Unanswered::NoMethod(pattern) => format!("no method matches `{pattern}`"),
        Unanswered::NoVariable { variable, methods, unreached } => {
            let known = |(method, known): &(String, Vec<String>)| format!("{method} has {}", values(known));
            let methods: Vec<String> = methods.iter().map(known).collect();
            let told = listed(&format!("there is no variable `{variable}`; see heliostat ir"), &methods);
            told + &not_looked_at(*unreached)
        }
        Unanswered::NoType { text, similar } if similar.is_empty() => {
            format!("there is no class `{text}`")
        }
        Unanswered::NoType { text, similar } => {
            listed(&format!("there is no class `{text}`; with a similar name there are:"), similar)
        }
        Unanswered::AmbiguousType { text, classes } => {
            listed(&format!("several classes are called `{text}`; write one in full:"), classes)
        }
        Unanswered::NotReached(methods) => listed("not reachable:", methods),
        Unanswered::NoEdge => "there is no such call edge; both methods are reached".to_owned(),
        Unanswered::NotFollowed(reason) => format!("not followed: {reason}"),
        Unanswered::NoReference(reason) => format!("it points to nothing: {reason}"),
        Unanswered::Empty => "the variable points to nothing".to_owned(),
        Unanswered::NotOfType(others) => listed("it points to nothing of that type, but to:", others),
    }
}

/// A line about methods that may have a variable.
fn not_looked_at(methods: usize) -> String {
    match methods {
        0 => String::new(),
        1 => "\n  1 more method is not reached".to_owned(),
        more => format!("\n  {more} more methods are not reached"),
    }
}

fn values(known: &[String]) -> String {
    if known.is_empty() { "none that points to objects".to_owned() } else { known.join(", ") }
}

/// A line, and the first of some names below it.
fn listed(head: &str, names: &[String]) -> String {
    let mut lines = vec![head.to_owned()];
    lines.extend(names.iter().take(NAMES).map(|name| format!("  {name}")));
    if names.len() > NAMES {
        lines.push(format!("  … and {} more", names.len() - NAMES));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let methods = (1..=7).map(|n| format!("a/B.f{n}()V")).collect();
        let text = text(&Unanswered::NotReached(methods));
        assert!(text.starts_with("not reachable:\n  a/B.f1()V\n"), "{text}");
        assert!(text.ends_with("  a/B.f5()V\n  … and 2 more"), "{text}");
    }

    #[test]
    fn variables_that_are_there() {
        let methods = vec![("a/B.f()V".to_owned(), vec!["v0".to_owned(), "v2".to_owned()])];
        let variable = "v9".to_owned();
        let told = |unreached| {
            let (variable, methods) = (variable.clone(), methods.clone());
            text(&Unanswered::NoVariable { variable, methods, unreached })
        };
        let expected = "there is no variable `v9`; see heliostat ir\n  a/B.f()V has v0, v2";
        assert_eq!(told(0), expected);
        assert_eq!(told(2), format!("{expected}\n  2 more methods are not reached"));
    }
}
