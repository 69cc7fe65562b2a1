//! The result of an analysis, seen from the lines of a page.

use std::collections::{BTreeMap, BTreeSet};

use heliostat_core::ir::{Inst, Op, print};
use heliostat_core::program::{Constant, MethodId, Program};
use heliostat_core::pta::facts::{AllocId, CodeId, Facts, Template};
use heliostat_core::pta::{Call, InstanceId, Solution};
use heliostat_index::Id;

use super::setup::{Own, OwnMethod};
use crate::Section;

/// A result with what is needed to find the things that a line holds.
pub(super) struct View<'a> {
    pub(super) section: &'a Section,
    pub(super) program: &'a Program,
    pub(super) own: &'a Own,
    pub(super) solution: &'a Solution,
    /// The names that the page gives to objects.
    pub(super) labels: BTreeMap<AllocId, String>,
    pub(super) calls: Vec<Call>,
    reached: BTreeSet<MethodId>,
    instances: BTreeMap<CodeId, Vec<InstanceId>>,
    /// The code of each instance.
    codes: Vec<CodeId>,
}

/// An instruction of the section's code.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) own: &'a OwnMethod,
    pub(super) inst: Inst,
    pub(super) op: Op,
    pub(super) offset: u32,
}

impl<'a> View<'a> {
    pub(super) fn new(
        section: &'a Section,
        program: &'a Program,
        own: &'a Own,
        solution: &'a Solution,
    ) -> Self {
        Self {
            section,
            program,
            own,
            solution,
            labels: BTreeMap::new(),
            calls: solution.calls(),
            reached: solution.methods().collect(),
            instances: solution.instances_by_code().into_iter().collect(),
            codes: solution.instances().map(|(_, code, _)| code).collect(),
        }
    }

    /// Whether a method may run.
    pub(super) fn is_reached(&self, method: MethodId) -> bool {
        self.reached.contains(&method)
    }

    /// A method in its contexts.
    pub(super) fn instances(&self, method: MethodId) -> &[InstanceId] {
        self.instances.get(&Facts::code(method)).map_or(&[], |instances| instances)
    }

    /// What the code of an instance says.
    pub(super) fn template(&self, instance: InstanceId) -> Option<&'a Template> {
        self.solution.facts.template(*self.codes.get(instance.index())?)
    }

    /// The instructions of a line, of methods that may run: an expectation about others would be an idle one.
    pub(super) fn at(&self, line: u32) -> Result<Vec<At<'a>>, String> {
        let all = self.own.methods.iter().flat_map(|own| on_line(own, line));
        let (reached, not): (Vec<_>, Vec<_>) = all.partition(|at| self.is_reached(at.own.method));
        match (reached.is_empty(), not.first()) {
            (false, _) => Ok(reached),
            (true, None) => Err(format!("   found no instruction on line {line}")),
            (true, Some(at)) => {
                Err(format!("   found that {} is not reachable", self.method_name(at.own.method)))
            }
        }
    }

    /// Those of the line's instructions that fit; there must be one. Those in the bodies of lambdas on the same line count
    /// only if no other fits.
    pub(super) fn some_at(
        &self,
        line: u32,
        what: &str,
        fits: impl Fn(&At<'a>) -> bool,
    ) -> Result<Vec<At<'a>>, String> {
        let mut found = self.at(line)?;
        found.retain(fits);
        let is_lambda = |at: &At<'_>| self.program.methods()[at.own.method].flags.is_synthetic();
        if !found.iter().all(is_lambda) {
            found.retain(|at| !is_lambda(at));
        }
        if found.is_empty() { Err(format!("   found no {what} {}", self.line_text(line))) } else { Ok(found) }
    }

    /// The calls of a line, of members of this name if told: everything that may run other code.
    pub(super) fn calls_at(&self, line: u32, name: Option<&str>) -> Result<Vec<At<'a>>, String> {
        self.some_at(line, "call of that name", |at| {
            let is_call =
                matches!(at.op, Op::Call(..) | Op::CallDynamic(_) | Op::Const(Constant::Dynamic(_)));
            is_call && name.is_none_or(|name| self.member_name(at.op).as_deref() == Some(name))
        })
    }

    /// The name of the field or method that an instruction speaks of.
    pub(super) fn member_name(&self, op: Op) -> Option<String> {
        let program = self.program;
        let name = match op {
            Op::GetField(id) | Op::PutField(id) | Op::GetStatic(id) | Op::PutStatic(id) => {
                program.field_ref(id).name
            }
            Op::Call(_, id) => program.selector(program.method_ref(id).selector).name,
            Op::CallDynamic(id) | Op::Const(Constant::Dynamic(id)) => program.dynamic(id).name,
            _ => return None,
        };
        Some(program.symbols.text(name).into_owned())
    }

    /// The name of a method, without the section's package.
    pub(super) fn method_name(&self, method: MethodId) -> String {
        self.own.shown(&self.program.method_name(method))
    }

    /// What a line holds, for messages.
    pub(super) fn line_text(&self, line: u32) -> String {
        let bodies = self.own.methods.iter().filter_map(|own| own.body.as_ref());
        let place = format!(" L{line} ");
        let texts = bodies.map(|body| print(self.program, body));
        let lines: Vec<String> = texts
            .flat_map(|text| {
                text.lines().filter(|l| l.contains(&place)).map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        format!("among the instructions of line {line}\n{}", self.own.shown(&lines.join("\n")))
    }
}

fn on_line(own: &OwnMethod, line: u32) -> impl Iterator<Item = At<'_>> {
    let body = own.body.as_ref().into_iter();
    body.flat_map(move |body| {
        let insts =
            body.insts.iter().filter(move |(_, data)| body.line(data.offset).map(u32::from) == Some(line));
        insts.map(move |(inst, data)| At { own, inst, op: data.op, offset: data.offset })
    })
}

impl At<'_> {
    /// Whether something of the result happens at this instruction.
    pub(super) fn is_place(&self, method: MethodId, offset: u32) -> bool {
        self.own.method == method && self.offset == offset
    }
}
