//! What brings objects to variables and fields: the engine's rules, read backwards.

use heliostat_solve::{FilterId, ObjectId};

use super::flow::{At, Hub, Search};
use super::stores::Storing;
use super::{How, Place, StmtAt, Why};
use crate::engine::{CallEdge, CrowdId, InstanceId};
use crate::facts::{CallSite, Callee, CodeId, FieldKey, SiteId, Stmt, Template, Var};
use crate::meetings::Making;

/// What a call brings back.
#[derive(Clone, Copy)]
enum Outcome {
    Result,
    Thrown,
}

impl Outcome {
    const ALL: [Self; 2] = [Self::Result, Self::Thrown];

    fn of_site(self, site: &CallSite) -> Option<Var> {
        match self {
            Self::Result => site.result.expand(),
            Self::Thrown => site.thrown.expand(),
        }
    }

    fn of_callee(self, template: &Template) -> Option<Var> {
        match self {
            Self::Result => template.result.expand(),
            Self::Thrown => template.thrown.expand(),
        }
    }

    fn how(self, edge: CallEdge) -> How {
        match self {
            Self::Result => How::Returned(edge),
            Self::Thrown => How::Thrown(edge),
        }
    }

    fn hub(self, crowd: CrowdId) -> Hub {
        match self {
            Self::Result => Hub::Result(crowd),
            Self::Thrown => Hub::Thrown(crowd),
        }
    }
}

impl Why<'_> {
    /// The receiver variable of a call that selects, and an object there that selects the callee.
    pub fn receiver_of(&self, edge: CallEdge) -> Option<(Var, ObjectId)> {
        let site = &self.solution.facts.sites()[edge.site];
        let receiver = site.receiver.expand().filter(|_| matches!(site.callee, Callee::Virtual(_)))?;
        let this = self.template_of(edge.callee).and_then(|template| template.this.expand());
        let runs_on = |&object: &ObjectId| {
            self.selects(edge, object) && this.is_none_or(|this| self.has(edge.callee, this, object))
        };
        Some((receiver, self.solution.points_to(edge.caller, receiver).find(runs_on)?))
    }

    /// Whether an object passes a filter.
    fn passes(&self, filter: FilterId, object: ObjectId) -> bool {
        self.what(object).is_some_and(|what| self.types.admits(filter, what))
    }

    /// Whether code is called only where the caller says itself what it does, so that nothing goes in.
    pub fn is_only_inlined(&self, code: CodeId) -> bool {
        let calls = || self.instances_of(code).iter().flat_map(|&callee| self.calls.single_to(callee));
        let is_inlined =
            |edge: CallEdge| matches!(self.solution.facts.sites()[edge.site].callee, Callee::Inlined(_));
        let in_crowds = |&callee: &InstanceId| !self.calls.crowds_with(callee).is_empty();
        calls().next().is_some() && calls().all(is_inlined) && !self.instances_of(code).iter().any(in_crowds)
    }

    /// What a call brings back into a variable.
    fn outcomes(&self, site: SiteId, var: Var) -> impl Iterator<Item = Outcome> + '_ {
        let site = &self.solution.facts.sites()[site];
        // Nothing goes in or out where the caller says itself what the callee does.
        let is_call = !matches!(site.callee, Callee::Inlined(_));
        Outcome::ALL.into_iter().filter(move |outcome| is_call && outcome.of_site(site) == Some(var))
    }

    /// Whether a call runs the callee of an edge on a receiver.
    fn selects(&self, edge: CallEdge, receiver: ObjectId) -> bool {
        let Callee::Virtual(resolved) = self.solution.facts.sites()[edge.site].callee else { return true };
        let selected = self.what(receiver).and_then(|what| self.types.selected(resolved, what));
        selected == Some(self.solution.code_of(edge.callee))
    }
}

impl Search<'_, '_> {
    /// Notes everything that brings an object to a variable; says how it was made if it was made there.
    pub(super) fn behind_var(&mut self, at: At, instance: InstanceId, var: Var) -> Option<How> {
        let why = self.why;
        let template = why.template_of(instance)?;
        let one = [instance];
        let shared = why.is_shared(instance, var);
        let code = why.solution.code_of(instance);
        let instances = if shared { why.instances_of(code) } else { &one[..] };
        for &instance in instances.iter().filter(|&&instance| self.is_meant(instance)).collect::<Vec<_>>() {
            for (number, &stmt) in (0..).zip(&template.stmts) {
                let by = StmtAt { instance, number };
                if assigned(stmt) == Some(var)
                    && let Some(made) = self.behind_stmt(at, by, stmt)
                {
                    return Some(made);
                }
            }
            self.behind_calls(at, instance, template, var);
            self.behind_parameters(at, instance, template, var);
        }
        None
    }

