//! Why a call edge exists: what the call names, or how a receiver comes to it that selects the callee.

use heliostat_index::FastSet;
use heliostat_program::MethodId;
use heliostat_pta::At::Offset;
use heliostat_pta::facts::{Ask, CallSite, Callee, EdgeKind, Facts, MadeUp, SiteId, Stmt};
use heliostat_pta::why::{Place as At, Reach};
use heliostat_pta::{Call, CallEdge, InstanceId, Logged};

use super::super::targets::{self, ReflectiveTarget};
use super::{Explained, Explainer, Explanation, Explanations, Unanswered};

/// Why a call by reflection is there.
const LOGGED: &str = "a log of real runs has this call";
const ANNOTATED: &str = "an annotation says so of this call";

impl Explainer<'_> {
    pub(super) fn edges(
        &self,
        callers: &[MethodId],
        callees: &[MethodId],
        limit: usize,
    ) -> Result<Explanations, Unanswered> {
        let callers: FastSet<MethodId> = callers.iter().copied().collect();
        let callees: FastSet<MethodId> = callees.iter().copied().collect();
        let is_meant = |call: &&Call| callers.contains(&call.caller) && callees.contains(&call.callee);
        let calls: Vec<&Call> = self.analysis.calls.iter().filter(is_meant).collect();
        if calls.is_empty() {
            return Err(Unanswered::NoEdge);
        }
        let first = calls.iter().take(limit).map(|&&call| self.edge(call)).collect();
        Ok(Explanations { first, left_out: calls.len().saturating_sub(limit) })
    }

    fn edge(&self, call: Call) -> Explanation {
        let caller = Facts::code(call.caller);
        let (doer, callee) = (self.names.doer(caller), self.names.method(call.callee));
        let claim = format!("{doer} calls {callee} ({})", call.kind.name());
        let steps = if call.kind == EdgeKind::Clinit {
            let text = "the class is initialised here, unless it was before".to_owned();
            vec![Explained { text, place: self.names.place(caller, call.offset) }]
        } else {
            self.chain(call).map_or(Vec::new(), |chain| self.chain_steps(&chain))
        };
        Explanation { claim, steps }
    }

    /// The edges in contexts that a call consists of: one, and more where lambdas or method handles are between. None if they
    /// are not found.
    fn chain(&self, call: Call) -> Option<Vec<CallEdge>> {
        let (code, facts) = (Facts::code(call.caller), &self.analysis.solution.facts);
        let sites = facts.template(code)?.stmts.iter().filter_map(|stmt| match *stmt {
            Stmt::Call(site) if facts.sites()[site].offset == call.offset => Some(site),
            _ => None,
        });
        let sites: FastSet<SiteId> = sites.collect();
        let mut instances = self.why.instances_of(code).to_vec();
        instances.sort_by_key(|&instance| !self.why.reached().is_own(instance));
        instances.into_iter().find_map(|instance| self.chain_from(instance, &sites, call))
    }

    fn chain_from(&self, caller: InstanceId, sites: &FastSet<SiteId>, call: Call) -> Option<Vec<CallEdge>> {
        let solution = &self.analysis.solution;
        let first = self.why.calls_from(caller).filter(|edge| sites.contains(&edge.site));
        let mut chains: Vec<Vec<CallEdge>> = first.map(|edge| vec![edge]).collect();
        let mut seen: FastSet<InstanceId> = FastSet::default();
        // The shortest first: what is found here is one longer than what it comes from.
        let mut next = 0;
        while let Some(chain) = chains.get(next).cloned() {
            next += 1;
            let &last = chain.last()?;
            match solution.facts.method(solution.code_of(last.callee)) {
                Some(method)
                    if method == call.callee && solution.facts.sites()[last.site].kind == call.kind =>
                {
                    return Some(chain);
                }
                None if seen.insert(last.callee) => {
                    let longer = self.why.calls_from(last.callee);
                    chains.extend(longer.map(|edge| [&chain[..], &[edge]].concat()));
                }
                _ => {}
            }
        }
        None
    }

    fn chain_steps(&self, chain: &[CallEdge]) -> Vec<Explained> {
        let Some((&first, rest)) = chain.split_first() else { return Vec::new() };
        let site = &self.analysis.solution.facts.sites()[first.site];
        let mut steps = self.receiver_steps(first);
        let (text, place) = (self.reason(first), self.names.place(site.code, site.offset));
        steps.push(Explained { text, place });
        steps.extend(rest.iter().map(|&edge| self.names.reach(&Reach::Call(edge))));
        steps
    }

    /// Whether an annotation, and no log, says what the instruction of a call does.
    fn is_annotated(&self, site: &CallSite) -> bool {
        let facts = &self.analysis.solution.facts;
        let here =
            |logged: &&Logged| (Facts::code(logged.call.caller), logged.offset) == (site.code, site.offset);
        let mut told = facts.logged().iter().filter(here).peekable();
        told.peek().is_some() && told.all(|logged| matches!(logged.call.at, Offset(_)))
    }

    /// Why a reflective call does what it does.
    fn reflective_reason(&self, site: &CallSite) -> String {
        if let Some(rule) = self.rule(site) {
            return format!("by reflection, from {}", rule.because.join(" and "));
        }
        if self.is_annotated(site) { ANNOTATED.to_owned() } else { LOGGED.to_owned() }
    }

    /// What the rules of reflection have found that a call does.
    fn rule(&self, site: &CallSite) -> Option<&ReflectiveTarget> {
        let (facts, program) = (&self.analysis.solution.facts, self.names.program);
        let Callee::Fixed(code) = site.callee else { return None };
        let Some(MadeUp::Doing(done)) = facts.made_up(code) else { return None };
        let (caller, target) = (program.method_name(facts.method(site.code)?), targets::done(program, done));
        self.analysis.reflective.iter().find(|found| {
            found.place.offset == site.offset
                && found.place.method == caller
                && found.target == target
                && !found.because.is_empty()
        })
    }

    /// Why the call of an edge runs its callee.
    fn reason(&self, edge: CallEdge) -> String {
        let solution = &self.analysis.solution;
        let site = &solution.facts.sites()[edge.site];
        let is_reflective = site.kind == EdgeKind::Reflective;
        match site.callee {
            Callee::Virtual(_) => {
                let callee = self.names.code(solution.code_of(edge.callee));
                let told =
                    if is_reflective { self.reflective_reason(site) + ", and " } else { String::new() };
                format!("{told}the receiver's type selects {callee}")
            }
            Callee::Fixed(_) if is_reflective => self.reflective_reason(site),
            Callee::Fixed(_) => "the call names the method".to_owned(),
            Callee::Asked(Ask::Constants) => "the enum is asked for its constants".to_owned(),
            Callee::Asked(Ask::Constructed | Ask::Provided) => {
                "a service is asked for that has this provider".to_owned()
            }
            Callee::Inlined(_) => {
                "the call names the method; what it does with its arguments, a model says".to_owned()
            }
        }
    }

    /// How a receiver that selects the callee comes to the call; nothing if the call does not select.
    fn receiver_steps(&self, edge: CallEdge) -> Vec<Explained> {
        let Some((var, object)) = self.why.receiver_of(edge) else { return Vec::new() };
        let way = self.why.points_to(At::Var { instance: edge.caller, var }, object).unwrap_or_default();
        way.iter().map(|step| self.names.step(step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::outside::Outside;
    use super::*;
    use crate::{AnalysisSettings, MemoryFile, Settings, analyse, open};

    #[test]
    fn only_initialisers_are_said_to_be_initialised() {
        let jar = include_bytes!("../../../../heliostat/demo/demo.jar");
        let memory = vec![MemoryFile { name: "demo.jar".to_owned(), bytes: bytes::Bytes::from_static(jar) }];
        let mut opened = open(&Settings { memory, ..Settings::default() }).unwrap();
        let analysis = analyse(&mut opened, &AnalysisSettings::default(), &mut |_| ()).unwrap();
        let outside = Outside::new(&analysis, &opened.program);
        let explainer = analysis.explainer(&opened, &outside);
        let method = analysis.solution.methods().next().unwrap();
        // Nothing is called there: no way leads to such an edge.
        let call = |kind| Call { caller: method, offset: u32::MAX, callee: method, kind };
        assert!(explainer.edge(call(EdgeKind::Static)).steps.is_empty());
        let clinit = explainer.edge(call(EdgeKind::Clinit)).steps;
        assert!(matches!(&clinit[..], [step] if step.text.starts_with("the class is initialised here")));
    }
}
