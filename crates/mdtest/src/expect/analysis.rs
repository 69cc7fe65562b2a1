//! Expectations about what the analysis finds.

use super::list;

/// What a comment says about the result of the analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The contexts for which it holds; all of the section's if none.
    pub(crate) contexts: Vec<String>,
    /// The member, parameter or type of the line that is meant.
    pub(crate) name: Option<String>,
    pub(crate) fact: Fact,
}

/// What holds of the line. Lists are whole, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The methods that its calls run.
    Calls(Vec<String>),
    /// The classes that it may initialise.
    Initialises(Vec<String>),
    /// The objects that its value may be.
    PointsTo(Vec<String>),
    /// What its calls may throw; or the method that it declares.
    Thrown(Vec<String>),
    /// The exceptions that its handler may catch.
    Catches(Vec<String>),
    /// Names the objects that it allocates.
    Object(String),
    /// Whether its cast may fail.
    MayFail(bool),
    /// Whether its call may run several methods.
    Poly(bool),
    /// Whether the method that it declares may run.
    Reachable(bool),
    /// The methods that call the one that it declares.
    Callers(Vec<String>),
    /// In how many contexts the method that it declares is analysed.
    Contexts(usize),
    /// What the analysis does not cover here.
    Gap(Vec<String>),
}

/// Reads a comment; none if its keyword is none of ours.
pub(super) fn parse(comment: &str) -> Option<Result<Finding, String>> {
    let (head, value) = match comment.split_once(": ") {
        Some((head, value)) => (head, Some(value.trim())),
        None => (comment, None),
    };
    let end = head.find(['[', ' ']).unwrap_or(head.len());
    let (keyword, rest) = head.split_at(end);
    let fact = fact(keyword, value)?;
    Some(fact.and_then(|fact| {
        let (contexts, name) = contexts_and_name(rest)?;
        let finding = Finding { contexts, name, fact };
        if finding.name.is_some() && !finding.may_have_name() {
            return Err(format!("`{keyword}` takes no name"));
        }
        Ok(finding)
    }))
}

fn fact(keyword: &str, value: Option<&str>) -> Option<Result<Fact, String>> {
    let bare = |fact| if value.is_none() { Ok(fact) } else { Err(format!("`{keyword}` takes no value")) };
    let text = || value.filter(|v| !v.is_empty()).ok_or_else(|| format!("`{keyword}:` expects nothing"));
    let items = |fact: fn(Vec<String>) -> Fact| text().and_then(items).map(fact);
    Some(match keyword {
        "calls" => items(Fact::Calls),
        "initialises" => items(Fact::Initialises),
        "points-to" => items(Fact::PointsTo),
        "thrown" => items(Fact::Thrown),
        "catches" => items(Fact::Catches),
        "callers" => items(Fact::Callers),
        "gap" => items(Fact::Gap),
        "object" => text().map(|name| Fact::Object(name.to_owned())),
        "may-fail" => bare(Fact::MayFail(true)),
        "safe" => bare(Fact::MayFail(false)),
        "poly" => bare(Fact::Poly(true)),
        "mono" => bare(Fact::Poly(false)),
        "reachable" => bare(Fact::Reachable(true)),
        "unreachable" => bare(Fact::Reachable(false)),
        "contexts" => {
            text().and_then(|n| n.parse().map(Fact::Contexts).map_err(|_| format!("`{n}` is no number")))
        }
        _ => return None,
    })
}

/// A list, or `nothing`.
fn items(value: &str) -> Result<Vec<String>, String> {
    let mut items = list(value);
    if items == ["nothing"] {
        items.clear();
    }
    if items.iter().any(|item| item == "nothing" || item.is_empty()) {
        return Err(format!("`{value}` is no list"));
    }
    Ok(items)
}

