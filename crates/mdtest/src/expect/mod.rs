//! Expectations: the comments of a Java block.

mod analysis;

use crate::java::declared_type;

pub(crate) use analysis::{Fact, Finding};

/// What a comment says about its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Each pattern fits, or none does, an instruction of the line.
    Ir { holds: bool, patterns: Vec<String> },
    /// What the member reference of the line, the one of this name if told, refers to.
    Resolves { name: Option<String>, target: String },
    /// What the call of the line runs: for each class of receiver, or at all.
    Selects { name: Option<String>, targets: Vec<(Option<String>, String)> },
    /// How the type of the value that the line casts or tests relates to the type it is cast to or tested for.
    Subtype(String),
    /// What is known of the type that the line declares.
    Type { name: String, what: About, expected: Vec<String> },
    /// A type test decides a branch of the line, and leads to lines of these labels.
    Guard { ty: String, holds: String, fails: String },
    /// Whether the cast of the line post-dominates the call of the line with this label.
    PostDominates { holds: bool, label: String },
    /// The constant indices of the array accesses of the line.
    Index(Vec<String>),
    /// The constant lengths of the arrays that the line makes.
    Length(Vec<String>),
    /// Names the line, and expects nothing.
    Label(String),
    /// What the analysis finds.
    Finding(Finding),
}

/// What to know of a declared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    Subtypes,
    Supertypes,
    Missing,
}

/// A claim with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expectation {
    /// The line of the page that it stands on.
    pub(crate) at: u32,
    /// The line of the page that it speaks of.
    pub(crate) line: u32,
    /// As written.
    pub(crate) text: String,
    pub(crate) claim: Claim,
}

/// The code and the comments of a line. Every `// ` comment is an expectation, or several with ` // ` between.
pub(crate) fn split(line: &str) -> (&str, Vec<&str>) {
    match line.find("// ") {
        Some(at) => (line[..at].trim_end(), line[at + 3..].split(" // ").map(str::trim).collect()),
        None => (line.trim_end(), Vec::new()),
    }
}

/// Reads one comment about a line of code.
pub(crate) fn parse(comment: &str, code: &str) -> Result<Claim, String> {
    if let Some(finding) = analysis::parse(comment) {
        return finding.map(Claim::Finding);
    }
    let (head, value) =
        comment.split_once(':').ok_or_else(|| format!("`{comment}` is not an expectation"))?;
    let value = value.trim();
    if value.is_empty() {
        return Err(format!("`{head}:` expects nothing"));
    }
    let (keyword, name) = match head.split_once(' ') {
        Some((keyword @ ("resolves" | "selects"), name)) => (keyword, Some(name.to_owned())),
        _ => (head, None),
    };
    let about = |what| match declared_type(code) {
        Some(name) => Ok(Claim::Type { name: name.to_owned(), what, expected: list(value) }),
        None => Err(format!("`{keyword}:` belongs on a line that declares a type")),
    };
    Ok(match keyword {
        "ir" | "no ir" => Claim::Ir { holds: keyword == "ir", patterns: patterns(value) },
        "resolves" => Claim::Resolves { name, target: value.to_owned() },
        "selects" => {
            Claim::Selects { name, targets: list(value).iter().map(|item| selected(item)).collect() }
        }
        "subtype" => Claim::Subtype(value.to_owned()),
        "subtypes" => about(About::Subtypes)?,
        "supertypes" => about(About::Supertypes)?,
        "missing" => about(About::Missing)?,
        "guard" => guard(value).ok_or("a guard is written `guard: TYPE holds=LABEL fails=LABEL`")?,
        "post-dominates" => Claim::PostDominates { holds: true, label: value.to_owned() },
        "no post-dominates" => Claim::PostDominates { holds: false, label: value.to_owned() },
        "index" => Claim::Index(list(value)),
        "length" => Claim::Length(list(value)),
        "label" => Claim::Label(value.to_owned()),
        _ => return Err(format!("`{keyword}` is no kind of expectation")),
    })
}

fn list(value: &str) -> Vec<String> {
    value.split(", ").map(|item| item.trim().to_owned()).collect()
}

fn patterns(value: &str) -> Vec<String> {
    value.split(" && ").map(|item| item.trim().to_owned()).collect()
}

/// `A: B.f` or just `B.f`.
fn selected(item: &str) -> (Option<String>, String) {
    match item.split_once(": ") {
        Some((receiver, target)) => (Some(receiver.to_owned()), target.to_owned()),
        None => (None, item.to_owned()),
    }
}

fn guard(value: &str) -> Option<Claim> {
    let mut words = value.split(' ');
    let (ty, holds, fails) = (words.next()?, words.next()?, words.next()?);
    let (holds, fails) = (holds.strip_prefix("holds=")?, fails.strip_prefix("fails=")?);
    let claim = Claim::Guard { ty: ty.to_owned(), holds: holds.to_owned(), fails: fails.to_owned() };
    words.next().is_none().then_some(claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_told_from_code() {
        assert_eq!(split("a(); // x: 1 // y: 2"), ("a();", vec!["x: 1", "y: 2"]));
        assert_eq!(split("a(\"http://b\");"), ("a(\"http://b\");", vec![]));
        assert_eq!(split("  // x: 1"), ("", vec!["x: 1"]));
    }

    #[test]
    fn claims_are_read() {
        let claim = |text| parse(text, "class A {").unwrap();
        let patterns = vec!["new *".to_owned(), "return".to_owned()];
        assert_eq!(claim("no ir: new * && return"), Claim::Ir { holds: false, patterns });
        let target = "A.f()V".to_owned();
        assert_eq!(claim("resolves f: A.f()V"), Claim::Resolves { name: Some("f".to_owned()), target });
        let targets = vec![(Some("A".to_owned()), "A.f".to_owned()), (None, "abstract".to_owned())];
        assert_eq!(claim("selects: A: A.f, abstract"), Claim::Selects { name: None, targets });
        let (ty, holds, fails) = ("X".to_owned(), "a".to_owned(), "b".to_owned());
        assert_eq!(claim("guard: X holds=a fails=b"), Claim::Guard { ty, holds, fails });
        let (name, expected) = ("A".to_owned(), vec!["B".to_owned(), "C".to_owned()]);
        assert_eq!(claim("subtypes: B, C"), Claim::Type { name, what: About::Subtypes, expected });
    }

    #[test]
    fn what_is_not_understood_does_not_pass() {
        for wrong in
            ["resolve: A.f", "a remark", "ir:", "guard: X", "guard: X holds=a fails=b more", "ir f: x"]
        {
            assert!(parse(wrong, "").is_err(), "{wrong}");
        }
        assert!(parse("missing: A", "int x;").is_err());
    }
}
