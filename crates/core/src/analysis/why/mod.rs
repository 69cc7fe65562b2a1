//! Explanations: why a method is reached, a call edge exists, a variable points to an object.

mod abstracts;
mod edges;
mod methods;
mod names;
mod outside;
mod owners;
mod query;
mod roles;
mod steps;
mod types;
mod variables;

use heliostat_program::MethodId;
use heliostat_pta::facts::Facts;
use heliostat_pta::why::Why;
use serde::Serialize;

use super::{Analysis, Place};
use crate::Opened;
use methods::Meaning;
use names::Names;
use outside::Outside;
pub use query::{Pattern, Query};
use types::Wanted;
use variables::Variables;

/// A claim, and the steps that lead to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What is explained, as a sentence.
    pub claim: String,
    /// The steps, first one first.
    pub steps: Vec<Explained>,
}

/// A step of an explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// What happens.
    pub text: String,
    /// Where, if it is code of the program.
    pub place: Option<Place>,
}

/// What is so, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanations {
    /// The first ones.
    pub first: Vec<Explanation>,
    /// How many more there would be.
    pub left_out: usize,
}

/// What is answered to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The explanations, or why there are none.
    pub found: Result<Explanations, Unanswered>,
    /// What whoever asks should know about the methods that the question names: that others are meant than it says.
    pub remarks: Vec<String>,
}

/// Why a question has no explanation for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// The pattern of this text means no method.
    NoMethod(String),
    /// Several classes outside the inputs have the method of this text.
    AmbiguousMethod {
        /// The text.
        text: String,
        /// The full names that it may stand for.
        names: Vec<String>,
    },
    /// The methods that are meant are abstract, and nothing implements them.
    Unimplemented(Vec<String>),
    /// The methods that are meant, as far as they are reached, have no variable of this name; these have others.
    NoVariable {
        /// The variable.
        variable: String,
        /// The methods, each with its variables.
        methods: Vec<(String, Vec<String>)>,
        /// How many more are meant that are not reached: they may have it.
        unreached: usize,
    },
    /// There is no type of this name.
    NoType {
        /// The name.
        text: String,
        /// What is there with a similar name, the most alike first.
        similar: Vec<String>,
    },
    /// There are several types of this name.
    AmbiguousType {
        /// The name.
        text: String,
        /// Their full names.
        classes: Vec<String>,
    },
    /// The methods that are meant are not reached.
    NotReached(Vec<String>),
    /// Both methods are there, but neither calls the other as asked.
    NoEdge,
    /// The variable, or one of those that are meant, is there, but the analysis does not look at it, for this reason.
    NotFollowed(String),
    /// The variable cannot point to anything, for this reason.
    NoReference(String),
    /// The variable points to nothing.
    Empty,
    /// It points to nothing of the type, but to these.
    NotOfType(Vec<String>),
}

impl Unanswered {
    /// Whether the question names something that is not there, or several things at once. An analysis that is not complete might
    /// have come to a method that has the variable.
    pub fn is_misnamed(&self, complete: bool) -> bool {
        match self {
            Self::NoMethod(_)
            | Self::AmbiguousMethod { .. }
            | Self::NoType { .. }
            | Self::AmbiguousType { .. } => true,
            Self::NoVariable { unreached, .. } => complete || *unreached == 0,
            Self::Unimplemented(_)
            | Self::NotReached(_)
            | Self::NoEdge
            | Self::NotFollowed(_)
            | Self::NoReference(_)
            | Self::Empty
            | Self::NotOfType(_) => false,
        }
    }

    /// Whether a call that the analysis does not follow could make it otherwise.
    pub fn depends_on_calls(&self) -> bool {
        self.is_no() && !matches!(self, Self::NoReference(_))
    }

    /// Whether the answer of a complete analysis is no; otherwise it knows none.
    pub fn is_no(&self) -> bool {
        match self {
            Self::Unimplemented(_)
            | Self::NotReached(_)
            | Self::NoEdge
            | Self::NoReference(_)
            | Self::Empty
            | Self::NotOfType(_) => true,
            Self::NoMethod(_)
            | Self::AmbiguousMethod { .. }
            | Self::NoVariable { .. }
            | Self::NoType { .. }
            | Self::AmbiguousType { .. }
            | Self::NotFollowed(_) => false,
        }
    }
}

