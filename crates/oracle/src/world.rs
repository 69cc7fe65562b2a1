//! What the rules know besides relations: the program, objects and contexts.

use std::cell::RefCell;
use std::collections::BTreeSet;

use heliostat_index::{FastMap, FastSet, Id, Interner, id};
use heliostat_program::{MethodId, Program, Subtype, TypeId};
use heliostat_pta::facts::{
    Alloc, AllocId, AllocKind, Callee, CodeId, Facts, Lambda, MadeUp, SiteId, Template, Var,
};
use heliostat_pta::{ContextElement, Options, Selector, Service};

use crate::compare::Tuples;
use crate::contexts::{Contexts, Ctx};
use crate::dispatch::Answers;
use crate::fields::OpenFields;
use crate::input::Input;

id! {
    /// An object: an allocation site in a context.
    pub(crate) struct Obj = "o";
}

/// What an object is, as far as it decides what it can do.
pub(crate) enum What<'a> {
    /// An object of a type.
    Of(TypeId),
    /// What `LambdaMetafactory` made.
    Lambda(&'a Lambda),
    /// A method handle constant.
    Handle(heliostat_program::HandleId),
}

/// What the rules know besides relations.
pub(crate) struct World<'a> {
    pub(crate) program: &'a Program,
    pub(crate) facts: &'a Facts,
    pub(crate) contexts: Contexts,
    pub(crate) answers: RefCell<Answers>,
    pub(crate) open_fields: RefCell<OpenFields>,
    pub(crate) services: &'a [Service],
    selector: Option<&'a dyn Selector>,
    /// All code that is no method, by what it is.
    made_up: FastMap<MadeUp, CodeId>,
    allocs: RefCell<Interner<AllocId, AllocKind>>,
    types: RefCell<Vec<TypeId>>,
    objects: RefCell<Interner<Obj, (AllocId, Ctx)>>,
    problems: RefCell<BTreeSet<String>>,
}

impl<'a> World<'a> {
    pub(crate) fn new(program: &'a Program, facts: &'a Facts, options: &'a Options) -> Self {
        let world = Self {
            program,
            facts,
            contexts: Contexts::new(options.flavour),
            answers: RefCell::default(),
            open_fields: RefCell::default(),
            services: &options.services,
            selector: options.selector.as_deref(),
            made_up: made_up(program, facts),
            allocs: RefCell::default(),
            types: RefCell::default(),
            objects: RefCell::default(),
            problems: RefCell::default(),
        };
        for (id, &Alloc { kind, ty }) in facts.allocs().iter() {
            if world.alloc(kind, ty) != id {
                world.problem(format!("two allocation sites are one: {kind:?}"));
            }
        }
        world
    }

    /// Notes something that should not be, and no relation tells.
    pub(crate) fn problem(&self, message: String) {
        self.problems.borrow_mut().insert(message);
    }

    pub(crate) fn problems(&self) -> Vec<String> {
        self.problems.borrow().iter().cloned().collect()
    }

    /// All code: methods, then what was made up.
    pub(crate) fn codes(&self) -> impl Iterator<Item = CodeId> + use<> {
        (0..self.program.methods().len() + self.made_up.len()).map(CodeId::new)
    }

    /// The code of something that is no method.
    pub(crate) fn code_of(&self, what: MadeUp) -> Option<CodeId> {
        let code = self.made_up.get(&what).copied();
        if code.is_none() {
            self.problem(format!("the engine has no code for {what:?}"));
        }
        code
    }

    /// The number of an allocation site: the engine's, or a new one if the engine has none.
    pub(crate) fn alloc(&self, kind: AllocKind, ty: TypeId) -> AllocId {
        let (id, is_new) = self.allocs.borrow_mut().intern_full(kind);
        if is_new {
            self.types.borrow_mut().push(ty);
        }
        id
    }

    /// What an allocation site makes, and the type of that.
    pub(crate) fn alloc_of(&self, alloc: AllocId) -> Alloc {
        Alloc { kind: self.allocs.borrow().values()[alloc], ty: self.types.borrow()[alloc.index()] }
    }

    pub(crate) fn object(&self, alloc: AllocId, context: Ctx) -> Obj {
        self.objects.borrow_mut().intern((alloc, context))
    }

    pub(crate) fn object_of(&self, object: Obj) -> (AllocId, Ctx) {
        self.objects.borrow().values()[object]
    }

    /// The kind and type of an object.
    pub(crate) fn made_at(&self, object: Obj) -> Alloc {
        self.alloc_of(self.object_of(object).0)
    }

