//! Explanations: why a method is reached, a call edge exists, a variable points to an object.

mod names;
mod query;
mod steps;

use heliostat_ir::Value;
use heliostat_program::{MethodId, Program};
use heliostat_pta::facts::{Callee, CodeId, EdgeKind, Facts, Var};
use heliostat_pta::why::{Place as At, Why};
use heliostat_pta::{Call, CallEdge, Object};
use serde::Serialize;

use super::{Analysis, Place};
use crate::Opened;
use names::Names;
pub use query::Query;

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

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// The pattern of this text means no method.
    NoMethod(String),
    /// The methods that are meant are not reached.
    NotReached(Vec<String>),
    /// Both methods are there, but neither calls the other as asked.
    NoEdge,
    /// The variable holds no reference that the analysis looks at; these do.
    NoVariable(Vec<String>),
    /// The variable points to nothing.
    Empty,
    /// It points to nothing of the type, but to these.
    NotOfType(Vec<String>),
}

/// How many objects of a variable are explained.
const OBJECTS: usize = 5;

impl Analysis {
    /// Answers a question about the program that was analysed.
    pub fn explain(&self, opened: &mut Opened, query: &Query) -> Result<Vec<Explanation>, Unanswered> {
        match query {
            Query::Method(pattern) => {
                let methods = self.reached_like(opened, pattern)?;
                Ok(methods.into_iter().map(|m| self.explain_method(&opened.program, m)).collect())
            }
            Query::Edge(caller, callee) => {
                let (callers, callees) =
                    (self.reached_like(opened, caller)?, self.reached_like(opened, callee)?);
                self.explain_edges(&opened.program, &callers, &callees)
            }
            Query::Variable(pattern, value, ty) => {
                let method = self.reached_like(opened, pattern)?.into_iter().next();
                let method = method.ok_or(Unanswered::Empty)?;
                self.explain_variable(&opened.program, method, *value, ty.as_deref())
            }
        }
    }

    /// The reached methods that a pattern means.
    fn reached_like(&self, opened: &Opened, pattern: &query::Pattern) -> Result<Vec<MethodId>, Unanswered> {
        let mut methods = opened.methods_like(&pattern.pattern);
        if methods.is_empty() {
            return Err(Unanswered::NoMethod(pattern.text.clone()));
        }
        let names = methods.iter().map(|&m| opened.program.method_name(m)).collect();
        methods.retain(|&m| self.solution.facts.template(Facts::code(m)).is_some());
        if methods.is_empty() { Err(Unanswered::NotReached(names)) } else { Ok(methods) }
    }

    fn explain_method(&self, program: &Program, method: MethodId) -> Explanation {
        let names = Names { program, solution: &self.solution };
        let why = Why::new(&self.solution);
        let way = why.reached(Facts::code(method)).unwrap_or_default();
        let steps = way.iter().map(|reach| names.reach(reach)).collect();
        Explanation { claim: format!("{} is reached", names.method(method)), steps }
    }

    fn explain_edges(
        &self,
        program: &Program,
        callers: &[MethodId],
        callees: &[MethodId],
    ) -> Result<Vec<Explanation>, Unanswered> {
        let is_meant = |call: &&Call| callers.contains(&call.caller) && callees.contains(&call.callee);
        let calls: Vec<Call> = self.calls.iter().filter(is_meant).copied().collect();
        if calls.is_empty() {
            return Err(Unanswered::NoEdge);
        }
        let why = Why::new(&self.solution);
        Ok(calls.into_iter().map(|call| self.explain_edge(program, &why, call)).collect())
    }

    fn explain_edge(&self, program: &Program, why: &Why<'_>, call: Call) -> Explanation {
        let names = Names { program, solution: &self.solution };
        let caller = Facts::code(call.caller);
        let (doer, callee) = (names.doer(caller), names.method(call.callee));
        let claim = format!("{doer} calls {callee} ({})", call.kind.name());
        let place = names.place(caller, call.offset);
        let mut steps = self.receiver_steps(program, why, call);
        let text = match call.kind {
            EdgeKind::Clinit => "the class is initialised here, unless it was before".to_owned(),
            _ if steps.is_empty() => "the call names the method".to_owned(),
            _ => format!("the receiver's type selects {callee}"),
        };
        steps.push(Explained { text, place });
        Explanation { claim, steps }
    }

