//! Questions, as people write them.

use heliostat_ir::Value;

use crate::MethodPattern;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// `METHOD`: why is it reached?
    Method(Pattern),
    /// `METHOD -> METHOD`: why does the first call the second?
    Edge(Pattern, Pattern),
    /// `METHOD:v3`, `METHOD:v3 = TYPE`: why does the value of the IR point to what it does (of a type)?
    Variable(Pattern, Value, Option<String>),
}

/// A method pattern with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// As it was written.
    pub text: String,
    pub(super) pattern: MethodPattern,
}

/// What explanations write behind a method that a model stands for. It is no part of the name.
pub(super) const BY_MODEL: &str = " (by its model)";
/// The same where the model stands for a method that is called; the name of that follows.
pub(super) const BY_MODEL_OF: &str = " (by the model of ";

impl Pattern {
    fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let text = text.strip_suffix(BY_MODEL).unwrap_or(text);
        let text = text.split_once(BY_MODEL_OF).map_or(text, |(name, _)| name).trim_end();
        if text.is_empty() {
            return Err("a method is missing; use `*` for all".to_owned());
        }
        Ok(Self { text: text.to_owned(), pattern: MethodPattern::new(text) })
    }
}

impl Query {
    /// The question that a text asks; what is wrong with it if it asks none.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some((caller, callee)) = text.split_once("->") {
            return Ok(Self::Edge(Pattern::new(caller)?, Pattern::new(callee)?));
        }
        let (subject, ty) = match text.split_once('=') {
            Some((subject, ty)) => (subject, Some(ty.trim().to_owned())),
            None => (text, None),
        };
        if let Some(name) = source_variable(subject) {
            return Err(format!(
                "`{name}` is no variable of the IR, and names of the source are not known; \
                 use what heliostat ir prints, as in `com.acme.Main.run:v7`"
            ));
        }
        match (variable(subject), ty) {
            (_, Some(ty)) if ty.is_empty() => Err("a type is missing after `=`".to_owned()),
            (Some((method, value)), ty) => Ok(Self::Variable(Pattern::new(method)?, value, ty)),
            (None, None) => Ok(Self::Method(Pattern::new(text)?)),
            (None, Some(_)) => {
                Err("only a variable can be `=` a type, as in `com.acme.Main.run:v7 = java.util.List`"
                    .to_owned())
            }
        }
    }
}

/// A method and a value of its IR, as in `a.B.f:v3`.
fn variable(text: &str) -> Option<(&str, Value)> {
    let (method, variable) = text.rsplit_once(':')?;
    let number = variable.trim().strip_prefix('v')?.parse().ok()?;
    Some((method, Value::from_u32(number)))
}

/// What stands where a variable would, and is none of the IR: a name of the source, as in `a.B.f:count`. Two colons, or one behind a
/// semicolon, are before the name of a method.
fn source_variable(text: &str) -> Option<&str> {
    let (method, name) = text.rsplit_once(':')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    let names_method = method.is_empty() || method.ends_with([':', ';']);
    (is_name && !names_method && variable(text).is_none()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_kinds_of_question() {
        assert!(matches!(Query::parse("a.B.f"), Ok(Query::Method(_))));
        assert!(matches!(Query::parse("a.B::f"), Ok(Query::Method(_))));
        let Ok(Query::Edge(caller, callee)) = Query::parse("a.B.f -> c.D.<init>") else { panic!("an edge") };
        assert_eq!([caller.text, callee.text], ["a.B.f", "c.D.<init>"]);
        let Ok(Query::Variable(method, value, ty)) = Query::parse("a.B.f(I)V:v12 = a.C") else {
            panic!("a variable")
        };
        assert_eq!(
            (method.text.as_str(), value.to_string(), ty.as_deref()),
            ("a.B.f(I)V", "v12".into(), Some("a.C"))
        );
    }

    #[test]
    fn what_is_no_question() {
        for text in ["", "a.B.f ->", "-> a.B.f", "a.B.f = C", "a.B.f:v1 =", ":v1"] {
            assert!(Query::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_of_the_source_are_no_variables() {
        for text in ["a.B.f:count", "a.B.f(int):count", "a.B.f:this = a.C", "a.B.f: v", "a.B.f:3"] {
            assert!(Query::parse(text).is_err_and(|why| why.contains("no variable of the IR")), "{text}");
        }
        for text in ["a.B::f", "La/B;:f", "La/B;.\"f:g\"", "a.B::f(int)"] {
            assert!(matches!(Query::parse(text), Ok(Query::Method(_))), "{text}");
        }
    }

    #[test]
    fn remarks_are_no_part_of_a_name() {
        for remark in [" (by its model)", " (by the model of c.D.g(int, Object))"] {
            let query = Query::parse(&format!("a.B.f(int){remark}"));
            assert!(matches!(query, Ok(Query::Method(method)) if method.text == "a.B.f(int)"), "{remark}");
        }
    }
}
