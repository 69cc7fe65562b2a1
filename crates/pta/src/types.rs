//! What the type of an object decides: which filters it passes, which code calls of it run, what it takes.

use heliostat_index::{FastSet, Ids};
use heliostat_program::{
    ClassId, Constant, FieldId, HandleId, MethodId, MethodRef, PoolEntry, Program, Subtype, TypeId,
};
use heliostat_solve::FilterId;

use crate::facts::{Alloc, AllocKind, CodeId, Facts, FieldKey, Filter, LambdaId, MadeUp, Stmt};

/// What an object is, as far as it decides what can be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// An object of a type.
    Of(TypeId),
    /// An array of this type that holds nothing.
    Empty(TypeId),
    /// What a lambda makes.
    Lambda(LambdaId),
    /// A method handle constant.
    Handle(HandleId),
}

impl Alloc {
    /// What the objects of the site are.
    pub fn what(self) -> What {
        match self.kind {
            AllocKind::Lambda(lambda) => What::Lambda(lambda),
            AllocKind::Handle(handle) => What::Handle(handle),
            AllocKind::Empty(ty) => What::Empty(ty),
            AllocKind::Site { .. }
            | AllocKind::Value { .. }
            | AllocKind::Merged(_)
            | AllocKind::Strings
            | AllocKind::String(_)
            | AllocKind::LibraryString(_)
            | AllocKind::Class(_)
            | AllocKind::MethodType(_)
            | AllocKind::Jvm(_)
            | AllocKind::Resized { .. }
            | AllocKind::Reflective(_)
            | AllocKind::Mirror(_) => What::Of(self.ty),
        }
    }
}

/// What types decide in a program.
#[derive(Clone, Copy)]
pub struct Types<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its code says.
    pub facts: &'a Facts,
}

