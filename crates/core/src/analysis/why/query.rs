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

impl Pattern {
    fn new(text: &str) -> Self {
        Self { text: text.trim().to_owned(), pattern: MethodPattern::new(text.trim()) }
    }
}

impl Query {
    /// The question that a text asks. Every text asks one.
    pub fn new(text: &str) -> Self {
        if let Some((caller, callee)) = text.split_once("->") {
            return Self::Edge(Pattern::new(caller), Pattern::new(callee));
        }
        let (subject, ty) = match text.split_once('=') {
            Some((subject, ty)) => (subject, Some(ty.trim().to_owned())),
            None => (text, None),
        };
        let variable = subject.rsplit_once(':').and_then(|(method, variable)| {
            let number = variable.trim().strip_prefix('v')?.parse().ok()?;
            Some((method, Value::from_u32(number)))
        });
        match variable {
            Some((method, value)) => Self::Variable(Pattern::new(method), value, ty),
            None => Self::Method(Pattern::new(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_kinds_of_question() {
        assert!(matches!(Query::new("a.B.f"), Query::Method(_)));
        assert!(matches!(Query::new("a.B::f"), Query::Method(_)));
        let Query::Edge(caller, callee) = Query::new("a.B.f -> c.D.g") else { panic!("an edge") };
        assert_eq!([caller.text, callee.text], ["a.B.f", "c.D.g"]);
        let Query::Variable(method, value, ty) = Query::new("a.B.f(I)V:v12 = a.C") else {
            panic!("a variable")
        };
        assert_eq!(
            (method.text.as_str(), value.to_string(), ty.as_deref()),
            ("a.B.f(I)V", "v12".into(), Some("a.C"))
        );
    }
}