/// What a question is about: what its names mean.
enum Asked {
    /// Why these methods are reached.
    Methods(Vec<MethodId>),
    /// Why the first of these methods call the second.
    Edges(Vec<MethodId>, Vec<MethodId>),
    /// Why these variables point to these objects.
    Variables(Variables, Wanted),
}

/// The methods that a pattern means.
struct Meant {
    /// Those that are reached: one at least.
    reached: Vec<MethodId>,
    /// How many are not.
    unreached: usize,
}

impl Analysis {
    /// Answers a question about the program that was analysed, with so many explanations at most.
    pub fn explain(&self, opened: &mut Opened, query: &Query, limit: usize) -> Answered {
        let mut remarks = Vec::new();
        let asked = self.asked(opened, query, &mut remarks);
        Answered { found: asked.and_then(|asked| self.explained(opened, asked, limit)), remarks }
    }

    fn explained(&self, opened: &Opened, asked: Asked, limit: usize) -> Result<Explanations, Unanswered> {
        let outside = Outside::new(self, &opened.program);
        let explainer = self.explainer(opened, &outside);
        match asked {
            Asked::Methods(methods) => Ok(explainer.methods(&methods, limit)),
            Asked::Edges(callers, callees) => explainer.edges(&callers, &callees, limit),
            Asked::Variables(variables, wanted) => explainer.variables(opened, &variables, wanted, limit),
        }
    }

    fn asked(
        &self,
        opened: &mut Opened,
        query: &Query,
        remarks: &mut Vec<String>,
    ) -> Result<Asked, Unanswered> {
        Ok(match query {
            Query::Method(pattern) => Asked::Methods(self.reached_like(opened, pattern, remarks)?.reached),
            Query::Edge(caller, callee) => Asked::Edges(
                self.reached_like(opened, caller, remarks)?.reached,
                self.reached_like(opened, callee, remarks)?.reached,
            ),
            Query::Variable(pattern, value, ty) => {
                let meant = self.reached_like(opened, pattern, remarks)?;
                let variables = variables::find(&self.solution, opened, &meant, *value)?;
                let wanted = ty.as_ref().map_or(Ok(Wanted::Any), |ty| types::find(opened, ty))?;
                Asked::Variables(variables, wanted)
            }
        })
    }

    fn meaning(&self, opened: &Opened, pattern: &Pattern) -> Result<Meaning, Unanswered> {
        let found = methods::meant(opened, pattern)?;
        abstracts::implemented(&opened.program, &self.solution.facts, found)
    }

    /// The methods that a pattern means, some of which are reached.
    fn reached_like(
        &self,
        opened: &Opened,
        pattern: &Pattern,
        remarks: &mut Vec<String>,
    ) -> Result<Meant, Unanswered> {
        let Meaning { mut methods, remarks: more } = self.meaning(opened, pattern)?;
        remarks.extend(more);
        let names: Vec<String> = methods.iter().map(|&m| opened.program.method_name(m)).collect();
        methods.retain(|&m| self.solution.facts.template(Facts::code(m)).is_some());
        if methods.is_empty() {
            return Err(Unanswered::NotReached(names));
        }
        Ok(Meant { unreached: names.len() - methods.len(), reached: methods })
    }

    fn explainer<'a>(&'a self, opened: &'a Opened, outside: &'a Outside) -> Explainer<'a> {
        let names = Names { program: &opened.program, solution: &self.solution, outside };
        let why = Why::new(&self.solution, &opened.program);
        Explainer { analysis: self, names, why }
    }
}

/// Finds explanations and puts them into words.
struct Explainer<'a> {
    analysis: &'a Analysis,
    names: Names<'a>,
    why: Why<'a>,
}

impl Explainer<'_> {
    fn methods(&self, methods: &[MethodId], limit: usize) -> Explanations {
        let first = methods.iter().take(limit).map(|&method| self.method(method)).collect();
        Explanations { first, left_out: methods.len().saturating_sub(limit) }
    }

    fn method(&self, method: MethodId) -> Explanation {
        let way = self.why.way_to(Facts::code(method)).unwrap_or_default();
        let steps = way.iter().map(|reach| self.names.reach(reach)).collect();
        Explanation { claim: format!("{} is reached", self.names.method(method)), steps }
    }
}
