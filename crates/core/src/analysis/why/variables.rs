//! Why a variable points to objects.

use heliostat_index::Id;
use heliostat_ir::{Body, Op, Value};
use heliostat_program::{MethodId, Subtype, TypeId};
use heliostat_pta::Solution;
use heliostat_pta::facts::{AllocId, Facts, Template, Var};
use heliostat_pta::why::{AllocAt, Place as At};

use super::types::Wanted;
use super::{Explainer, Explanation, Explanations, Meant, Unanswered};
use crate::Opened;

/// A variable of a method: the value of the IR, and what the analysis has for it.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    method: MethodId,
    value: Value,
    var: Var,
}

/// The variables that a question means.
pub(super) struct Variables {
    /// Those that the analysis looks at: one at least.
    followed: Vec<Variable>,
    /// Why it does not look at another one, if there is such.
    not_followed: Option<String>,
}

/// Why a value is no variable.
enum NoVar {
    /// There is no such value.
    NoValue(Vec<String>),
    /// It is there, but not followed, for this reason.
    NotFollowed(&'static str),
    /// It is there, but cannot point to anything, for this reason.
    NoReference(&'static str),
}

/// The variables of methods that a value of the IR is.
pub(super) fn find(
    solution: &Solution,
    opened: &mut Opened,
    meant: &Meant,
    value: Value,
) -> Result<Variables, Unanswered> {
    let (mut followed, mut without) = (Vec::new(), Vec::new());
    let (mut not_followed, mut no_reference) = (None, None);
    for &method in &meant.reached {
        let Some(template) = solution.facts.template(Facts::code(method)) else { continue };
        let found = var_of(solution, opened, method, template, value);
        let name = || opened.program.method_name(method);
        let reason = |why: &str| format!("{value} of {} {why}", name());
        match found {
            Ok(var) => followed.push(Variable { method, value, var }),
            Err(NoVar::NoValue(known)) => without.push((name(), known)),
            Err(NoVar::NotFollowed(why)) => not_followed = not_followed.or_else(|| Some(reason(why))),
            Err(NoVar::NoReference(why)) => no_reference = no_reference.or_else(|| Some(reason(why))),
        }
    }
    if !followed.is_empty() {
        return Ok(Variables { followed, not_followed });
    }
    // What is not known of one variable is not known of all.
    Err(match (not_followed, no_reference) {
        (Some(reason), _) => Unanswered::NotFollowed(reason),
        (None, Some(reason)) => Unanswered::NoReference(reason),
        (None, None) => {
            let (variable, unreached) = (value.to_string(), meant.unreached);
            Unanswered::NoVariable { variable, methods: without, unreached }
        }
    })
}

fn var_of(
    solution: &Solution,
    opened: &mut Opened,
    method: MethodId,
    template: &Template,
    value: Value,
) -> Result<Var, NoVar> {
    let known = |value: Value| {
        let position = template.values.iter().position(|v| v.expand() == Some(value));
        position.map(Var::new)
    };
    if let Some(var) = known(value) {
        return Ok(var);
    }
    let has_ir =
        opened.program.methods()[method].has_code() && !solution.facts.is_modelled(Facts::code(method));
    let Some(body) = has_ir.then(|| opened.lower(method)).flatten() else {
        return Err(NoVar::NotFollowed(
            "is none of the IR: the method has no bytecode, or a model in place of it",
        ));
    };
    if value.index() >= body.values.len() {
        let values = template.values.iter().filter_map(|v| v.expand()).map(|v| v.to_string());
        return Err(NoVar::NoValue(values.collect()));
    }
    if let Some(var) = same_values(&body, value).into_iter().find_map(known) {
        return Ok(var);
    }
    Err(match body.values[value].ty {
        TypeId::NULL => NoVar::NoReference("is always null"),
        ty if !opened.program.types.is_reference(ty) => NoVar::NoReference("holds no reference"),
        _ => NoVar::NotFollowed("is read by nothing that moves or uses objects"),
    })
}

/// The values that a phi is the same as: where all its operands but `null` are one value, it has that value's variable.
fn same_values(body: &Body, value: Value) -> Vec<Value> {
    let mut same = vec![value];
    while let Some(&last) = same.last()
        && let Some((phi, Op::Phi)) = body.def(last)
    {
        let is_null = |v: Value| body.values[v].ty == TypeId::NULL;
        let mut others = body.args(phi).iter().filter(|&&v| v != last && !is_null(v));
        match others.next() {
            Some(&first) if others.all(|&v| v == first) && !same.contains(&first) => same.push(first),
            _ => break,
        }
    }
    same
}

/// What a variable points to.
struct Found {
    variable: Variable,
    at: AllocAt,
    /// Whether it is of the type that was asked for.
    is_meant: Subtype,
}

impl Explainer<'_> {
    /// Explains what variables point to, as far as it is meant.
    pub(super) fn variables(
        &self,
        opened: &Opened,
        variables: &Variables,
        wanted: Wanted,
        limit: usize,
    ) -> Result<Explanations, Unanswered> {
        let found = variables.followed.iter().flat_map(|&variable| {
            let allocs = self.why.allocs_at(Facts::code(variable.method), variable.var).into_iter();
            allocs.map(move |at| Found { variable, at, is_meant: self.is_meant(at.alloc, wanted) })
        });
        let (mut meant, others): (Vec<Found>, Vec<Found>) =
            found.partition(|found| found.is_meant != Subtype::No);
        if meant.is_empty() {
            return Err(self.nothing(variables, &others));
        }
        // What is certain comes first; then, whoever asks knows the code of the inputs best.
        meant.sort_by_key(|found| {
            (found.is_meant != Subtype::Yes, !self.is_made_by_input(opened, found.at.alloc))
        });
        let first = meant.iter().take(limit).map(|found| self.points_to(found, wanted)).collect();
        Ok(Explanations { first, left_out: meant.len().saturating_sub(limit) })
    }

    /// Why variables point to nothing that is meant, but maybe to others.
    fn nothing(&self, variables: &Variables, others: &[Found]) -> Unanswered {
        if let Some(reason) = variables.not_followed.clone().or_else(|| self.inlined(&variables.followed)) {
            return Unanswered::NotFollowed(reason);
        }
        if others.is_empty() {
            return Unanswered::Empty;
        }
        let mut others: Vec<String> = others.iter().map(|found| self.names.object(found.at.object)).collect();
        others.sort_unstable();
        others.dedup();
        Unanswered::NotOfType(others)
    }

    /// Why nothing comes into a method that has one of these variables, if that is so.
    fn inlined(&self, variables: &[Variable]) -> Option<String> {
        let mut methods = variables.iter().map(|variable| variable.method);
        let inlined = methods.find(|&method| self.why.is_only_inlined(Facts::code(method)))?;
        let name = self.names.program.method_name(inlined);
        Some(format!("a model says at each call of {name} what it does"))
    }

    fn points_to(&self, found: &Found, wanted: Wanted) -> Explanation {
        let Variable { method, value, var } = found.variable;
        let AllocAt { object, instance, .. } = found.at;
        let way = self.why.points_to(At::Var { instance, var }, object).unwrap_or_default();
        let steps = way.iter().map(|step| self.names.step(step)).collect();
        let method = self.names.method(method);
        let decided = match (wanted, found.is_meant) {
            (Wanted::Of(ty), Subtype::Unknown) => {
                format!("; whether that is of {}, a missing class decides", self.names.readable().ty(ty))
            }
            (Wanted::Any | Wanted::Of(_) | Wanted::Nothing, _) => String::new(),
        };
        let claim = format!("{value} of {method} may be {}{decided}", self.names.object(object));
        Explanation { claim, steps }
    }

    fn is_meant(&self, alloc: AllocId, wanted: Wanted) -> Subtype {
        match wanted {
            Wanted::Any => Subtype::Yes,
            Wanted::Of(ty) => self.is_of(self.analysis.solution.facts.allocs()[alloc].what(), ty),
            Wanted::Nothing => Subtype::No,
        }
    }

    fn is_made_by_input(&self, opened: &Opened, alloc: AllocId) -> bool {
        let facts = &self.analysis.solution.facts;
        let method = facts.place_of(facts.allocs()[alloc].kind).and_then(|(code, _)| facts.method(code));
        let class = method.map(|method| self.names.program.methods()[method].class);
        class.is_some_and(|class| opened.is_input(class))
    }
}