impl Types<'_> {
    /// Whether an object is of a type. A lambda is of the types of all its interfaces.
    pub fn is_of(self, what: What, ty: TypeId) -> Subtype {
        match what {
            What::Of(own) | What::Empty(own) => self.program.subtype(own, ty),
            What::Handle(_) => self.program.subtype(TypeId::METHOD_HANDLE, ty),
            What::Lambda(lambda) => {
                let interfaces = self.facts.lambda(lambda).interfaces.iter();
                let answers = interfaces.map(|&own| self.program.subtype(own, ty));
                answers.fold(Subtype::No, |a, b| match (a, b) {
                    (Subtype::Yes, _) | (_, Subtype::Yes) => Subtype::Yes,
                    (Subtype::Unknown, _) | (_, Subtype::Unknown) => Subtype::Unknown,
                    (Subtype::No, Subtype::No) => Subtype::No,
                })
            }
        }
    }

    /// The type of an object, as far as there is one: of a lambda, its first interface.
    pub(crate) fn type_of(self, what: What) -> TypeId {
        match what {
            What::Of(ty) | What::Empty(ty) => ty,
            What::Handle(_) => TypeId::METHOD_HANDLE,
            What::Lambda(lambda) => {
                self.facts.lambda(lambda).interfaces.first().copied().unwrap_or(TypeId::OBJECT)
            }
        }
    }

    /// Whether an object passes a filter. What depends on a missing class passes.
    pub fn admits(self, filter: FilterId, what: What) -> bool {
        match self.facts.filter(filter) {
            Filter::All => true,
            Filter::Type(ty) => self.is_of(what, *ty) != Subtype::No,
            Filter::Caught { ty, not } => {
                ty.is_none_or(|ty| self.is_of(what, ty) != Subtype::No)
                    && not.iter().all(|&ty| self.is_of(what, ty) != Subtype::Yes)
            }
        }
    }

    /// The code that a call of a method runs on an object.
    pub fn selected(self, resolved: MethodId, what: What) -> Option<CodeId> {
        match what {
            What::Handle(handle) if self.is_invocation(resolved) => {
                self.facts.find_made_up(MadeUp::Handle(handle))
            }
            What::Handle(_) => {
                let class = self.program.find_class("java/lang/invoke/DirectMethodHandle");
                let ty = class.map_or(TypeId::METHOD_HANDLE, |c| self.program.classes()[c].ty);
                self.selected_by(ty, resolved)
            }
            // The JVM calls a method only on objects of its class; others are here because sets say too much.
            _ if self.is_of(what, self.program.owner(resolved)) == Subtype::No => None,
            What::Of(ty) | What::Empty(ty) => self.selected_by(ty, resolved),
            What::Lambda(lambda) => self.selected_by_lambda(lambda, resolved),
        }
    }

    fn selected_by(self, ty: TypeId, resolved: MethodId) -> Option<CodeId> {
        self.program.select(ty, resolved).method().map(Facts::code)
    }

    /// A lambda's object has the interface's method under its erased type, inherits everything else, from `Object` first, and
    /// bridges to the method what is abstract there too.
    fn selected_by_lambda(self, lambda: LambdaId, resolved: MethodId) -> Option<CodeId> {
        let lambda = self.facts.lambda(lambda);
        let id = self.program.methods()[resolved].selector;
        let selector = self.program.selector(id);
        if selector.name == lambda.name && selector.descriptor == lambda.erased {
            return Some(lambda.adapter);
        }
        let object = self.program.class_of(TypeId::OBJECT)?;
        if let Some(own) = self.program.declared_method(object, id) {
            return Some(Facts::code(own));
        }
        let inherited = lambda.interfaces.iter().find_map(|&owner| {
            let reference = MethodRef { owner, selector: id, interface: true };
            self.program.resolve_method(reference, self.program.class_of(owner)?).member()
        })?;
        if !self.program.methods()[inherited].flags.is_abstract() {
            return Some(Facts::code(inherited));
        }
        let arity = |descriptor| self.program.method_type(descriptor).parameters.len();
        let is_bridge = selector.name == lambda.name && arity(selector.descriptor) == arity(lambda.erased);
        is_bridge.then_some(lambda.adapter)
    }

    /// Whether a method of `MethodHandle` runs what the handle stands for.
    pub(crate) fn is_invocation(self, method: MethodId) -> bool {
        let data = &self.program.methods()[method];
        let name = self.program.symbols.bytes(self.program.selector(data.selector).name);
        matches!(name, b"invoke" | b"invokeExact" | b"invokeBasic") && data.flags.is_native()
    }

    /// What may be stored into an array; none if nothing can be.
    pub fn element_filter(self, what: What) -> Option<FilterId> {
        let What::Of(ty) = what else { return None };
        let element = self.program.types.element(ty).filter(|&e| self.program.types.is_reference(e))?;
        Some(self.filter_of(element))
    }

    /// The filter for what is stored under a type. If there is none, nothing is stored that would need it.
    fn filter_of(self, ty: TypeId) -> FilterId {
        self.facts.find_type_filter(ty).unwrap_or(FilterId::ALL)
    }

    /// The fields of an object that code outside Java may mean, and what may be stored there: those whose names are string
    /// constants of their class.
    pub fn open_fields(self, what: What) -> Vec<(FieldKey, FilterId)> {
        let ty = match what {
            What::Of(ty) => ty,
            What::Handle(_) => TypeId::METHOD_HANDLE,
            What::Empty(_) | What::Lambda(_) => return Vec::new(),
        };
        if self.program.types.element(ty).is_some() {
            return self
                .element_filter(what)
                .map(|filter| (FieldKey::ELEMENTS, filter))
                .into_iter()
                .collect();
        }
        let Some(class) = self.program.class_of(ty) else { return Vec::new() };
        let fields = self.program.super_classes(class).flat_map(|class| self.open_fields_of(class));
        fields.map(|f| (FieldKey::field(f), self.filter_of(self.program.fields()[f].ty))).collect()
    }

    /// The classes whose string constants may name fields of a class: itself, and those around it by its name.
    pub(crate) fn namers(self, class: ClassId) -> Vec<ClassId> {
        let mut name = self.program.class_name(class);
        let mut namers = vec![class];
        while let Some(end) = name.rfind('$') {
            name.truncate(end);
            namers.extend(self.program.find_class(&name));
        }
        namers
    }

    /// The fields of a class, without those that it inherits, that code outside Java may mean. What may name them must be linked.
    pub(crate) fn open_fields_of(self, class: ClassId) -> Vec<FieldId> {
        let linked = self.namers(class).into_iter().filter_map(|namer| self.program.linked(namer));
        let texts: FastSet<_> = linked
            .flat_map(heliostat_program::Linked::entries)
            .filter_map(|entry| match entry {
                PoolEntry::Constant(Constant::String(text)) => Some(*text),
                _ => None,
            })
            .collect();
        let is_open = |&f: &FieldId| {
            let field = &self.program.fields()[f];
            !field.flags.is_static()
                && self.program.types.is_reference(field.ty)
                && texts.contains(&field.name)
        };
        Ids::between(self.program.classes()[class].fields.clone()).filter(is_open).collect()
    }

    /// What is initialised with a class (JVMS 5.5): itself, its superclasses, and its superinterfaces with default methods.
    pub fn initialised_with(self, class: ClassId) -> Vec<ClassId> {
        if self.program.classes()[class].flags.is_interface() {
            return vec![class];
        }
        let interfaces = self.program.super_interfaces(class).iter().copied();
        let with_defaults = interfaces.filter(|&interface| self.has_defaults(interface));
        self.program.super_classes(class).chain(with_defaults).collect()
    }

    /// Whether an interface has a method that is neither abstract nor static.
    pub(crate) fn has_defaults(self, interface: ClassId) -> bool {
        Ids::between(self.program.classes()[interface].methods.clone()).any(|method: MethodId| {
            let flags = self.program.methods()[method].flags;
            !flags.is_abstract() && !flags.is_static()
        })
    }

    /// The initialisers that run for those statements of the root that enter the program, and that start-up has not run before.
    pub fn initialised_to_enter(self) -> FastSet<MethodId> {
        let root = self.facts.find_made_up(MadeUp::Root).and_then(|root| self.facts.template(root));
        let stmts = root.map_or(&[][..], |template| &template.stmts);
        let (startup, entering) = stmts.split_at(self.facts.startup_statements().min(stmts.len()));
        let before = self.initialisers_in(startup);
        self.initialisers_in(entering).difference(&before).copied().collect()
    }

    /// The initialisers of the classes that statements initialise by name.
    fn initialisers_in(self, stmts: &[Stmt]) -> FastSet<MethodId> {
        let classes = stmts.iter().filter_map(|stmt| match *stmt {
            Stmt::Init { class, .. } => Some(class),
            _ => None,
        });
        let classes = classes.flat_map(|class| self.initialised_with(class));
        classes.filter_map(|class| self.initialiser(class)).collect()
    }

    /// The initialiser of a class, if it has one.
    pub fn initialiser(self, class: ClassId) -> Option<MethodId> {
        self.program.declared_method(class, self.program.find_selector("<clinit>", "()V")?)
    }
}
