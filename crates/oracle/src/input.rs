//! What code says, as relations: the templates of all code that the engine has looked into.

use heliostat_index::{FastMap, Id, IdVec, Ids, Interner, id};
use heliostat_program::{ClassId, FieldId};
use heliostat_pta::facts::{
    AllocId, Ask, Callee, CodeId, Derivation, FieldKey, Filter, GlobalId, MadeUp, SiteId, Stmt, Template, Var,
};

use crate::world::World;

id! {
    /// A variable, of all code.
    pub(crate) struct Variable = "x";
}
id! {
    /// What an assignment lets through.
    pub(crate) struct FilterNo = "filter";
}

/// The input relations. The first column of each is what the rules join on.
#[derive(Default)]
pub(crate) struct Input {
    /// All code that is known.
    pub(crate) codes: Vec<CodeId>,
    /// What runs first.
    pub(crate) roots: Vec<CodeId>,
    /// The code and the number there of each variable.
    pub(crate) variables: IdVec<Variable, (CodeId, Var)>,
    /// The first variable of each code.
    firsts: FastMap<CodeId, Variable>,
    pub(crate) filters: Interner<FilterNo, Filter>,
    /// `to = new …`: (code, to, site)
    pub(crate) allocs: Vec<(CodeId, Variable, AllocId)>,
    /// `to = from`: (from, to, what passes)
    pub(crate) assigns: Vec<(Variable, Variable, FilterNo)>,
    /// `to = base.field`: (base, field, to)
    pub(crate) loads: Vec<(Variable, FieldKey, Variable)>,
    /// `base.field = from`: (base, field, from)
    pub(crate) stores: Vec<(Variable, FieldKey, Variable)>,
    /// `to = Class.field`: (code, field, to)
    pub(crate) static_loads: Vec<(CodeId, FieldId, Variable)>,
    /// `Class.field = from`: (from, field)
    pub(crate) static_stores: Vec<(Variable, FieldId)>,
    /// `to = global`: (code, global, to)
    pub(crate) global_loads: Vec<(CodeId, GlobalId, Variable)>,
    /// `global = from`: (from, global)
    pub(crate) global_stores: Vec<(Variable, GlobalId)>,
    /// `to = any base`: (base, to)
    pub(crate) any_loads: Vec<(Variable, Variable)>,
    /// `any base = from`: (base, from)
    pub(crate) any_stores: Vec<(Variable, Variable)>,
    /// `to = classof from` and its like: (from, how, code, offset, to)
    pub(crate) derivations: Vec<(Variable, Derivation, CodeId, u32, Variable)>,
    /// A call without a receiver: (code, site, callee)
    pub(crate) static_calls: Vec<(CodeId, SiteId, CodeId)>,
    /// A call with one: (receiver, site, callee)
    pub(crate) receiver_calls: Vec<(Variable, SiteId, CalleeNo)>,
    pub(crate) callees: IdVec<CalleeNo, Callee>,
    /// Asks the classes whose class objects are in a variable for something: (variable, site, what)
    pub(crate) asking_calls: Vec<(Variable, SiteId, Ask)>,
    /// What a site gives for a parameter: (site, number, variable)
    pub(crate) actuals: Vec<(SiteId, u32, Variable)>,
    /// What becomes of a site's results: (site, which, variable)
    pub(crate) outcomes_to: Vec<(SiteId, Outcome, Variable)>,
    /// The receiver: (code, variable)
    pub(crate) receivers: Vec<(CodeId, Variable)>,
    /// The other parameters: (code, number, variable)
    pub(crate) formals: Vec<(CodeId, u32, Variable)>,
    /// What comes out of code: (code, which, variable)
    pub(crate) outcomes: Vec<(CodeId, Outcome, Variable)>,
    /// Variables that are the same in all contexts: (code, variable)
    pub(crate) shared: Vec<(CodeId, Variable)>,
    /// A class is initialised: (code, class, offset)
    pub(crate) inits: Vec<(CodeId, ClassId, u32)>,
    /// The classes whose class objects are in a variable are initialised: (variable, code, offset)
    pub(crate) inits_of: Vec<(Variable, CodeId, u32)>,
}

id! {
    /// The callee of a call with a receiver.
    pub(crate) struct CalleeNo = "callee";
}

/// What comes back from a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    Result,
    Exception,
}

