//! Why a variable points to objects.

use heliostat_index::Id;
use heliostat_ir::{Body, Op, Value};
use heliostat_program::{MethodId, Subtype, TypeId};
use heliostat_pta::facts::{AllocId, Facts, Template, Var};
use heliostat_pta::why::Place as At;
use heliostat_pta::{InstanceId, ObjectId, Solution, Types};

use super::types::Wanted;
use super::{Explainer, Explanation, Explanations, Unanswered};
use crate::Opened;

/// A variable of a method: the value of the IR, and what the analysis has for it.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    method: MethodId,
    value: Value,
    var: Var,
}

/// Why a value is no variable.
enum NoVar {
    /// There is no such value.
    NoValue(Vec<String>),
    /// It is there, but not followed, for this reason.
    NotFollowed(&'static str),
}

/// The variables of methods that a value of the IR is.
pub(super) fn find(
    solution: &Solution,
    opened: &mut Opened,
    methods: &[MethodId],
    value: Value,
) -> Result<Vec<Variable>, Unanswered> {
    let (mut found, mut without, mut reason) = (Vec::new(), Vec::new(), None);
    for &method in methods {
        let Some(template) = solution.facts.template(Facts::code(method)) else { continue };
        match var_of(solution, opened, method, template, value) {
            Ok(var) => found.push(Variable { method, value, var }),
            Err(NoVar::NoValue(known)) => without.push((opened.program.method_name(method), known)),
            Err(NoVar::NotFollowed(why)) => {
                let name = opened.program.method_name(method);
                reason = reason.or(Some(format!("{value} of {name} {why}")));
            }
        }
    }
    match reason {
        _ if !found.is_empty() => Ok(found),
        Some(reason) => Err(Unanswered::NotFollowed(reason)),
        None => Err(Unanswered::NoVariable { variable: value.to_string(), methods: without }),
    }
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
    Err(NoVar::NotFollowed(match body.values[value].ty {
        TypeId::NULL => "is always null",
        ty if !opened.program.types.is_reference(ty) => "holds no reference",
        _ => "is read by nothing that moves or uses objects",
    }))
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

/// What a variable points to: by allocation site, with an object and an instance that has it.
type Found = (Variable, AllocId, ObjectId, InstanceId);

impl Explainer<'_> {
    /// Explains what variables point to, as far as it is meant.
    pub(super) fn variables(
        &self,
        opened: &Opened,
        variables: &[Variable],
        wanted: Wanted,
        limit: usize,
    ) -> Result<Explanations, Unanswered> {
        let mut found: Vec<Found> = Vec::new();
        for &variable in variables {
            let allocs = self.why.allocs_at(Facts::code(variable.method), variable.var).into_iter();
            found.extend(allocs.map(|(alloc, object, instance)| (variable, alloc, object, instance)));
        }
        if found.is_empty() {
            return Err(self.empty(variables));
        }
        let (mut meant, others): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|found| self.is_meant(found.1, wanted));
        if meant.is_empty() {
            let mut others: Vec<String> = others.iter().map(|found| self.names.object(found.2)).collect();
            others.sort_unstable();
            others.dedup();
            return Err(Unanswered::NotOfType(others));
        }
        // Whoever asks knows the code of the inputs best.
        meant.sort_by_key(|found| !self.is_made_by_input(opened, found.1));
        let first = meant.iter().take(limit).map(|&found| self.points_to(found)).collect();
        Ok(Explanations { first, left_out: meant.len().saturating_sub(limit) })
    }

    /// Why variables point to nothing, if there is more to say.
    fn empty(&self, variables: &[Variable]) -> Unanswered {
        let mut methods = variables.iter().map(|variable| variable.method);
        let inlined = methods.find(|&method| self.why.is_only_inlined(Facts::code(method)));
        inlined.map_or(Unanswered::Empty, |method| {
            let name = self.names.program.method_name(method);
            Unanswered::NotFollowed(format!("a model says at each call of {name} what it does"))
        })
    }

    fn points_to(&self, (variable, _, object, instance): Found) -> Explanation {
        let Variable { method, value, var } = variable;
        let way = self.why.points_to(At::Var { instance, var }, object).unwrap_or_default();
        let steps = way.iter().map(|step| self.names.step(step)).collect();
        let claim = format!("{value} of {} may be {}", self.names.method(method), self.names.object(object));
        Explanation { claim, steps }
    }

    fn is_meant(&self, alloc: AllocId, wanted: Wanted) -> bool {
        let facts = &self.analysis.solution.facts;
        let types = Types { program: self.names.program, facts };
        match wanted {
            Wanted::Any => true,
            Wanted::Of(ty) => types.is_of(facts.allocs()[alloc].what(), ty) == Subtype::Yes,
            Wanted::Nothing => false,
        }
    }

    fn is_made_by_input(&self, opened: &Opened, alloc: AllocId) -> bool {
        let facts = &self.analysis.solution.facts;
        let method = facts.place_of(facts.allocs()[alloc].kind).and_then(|(code, _)| facts.method(code));
        let class = method.map(|method| self.names.program.methods()[method].class);
        class.is_some_and(|class| opened.is_input(class))
    }
}
