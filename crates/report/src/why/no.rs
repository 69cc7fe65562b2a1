//! Answers that say no, or that the question means nothing.

use heliostat_core::analysis::Unanswered;

use crate::text::{counted, thousands};

/// How many names are listed.
const NAMES: usize = 5;

/// Why there is nothing to explain. What may have been meant by a pattern without a match is not told here.
pub fn text(unanswered: &Unanswered) -> String {
    match unanswered {
        Unanswered::NoMethod(pattern) => format!("no method matches `{pattern}`"),
        Unanswered::AmbiguousMethod { text, names } => {
            listed(&format!("several classes outside the inputs have `{text}`; write one in full:"), names)
        }
        Unanswered::Unimplemented(methods) => listed(
            "not reachable: abstract, without code; no class that was read and no lambda of reached code implements it:",
            methods,
        ),
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

/// The same for an analysis that was ended.
pub(super) fn so_far(unanswered: &Unanswered) -> String {
    format!("so far: {}", text(unanswered))
}

/// What may make an answer wrong: calls that nobody has looked behind.
pub(super) fn doubt(unanswered: &Unanswered, reflective_calls: usize, in_inputs: usize) -> Option<String> {
    if reflective_calls == 0 || !unanswered.depends_on_calls() {
        return None;
    }
    let (calls, are) =
        (counted(reflective_calls, "reflective call"), if reflective_calls == 1 { "is" } else { "are" });
    Some(format!(
        "That may be wrong: {calls} of reached code {are} not followed, {} in the inputs; heliostat analyze -o DIR lists them in DIR/gaps.tsv.",
        thousands(in_inputs)
    ))
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
    fn doubts() {
        let doubt = |unanswered: &Unanswered, calls| doubt(unanswered, calls, 1).unwrap_or_default();
        let told = doubt(&Unanswered::NotReached(Vec::new()), 1234);
        assert!(told.starts_with(
            "That may be wrong: 1,234 reflective calls of reached code are not followed, 1 in "
        ));
        assert!(
            doubt(&Unanswered::NoEdge, 1)
                .contains(" 1 reflective call of reached code is not followed, 1 in the inputs;")
        );
        assert_eq!(doubt(&Unanswered::NoEdge, 0), "");
        assert_eq!(doubt(&Unanswered::NoReference("an int".to_owned()), 1), "");
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