    /// How a receiver that selects the callee comes to the call; nothing if the call does not select.
    fn receiver_steps(&self, program: &Program, why: &Why<'_>, call: Call) -> Vec<Explained> {
        let found = self.selecting_receiver(program, call);
        let Some((edge, receiver, object)) = found else { return Vec::new() };
        let at = At::Var { instance: edge.caller, var: receiver };
        let way = why.points_to(at, object).unwrap_or_default();
        let names = Names { program, solution: &self.solution };
        way.iter().map(|step| names.step(step, object)).collect()
    }

    /// An edge in contexts for a call that selects, with a receiver that selects the callee.
    fn selecting_receiver(
        &self,
        program: &Program,
        call: Call,
    ) -> Option<(CallEdge, Var, heliostat_pta::ObjectId)> {
        let solution = &self.solution;
        let caller = Facts::code(call.caller);
        let edges = solution.edges().filter(|e| solution.code_of(e.caller) == caller);
        for edge in edges {
            let site = &solution.facts.sites()[edge.site];
            let (Callee::Virtual(resolved), Some(receiver)) = (site.callee, site.receiver.expand()) else {
                continue;
            };
            if site.offset != call.offset {
                continue;
            }
            let selects = |object: &heliostat_pta::ObjectId| {
                let alloc =
                    solution.object(*object).map(|Object { alloc, .. }| solution.facts.allocs()[alloc]);
                alloc.is_some_and(|alloc| program.select(alloc.ty, resolved).method() == Some(call.callee))
                    || self.adapts(solution.code_of(edge.callee), call.callee)
            };
            if let Some(object) = solution.points_to(edge.caller, receiver).find(selects) {
                return Some((edge, receiver, object));
            }
        }
        None
    }

    /// Whether code is an adapter that calls a method.
    fn adapts(&self, adapter: CodeId, callee: MethodId) -> bool {
        let facts = &self.solution.facts;
        facts.method(adapter).is_none()
            && self.solution.edges().any(|edge| {
                self.solution.code_of(edge.caller) == adapter
                    && self.solution.code_of(edge.callee) == Facts::code(callee)
            })
    }

    fn explain_variable(
        &self,
        program: &Program,
        method: MethodId,
        value: Value,
        ty: Option<&str>,
    ) -> Result<Vec<Explanation>, Unanswered> {
        let names = Names { program, solution: &self.solution };
        let code = Facts::code(method);
        let template = self.solution.facts.template(code).ok_or(Unanswered::Empty)?;
        let var = template.values.iter().position(|v| v.expand() == Some(value));
        let Some(var) = var.map(|position| Var::from_u32(position as u32)) else {
            let known = template.values.iter().filter_map(|v| v.expand()).map(|v| v.to_string()).collect();
            return Err(Unanswered::NoVariable(known));
        };
        let why = Why::new(&self.solution);
        let (mut explained, mut others) = (Vec::new(), Vec::new());
        for (instance, _, _) in self.solution.instances().filter(|&(_, c, _)| c == code) {
            for object in self.solution.points_to(instance, var) {
                let what = names.object(object);
                if ty.is_some_and(|ty| !names.is_called(object, ty)) {
                    others.push(what);
                    continue;
                }
                if explained.len() == OBJECTS {
                    return Ok(explained);
                }
                let way = why.points_to(At::Var { instance, var }, object).unwrap_or_default();
                let steps = way.iter().map(|step| names.step(step, object)).collect();
                let claim = format!("{value} of {} may be {what}", names.method(method));
                explained.push(Explanation { claim, steps });
            }
        }
        others.sort_unstable();
        others.dedup();
        match (explained.is_empty(), others.is_empty()) {
            (false, _) => Ok(explained),
            (true, true) => Err(Unanswered::Empty),
            (true, false) => Err(Unanswered::NotOfType(others)),
        }
    }
}