    pub(crate) fn what(&self, object: Obj) -> What<'a> {
        match self.made_at(object) {
            Alloc { kind: AllocKind::Lambda(lambda), .. } => What::Lambda(self.facts.lambda(lambda)),
            Alloc { kind: AllocKind::Handle(handle), .. } => What::Handle(handle),
            Alloc { ty, .. } => What::Of(ty),
        }
    }

    /// Whether an object is an array of length 0.
    pub(crate) fn holds_nothing(&self, object: Obj) -> bool {
        matches!(self.made_at(object).kind, AllocKind::Empty(_))
    }

    /// Whether an object is of a type. A lambda is of the types of all its interfaces.
    pub(crate) fn is_of(&self, object: Obj, ty: TypeId) -> Subtype {
        let What::Lambda(lambda) = self.what(object) else {
            return self.program.subtype(self.made_at(object).ty, ty);
        };
        let answers: Vec<Subtype> = lambda.interfaces.iter().map(|&i| self.program.subtype(i, ty)).collect();
        let first = [Subtype::Yes, Subtype::Unknown].into_iter().find(|answer| answers.contains(answer));
        first.unwrap_or(Subtype::No)
    }

    /// The object that a site makes in a method's context. Only what code makes is told apart, not what stands for many.
    pub(crate) fn allocated(&self, site: AllocId, method: Ctx) -> Obj {
        let kind = self.alloc_of(site).kind;
        let is_told_apart = match kind {
            AllocKind::Site { .. } | AllocKind::Lambda(_) | AllocKind::Resized { .. } => {
                self.is_selected(self.maker(kind))
            }
            _ => false,
        };
        self.object(site, if is_told_apart { self.contexts.of_object(method) } else { Ctx::EMPTY })
    }

    /// Whether the selector, if there is one, says yes to an allocation site of a method; none asks it about what other code makes.
    fn is_selected(&self, maker: Option<(MethodId, u32)>) -> bool {
        let asked = self.selector.zip(maker);
        asked.is_none_or(|(selector, (method, offset))| selector.allocation(method, offset))
    }

    /// The method that has an allocation site, and where.
    fn maker(&self, kind: AllocKind) -> Option<(MethodId, u32)> {
        let (code, offset) = match kind {
            AllocKind::Site { code, offset, .. }
            | AllocKind::Value { code, offset, .. }
            | AllocKind::Resized { code, offset, .. } => (code, offset),
            AllocKind::Lambda(lambda) => {
                let lambda = self.facts.lambda(lambda);
                (lambda.code, lambda.offset)
            }
            _ => return None,
        };
        Some((self.facts.method(code)?, offset))
    }

    /// Whether a variable is the same in all contexts: what the selector says no to, and what a method throws.
    pub(crate) fn is_shared(&self, code: CodeId, template: &Template, var: Var) -> bool {
        let is_selected = match (self.selector, self.facts.method(code)) {
            (Some(selector), Some(method)) => {
                selector.variable(method, template.values[var.index()].expand())
            }
            _ => true,
        };
        !is_selected || template.thrown.expand() == Some(var)
    }

    /// The context of what a site calls whatever the receiver. An adapter's callee runs in the adapter's own.
    pub(crate) fn call_context(&self, caller: Ctx, site: SiteId, callee: CodeId) -> Ctx {
        if self.is_inlined(site) {
            return Ctx::EMPTY;
        }
        let is_adapter = self.facts.method(self.facts.sites()[site].code).is_none();
        match self.says_nothing(callee) {
            true => Ctx::EMPTY,
            false if is_adapter => caller,
            false => self.contexts.of_call(caller, site),
        }
    }

    /// The context of what a site calls on an object.
    pub(crate) fn receiver_context(&self, caller: Ctx, site: SiteId, receiver: Obj, callee: CodeId) -> Ctx {
        if !self.contexts.depend_on_receivers() || self.says_nothing(callee) || self.is_inlined(site) {
            return self.call_context(caller, site, callee);
        }
        let (alloc, context) = self.object_of(receiver);
        let element = if self.contexts.are_of_types() {
            ContextElement::Type(self.allocating_type(alloc))
        } else {
            ContextElement::Object(alloc)
        };
        self.contexts.of_receiver(context, element)
    }

    /// Whether the caller itself says what its call does: then nothing goes into the callee.
    pub(crate) fn is_inlined(&self, site: SiteId) -> bool {
        matches!(self.facts.sites()[site].callee, Callee::Inlined(_))
    }

    /// Contexts tell nothing apart in code without statements of which nothing comes.
    fn says_nothing(&self, code: CodeId) -> bool {
        self.facts.template(code).is_some_and(|t| t.stmts.is_empty() && t.result.is_none())
    }

    /// The class whose code has the allocation site, if code has it; else the type of what is made.
    fn allocating_type(&self, alloc: AllocId) -> TypeId {
        let Alloc { kind, ty } = self.alloc_of(alloc);
        self.maker(kind).map_or(ty, |(method, _)| self.program.owner(method))
    }

    /// Notes code that the rules reach and the engine has not looked into.
    pub(crate) fn note_unread(&self, input: &Input, expected: &Tuples) {
        let read: FastSet<CodeId> = input.codes.iter().copied().collect();
        for &(_, code) in &expected.reachable {
            if !read.contains(&code) {
                self.problem(format!("reached, and the engine has no template: {}", self.code_name(code)));
            }
        }
    }
}

fn made_up(program: &Program, facts: &Facts) -> FastMap<MadeUp, CodeId> {
    let codes = (program.methods().len()..).map(CodeId::new);
    codes.map_while(|code| Some((facts.made_up(code)?, code))).collect()
}