    /// What one statement brings to the variable that it assigns to.
    fn behind_stmt(&mut self, at: At, by: StmtAt, stmt: Stmt) -> Option<How> {
        let object = at.1;
        let (instance, moved) = (by.instance, How::Moved(by));
        let here = |var: Var| Place::Var { instance, var };
        match stmt {
            Stmt::Alloc { site, .. } => {
                return self.why.makes(instance, site, object).then_some(How::Made(by));
            }
            Stmt::Assign { from, filter, .. } => {
                if self.why.passes(filter, object) {
                    self.meet((here(from), object), moved, at);
                }
            }
            Stmt::LoadStatic { field, .. } => self.meet((Place::Static(field), object), moved, at),
            Stmt::LoadGlobal { global, .. } => self.meet((Place::Global(global), object), moved, at),
            Stmt::Load { base, field, .. } => self.behind_load(at, by, base, field),
            Stmt::LoadAny { base, .. } => self.behind_open_load(at, by, base),
            Stmt::Derive { how, from, offset, .. } => {
                let making = Making::new(how, self.why.solution.code_of(instance), offset);
                for source in self.why.derived_from(by, making, from, object) {
                    self.meet((here(from), source), How::Derived(by), at);
                }
            }
            // These assign to no variable, or, as calls do, not by themselves.
            Stmt::Store { .. }
            | Stmt::StoreStatic { .. }
            | Stmt::StoreGlobal { .. }
            | Stmt::StoreAny { .. }
            | Stmt::Call(_)
            | Stmt::Init { .. }
            | Stmt::InitOf { .. }
            | Stmt::Listen { .. } => {}
        }
        None
    }

    fn behind_load(&mut self, at: At, by: StmtAt, base: Var, field: FieldKey) {
        if self.is_new(Hub::Field(self.why.set(by.instance, base), field), at.1) {
            for object in self.why.own_first(by.instance, base) {
                self.meet((Place::Field { object, field }, at.1), How::Moved(by), at);
            }
        }
    }

    fn behind_open_load(&mut self, at: At, by: StmtAt, base: Var) {
        if self.is_new(Hub::Open(self.why.set(by.instance, base)), at.1) {
            for object in self.why.own_first(by.instance, base) {
                let Some(what) = self.why.what(object) else { continue };
                for &(field, _) in self.why.open_fields(what).iter() {
                    self.meet((Place::Field { object, field }, at.1), How::Moved(by), at);
                }
            }
        }
    }

    /// What calls bring back into a variable. All edges of the caller are looked at once: exceptions of all its calls mostly go
    /// into one variable.
    fn behind_calls(&mut self, at: At, caller: InstanceId, template: &Template, var: Var) {
        let why = self.why;
        let brings =
            |stmt: &Stmt| matches!(*stmt, Stmt::Call(site) if why.outcomes(site, var).next().is_some());
        if !template.stmts.iter().any(brings) {
            return;
        }
        for edge in why.calls.single_from(caller) {
            for outcome in why.outcomes(edge.site, var) {
                self.behind_outcome(at, outcome, edge);
            }
        }
        for &(site, crowd) in why.calls.crowds_from(caller) {
            for outcome in why.outcomes(site, var) {
                if self.is_new(outcome.hub(crowd), at.1) {
                    for &callee in why.calls.callees_of(crowd) {
                        self.behind_outcome(at, outcome, CallEdge { caller, site, callee });
                    }
                }
            }
        }
    }

    fn behind_outcome(&mut self, at: At, outcome: Outcome, edge: CallEdge) {
        let callee = self.why.template_of(edge.callee);
        if let Some(var) = callee.and_then(|callee| outcome.of_callee(callee)) {
            self.meet((Place::Var { instance: edge.callee, var }, at.1), outcome.how(edge), at);
        }
    }