impl Input {
    /// Reads all templates.
    pub(crate) fn read(world: &World<'_>) -> Self {
        let mut input = Self::default();
        for code in world.codes() {
            if let Some(template) = world.facts.template(code) {
                input.read_template(world, code, template);
            }
        }
        input.roots = world.code_of(MadeUp::Root).into_iter().collect();
        input
    }

    /// The number of a variable of code.
    pub(crate) fn variable(&self, code: CodeId, var: Var) -> Variable {
        Variable::new(self.firsts[&code].index() + var.index())
    }

    fn read_template(&mut self, world: &World<'_>, code: CodeId, template: &Template) {
        self.codes.push(code);
        let first = self.variables.next_id();
        self.firsts.insert(code, first);
        for var in Ids::<Var>::new(0..template.vars as usize) {
            let variable = self.variables.push((code, var));
            self.shared.extend(world.is_shared(code, template, var).then_some((code, variable)));
        }
        let variable = |var: Var| Variable::new(first.index() + var.index());
        self.receivers.extend(template.this.expand().map(|var| (code, variable(var))));
        for (number, param) in (0..).zip(&template.params) {
            self.formals.extend(param.expand().map(|var| (code, number, variable(var))));
        }
        for (which, var) in [(Outcome::Result, template.result), (Outcome::Exception, template.thrown)] {
            self.outcomes.extend(var.expand().map(|var| (code, which, variable(var))));
        }
        for &stmt in &template.stmts {
            self.read_stmt(world, code, stmt, variable);
        }
    }

    fn read_stmt(&mut self, world: &World<'_>, code: CodeId, stmt: Stmt, variable: impl Fn(Var) -> Variable) {
        match stmt {
            Stmt::Assign { from, to, filter } => {
                let filter = self.filters.intern(world.facts.filter(filter).clone());
                self.assigns.push((variable(from), variable(to), filter));
            }
            Stmt::Alloc { to, site } => self.allocs.push((code, variable(to), site)),
            Stmt::Load { base, field, to } => self.loads.push((variable(base), field, variable(to))),
            Stmt::Store { base, field, from } => self.stores.push((variable(base), field, variable(from))),
            Stmt::LoadStatic { field, to } => self.static_loads.push((code, field, variable(to))),
            Stmt::StoreStatic { field, from } => self.static_stores.push((variable(from), field)),
            Stmt::LoadGlobal { global, to } => self.global_loads.push((code, global, variable(to))),
            Stmt::StoreGlobal { global, from } => self.global_stores.push((variable(from), global)),
            Stmt::LoadAny { base, to } => self.any_loads.push((variable(base), variable(to))),
            Stmt::StoreAny { base, from } => self.any_stores.push((variable(base), variable(from))),
            Stmt::Derive { how, from, to, offset } => {
                self.derivations.push((variable(from), how, code, offset, variable(to)));
            }
            Stmt::Call(site) => self.read_call(world, code, site, variable),
            Stmt::Init { class, offset } => self.inits.push((code, class, offset)),
            Stmt::InitOf { class, offset } => self.inits_of.push((variable(class), code, offset)),
            // Whatever comes of it is a statement of its own.
            Stmt::Listen { .. } => {}
        }
    }

    fn read_call(
        &mut self,
        world: &World<'_>,
        code: CodeId,
        site: SiteId,
        variable: impl Fn(Var) -> Variable,
    ) {
        let call = &world.facts.sites()[site];
        match (call.receiver.expand(), call.callee) {
            (Some(class), Callee::Asked(ask)) => {
                self.asking_calls.push((variable(class), site, ask));
            }
            (Some(receiver), callee) => {
                let callee = self.callees.push(callee);
                self.receiver_calls.push((variable(receiver), site, callee));
            }
            (None, Callee::Fixed(callee) | Callee::Inlined(callee)) => {
                self.static_calls.push((code, site, callee));
            }
            (None, Callee::Virtual(_) | Callee::Asked(_)) => {
                world.problem(format!("{site} selects by a receiver that it has not"));
            }
        }
        for (number, arg) in (0..).zip(&call.args) {
            self.actuals.extend(arg.expand().map(|var| (site, number, variable(var))));
        }
        for (which, var) in [(Outcome::Result, call.result), (Outcome::Exception, call.thrown)] {
            self.outcomes_to.extend(var.expand().map(|var| (site, which, variable(var))));
        }
    }
}