/// `[1obj, 2obj] name`, each if it is there.
fn contexts_and_name(rest: &str) -> Result<(Vec<String>, Option<String>), String> {
    let (contexts, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']').ok_or_else(|| format!("`[{rest}` is not closed"))?,
        None => ("", rest),
    };
    let contexts = if contexts.is_empty() { Vec::new() } else { list(contexts) };
    match rest.strip_prefix(' ') {
        None if rest.is_empty() => Ok((contexts, None)),
        Some(name) if !name.is_empty() && !name.contains(' ') => Ok((contexts, Some(name.to_owned()))),
        _ => Err(format!("`{}` is no name", rest.trim())),
    }
}

impl Finding {
    fn may_have_name(&self) -> bool {
        !matches!(
            self.fact,
            Fact::Catches(_) | Fact::Reachable(_) | Fact::Callers(_) | Fact::Contexts(_) | Fact::Gap(_)
        )
    }

    /// Whether it speaks of an analysis with contexts of this name.
    pub(crate) fn is_for(&self, context: &str) -> bool {
        self.contexts.is_empty() || self.contexts.iter().any(|own| own == context)
    }

    /// The same with a mistake, which a check must notice. None for a name, which says nothing.
    pub(crate) fn spoilt(&self) -> Option<Self> {
        const MISTAKE: &str = "no.such";
        let with_mistake = |list: &[String]| [list, &[MISTAKE.to_owned()]].concat();
        let fact = match &self.fact {
            Fact::Calls(list) => Fact::Calls(with_mistake(list)),
            Fact::Initialises(list) => Fact::Initialises(with_mistake(list)),
            Fact::PointsTo(list) => Fact::PointsTo(with_mistake(list)),
            Fact::Thrown(list) => Fact::Thrown(with_mistake(list)),
            Fact::Catches(list) => Fact::Catches(with_mistake(list)),
            Fact::Callers(list) => Fact::Callers(with_mistake(list)),
            Fact::Gap(list) => Fact::Gap(with_mistake(list)),
            Fact::MayFail(holds) => Fact::MayFail(!holds),
            Fact::Poly(holds) => Fact::Poly(!holds),
            Fact::Reachable(holds) => Fact::Reachable(!holds),
            Fact::Contexts(count) => Fact::Contexts(count + 1),
            Fact::Object(_) => return None,
        };
        Some(Self { fact, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read() {
        let read = |text| parse(text).unwrap().unwrap();
        let names = |list: &[&str]| list.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
        let calls = read("calls[1obj, 2obj] f: A.f, B.f");
        assert_eq!(calls.contexts, names(&["1obj", "2obj"]));
        assert_eq!(calls.name.as_deref(), Some("f"));
        assert_eq!(calls.fact, Fact::Calls(names(&["A.f", "B.f"])));
        assert!(calls.is_for("2obj") && !calls.is_for("insens"));
        assert_eq!(read("points-to: nothing").fact, Fact::PointsTo(Vec::new()));
        assert_eq!(read("may-fail A").name.as_deref(), Some("A"));
        assert_eq!(read("unreachable").fact, Fact::Reachable(false));
        assert_eq!(read("contexts[1call]: 2").fact, Fact::Contexts(2));
    }

    #[test]
    fn what_is_not_understood_does_not_pass() {
        for unknown in ["call: A.f", "pointsto: x", "unreached", "a remark"] {
            assert!(parse(unknown).is_none(), "{unknown}");
        }
        for wrong in [
            "calls",
            "calls[1obj: A.f",
            "calls f g: A.f",
            "reachable: yes",
            "reachable f",
            "contexts: many",
            "calls: A.f, nothing",
            "calls:",
            "gap x: native",
        ] {
            assert!(parse(wrong).is_none_or(|read| read.is_err()), "{wrong}");
        }
    }

    #[test]
    fn every_finding_can_be_spoilt() {
        for text in
            ["calls: A.f", "safe", "poly", "reachable", "contexts: 1", "gap: native", "catches: nothing"]
        {
            let finding = parse(text).unwrap().unwrap();
            assert_ne!(finding.spoilt().unwrap(), finding);
        }
    }
}