    /// What callers give to a variable that is a parameter.
    fn behind_parameters(&mut self, at: At, instance: InstanceId, template: &Template, var: Var) {
        if template.this.expand() == Some(var) {
            self.behind_parameter(at, instance, None);
        }
        for (number, _) in (0..).zip(&template.params).filter(|(_, param)| param.expand() == Some(var)) {
            self.behind_parameter(at, instance, Some(number));
        }
    }

    /// What callers give to a parameter; to the receiver if it has no number.
    fn behind_parameter(&mut self, at: At, callee: InstanceId, number: Option<u32>) {
        let why = self.why;
        for edge in why.calls.single_to(callee) {
            self.behind_argument(at, edge, number);
        }
        for &crowd in why.calls.crowds_with(callee) {
            if self.is_new(Hub::Into(crowd, number), at.1) {
                for &(caller, site) in why.calls.callers_of(crowd) {
                    self.behind_argument(at, CallEdge { caller, site, callee }, number);
                }
            }
        }
    }

    fn behind_argument(&mut self, at: At, edge: CallEdge, number: Option<u32>) {
        let object = at.1;
        let site = &self.why.solution.facts.sites()[edge.site];
        // Nothing goes in or out where the caller says itself what the callee does.
        if !self.is_meant(edge.caller) || matches!(site.callee, Callee::Inlined(_)) {
            return;
        }
        let (var, how) = match number {
            None if !self.why.selects(edge, object) => return,
            None => (site.receiver.expand(), How::Receiver(edge)),
            Some(number) => {
                let number = number as usize;
                (site.args.get(number).and_then(|arg| arg.expand()), How::Argument(edge, number))
            }
        };
        if let Some(var) = var {
            self.meet((Place::Var { instance: edge.caller, var }, object), how, at);
        }
    }

    /// What statements bring to a field of an object.
    pub(super) fn behind_field(&mut self, at: At, base: ObjectId, field: FieldKey) {
        let why = self.why;
        let mut left = self.take_carriers(field, at.1);
        let by_name = self.takes(base, field, at.1);
        let open = left.iter().any(|carriers| carriers.open) && self.takes_openly(base, field, at.1);
        let mut found = Vec::new();
        left.retain_mut(|carriers| {
            let allowed = if carriers.open { open } else { by_name };
            let is_found = allowed && why.has(carriers.bases.instance, carriers.bases.var, base);
            if is_found {
                found.append(&mut carriers.stmts);
            }
            !is_found
        });
        self.keep_carriers(field, at.1, left);
        self.behind_stores(at, &found);
    }

    /// Whether a store that names a field can put an object into it: arrays look at its type.
    fn takes(&self, base: ObjectId, field: FieldKey, object: ObjectId) -> bool {
        if field != FieldKey::ELEMENTS {
            return true;
        }
        let filter = self.why.what(base).and_then(|what| self.why.types.element_filter(what));
        filter.is_some_and(|filter| self.why.passes(filter, object))
    }

    /// The same for a store that names no field.
    fn takes_openly(&self, base: ObjectId, field: FieldKey, object: ObjectId) -> bool {
        let Some(what) = self.why.what(base) else { return false };
        let fields = self.why.open_fields(what);
        fields.iter().any(|&(open, filter)| open == field && self.why.passes(filter, object))
    }

    /// What these statements bring.
    pub(super) fn behind_stores(&mut self, at: At, stores: &[Storing]) {
        for &Storing { by, from } in stores {
            if self.is_meant(by.instance) {
                self.meet((Place::Var { instance: by.instance, var: from }, at.1), How::Moved(by), at);
            }
        }
    }
}

/// The variable that a statement assigns to by itself.
fn assigned(stmt: Stmt) -> Option<Var> {
    match stmt {
        Stmt::Assign { to, .. }
        | Stmt::Alloc { to, .. }
        | Stmt::Load { to, .. }
        | Stmt::LoadStatic { to, .. }
        | Stmt::LoadGlobal { to, .. }
        | Stmt::LoadAny { to, .. }
        | Stmt::Derive { to, .. } => Some(to),
        Stmt::Store { .. }
        | Stmt::StoreStatic { .. }
        | Stmt::StoreGlobal { .. }
        | Stmt::StoreAny { .. }
        | Stmt::Call(_)
        | Stmt::Init { .. }
        | Stmt::InitOf { .. }
        | Stmt::Listen { .. } => None,
    }
}
