//! Code in contexts: instances, and the nodes of their variables.

use heliostat_index::{Id, IdSet};
use heliostat_program::MethodId;
use heliostat_solve::{NodeId, Solver};

use super::{Engine, InstanceId, Status, Waiting};
use crate::contexts::ContextId;
use crate::doing::doing_template;
use crate::extract;
use crate::facts::{CodeId, Facts, Gap, MadeUp, Template, Var};
use crate::reflection::ReflectedId;

/// How many instances run between two questions whether to go on.
const FRESH_BETWEEN_QUESTIONS: u32 = 256;

/// A piece of code in a context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instance {
    pub(crate) code: CodeId,
    pub(crate) context: ContextId,
    /// The node of its first variable; the others follow.
    pub(crate) nodes: NodeId,
}

impl Engine<'_> {
    /// The node of a variable of an instance.
    pub(super) fn node(&self, instance: InstanceId, var: Var) -> NodeId {
        self.layout.node(self.instances[instance], var)
    }

    /// The variables of a template that are the same in all contexts. What a method throws is: hardly anything depends
    /// on it, and the edges from all contexts of a method to all contexts of its callers would be many.
    fn insensitive(&self, code: CodeId, template: &Template) -> IdSet<Var> {
        let mut vars: IdSet<Var> = template.thrown.expand().into_iter().collect();
        if let (Some(selector), Some(method)) = (&self.options.selector, self.facts.method(code)) {
            let values = template.values.iter().enumerate();
            vars.extend(
                values.filter(|(_, v)| !selector.variable(method, v.expand())).map(|(i, _)| Var::new(i)),
            );
        }
        vars
    }

    /// The instance of code in a context; its statements run soon if it is new. Code that says nothing has one context, and
    /// code that has as many as are asked for at most gets no other.
    pub(crate) fn instance(
        &mut self,
        solver: &mut Solver<Waiting>,
        code: CodeId,
        context: ContextId,
    ) -> InstanceId {
        if let Some(&known) = self.known_instances.get(&(code, context)) {
            return known;
        }
        self.make_template(code);
        if context != ContextId::EMPTY && (self.says_nothing(code) || self.is_crowded(code)) {
            let only = self.instance(solver, code, ContextId::EMPTY);
            self.known_instances.insert((code, context), only);
            return only;
        }
        let vars = self.facts.template(code).map_or(0, |t| t.vars);
        let nodes = match self.layout.shared(code) {
            Some(shared) if context == ContextId::EMPTY => shared,
            _ => solver.new_nodes(vars as usize),
        };
        let instance = self.instances.push(Instance { code, context, nodes });
        self.known_instances.insert((code, context), instance);
        self.share_nodes(solver, code, context, nodes);
        self.fresh.push_back(instance);
        instance
    }

    /// Whether code has as many contexts as it may; if not, there is one more from now on.
    fn is_crowded(&mut self, code: CodeId) -> bool {
        let Some(most) = self.options.most_contexts else { return false };
        let count = self.context_counts.entry(code).or_default();
        if *count < most {
            *count += 1;
            return false;
        }
        self.merged.insert(code);
        true
    }

    /// Whether contexts would tell nothing apart in code.
    pub(super) fn says_nothing(&mut self, code: CodeId) -> bool {
        self.make_template(code);
        self.facts.template(code).is_none_or(Template::is_trivial)
    }

    /// Variables that are the same in all contexts are those of the empty one.
    fn share_nodes(&mut self, solver: &mut Solver<Waiting>, code: CodeId, context: ContextId, nodes: NodeId) {
        if self.layout.shared(code).is_none() {
            let vars = self.facts.template(code).map_or(0, |t| t.vars) as usize;
            let shared = if context == ContextId::EMPTY { nodes } else { solver.new_nodes(vars) };
            self.layout.set_shared(code, shared);
        }
    }

    /// Finds out what code says, when it is first reached.
    fn make_template(&mut self, code: CodeId) {
        if !self.reached.insert(code) {
            return;
        }
        let template = match (self.facts.method(code), self.facts.made_up(code)) {
            (Some(method), _) => {
                self.method_count += 1;
                self.method_template(method)
            }
            (None, Some(MadeUp::Lambda(lambda))) => {
                extract::lambda_template(self.program, &mut self.facts, lambda)
            }
            (None, Some(MadeUp::Handle(handle))) => {
                extract::handle_template(self.program, &mut self.facts, code, handle)
            }
            (None, Some(MadeUp::Root)) => {
                self.models.root_template(self.program, &mut self.facts, self.options, code)
            }
            (None, Some(MadeUp::Asked(ask, class))) => {
                crate::model_code::asked_template(self.program, &mut self.facts, code, ask, class)
            }
            (None, Some(MadeUp::Doing(done))) => doing_template(self.program, &mut self.facts, code, done),
            (None, Some(MadeUp::Reflected(what))) => self.reflected_template(code, what),
            (None, None) => Template::default(),
        };
        self.layout.set_insensitive(code, self.insensitive(code, &template));
        self.facts.templates[code] = Some(Box::new(template));
    }

    /// What whoever listens to reflective calls has made up.
    fn reflected_template(&mut self, code: CodeId, what: ReflectedId) -> Template {
        let mut writer = extract::Writer::new(self.program, &mut self.facts, code);
        if let Some(reflection) = &mut self.reflection {
            reflection.write(what, &mut writer);
        }
        writer.finish()
    }

    fn method_template(&mut self, method: MethodId) -> Template {
        let code = Facts::code(method);
        if let Some(template) = self.models.template(self.program, &mut self.facts, method) {
            return template;
        }
        let data = self.program.methods()[method];
        if !data.has_code() {
            if data.flags.is_native() && self.moves_references(method) {
                self.facts.gaps.push(Gap::Native(method));
            }
            return extract::empty_template(self.program, &mut self.facts, code);
        }
        self.program.link(data.class);
        if let Ok(body) = self.lowerer.lower(self.program, method) {
            extract::template(self.program, &mut self.facts, &self.models, &self.options.log, &body)
        } else {
            self.facts.gaps.push(Gap::Unreadable(method));
            extract::empty_template(self.program, &mut self.facts, code)
        }
    }

    /// Whether a method could do something with references: it is given some, or it returns one.
    fn moves_references(&self, method: MethodId) -> bool {
        let selector = self.program.selector(self.program.methods()[method].selector);
        let result = self.program.method_type(selector.descriptor).result;
        self.program.parameters(method).chain([result]).any(|ty| self.program.types.is_reference(ty))
    }

    /// Runs the statements of all instances that are new, unless time or memory ends: one may lead to thousands.
    pub(crate) fn run_fresh(&mut self, solver: &mut Solver<Waiting>) {
        let mut run = 0;
        while !self.is_ended
            && let Some(instance) = self.fresh.pop_front()
        {
            self.run(solver, instance);
            run += 1;
            if run % FRESH_BETWEEN_QUESTIONS == 0 {
                self.ask(solver);
            }
        }
    }

    /// Asks whether there is time and memory left, and remembers that there is none.
    pub(super) fn ask(&mut self, solver: &Solver<Waiting>) -> bool {
        let status = Status { methods: self.method_count, edges: self.edges.len(), nodes: solver.nodes() };
        self.is_ended = self.is_ended || !(self.watcher)(status);
        !self.is_ended
    }
}
