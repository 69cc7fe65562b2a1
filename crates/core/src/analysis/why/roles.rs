//! What a variable is to a reader: a value of the IR, or what it is there for.

use std::fmt;

use heliostat_ir::Value;
use heliostat_pta::facts::{CodeId, Filter, Stmt, Template, Var};
use heliostat_pta::why::StmtAt;

use super::names::Names;

/// What a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// This value of the IR.
    Value(Value),
    /// The receiver, in code without IR.
    This,
    /// The parameter of this number, in code without IR.
    Parameter(usize),
    /// What is returned, where several values are.
    Result,
    /// What is thrown to the caller.
    Thrown,
    /// What is thrown inside a `try`.
    Tried,
    /// What only a model or generated code knows.
    Inner,
}

impl Role {
    pub(super) fn of(names: Names<'_>, code: CodeId, var: Var) -> Self {
        let Some(template) = names.solution.facts.template(code) else { return Self::Inner };
        let is = |other: heliostat_index::PackedOption<Var>| other.expand() == Some(var);
        if let Some(value) = template.values.get(var.as_u32() as usize).and_then(|value| value.expand()) {
            return Self::Value(value);
        }
        match template.params.iter().position(|&param| is(param)) {
            _ if is(template.this) => Self::This,
            Some(number) => Self::Parameter(number + 1),
            None if is(template.thrown) => Self::Thrown,
            None if is_tried(names, template, var) => Self::Tried,
            None if is(template.result) => Self::Result,
            None => Self::Inner,
        }
    }
}

/// Whether a variable is what handlers look at.
fn is_tried(names: Names<'_>, template: &Template, var: Var) -> bool {
    template.stmts.iter().any(|stmt| {
        matches!(*stmt, Stmt::Assign { from, filter, .. }
            if from == var && matches!(names.solution.facts.filter(filter), Filter::Caught { .. }))
    })
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::This => f.write_str("its receiver"),
            Self::Parameter(number) => write!(f, "its parameter {number}"),
            Self::Result => f.write_str("its result"),
            Self::Thrown => f.write_str("what it throws"),
            Self::Tried => f.write_str("what is thrown inside a try"),
            Self::Inner => f.write_str("a temporary"),
        }
    }
}

impl Names<'_> {
    /// An assignment, by what it is there for.
    pub(super) fn assigned(self, by: StmtAt, from: Var, to: Var, filter: &Filter) -> String {
        let here = self.doer_of(by);
        let code = self.solution.code_of(by.instance);
        let (from, to) = (Role::of(self, code, from), Role::of(self, code, to));
        match (filter, to) {
            (Filter::Caught { .. }, Role::Thrown) => format!("{here} does not catch it"),
            (Filter::Caught { .. }, _) => format!("{here} catches it: {to}"),
            (Filter::Type(ty), _) => format!("{here} casts it to {}: {to}", self.readable().ty(*ty)),
            (Filter::All, Role::Thrown | Role::Tried) => format!("{here} throws it"),
            (Filter::All, Role::Result) => format!("{here} returns it"),
            (Filter::All, _) => format!("{here} assigns {from} to {to}"),
        }
    }
}
