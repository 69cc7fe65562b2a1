//! What a method says to the analysis, as data: a small vocabulary, the same for bytecode, models and adapters.
//!
//! Each piece of code (a method, or something that stands for one) becomes a [`Template`]: statements over its
//! *variables*, without order. What the statements mean is up to whoever runs them: `engine` on the solver, or the Datalog
//! rules of the `oracle` crate, to which the same templates are given.

use heliostat_index::{FastMap, Id, IdMap, IdSet, IdVec, Interner, PackedOption, Symbol, id};
use heliostat_ir::{CallKind, Value};
use heliostat_program::{ClassId, DescriptorId, FieldId, HandleId, MethodId, Program, TypeId};
use heliostat_solve::FilterId;
use smallvec::SmallVec;

pub use crate::extract::{NewCall, Writer};
use crate::heap::Heap;
pub use crate::heap::{Alloc, AllocKind};
use crate::logged::{Done, Logged};
pub use crate::models::{Ask, Derivation};
use crate::options::HeapOptions;
use crate::reflection::{Calls, ListenId, Listened, Listening, ReflectedId};

id! {
    /// A piece of code: the methods of the program come first, by their numbers; then what was made up.
    pub struct CodeId = "code";
}
id! {
    /// A variable of a piece of code.
    pub struct Var = "x";
}
id! {
    /// A call site, of the whole program.
    pub struct SiteId = "site";
}
id! {
    /// An allocation site, of the whole program; or what stands for one.
    pub struct AllocId = "alloc";
}
id! {
    /// A program-wide variable that models use.
    pub struct GlobalId = "global";
}
id! {
    /// A lambda: an `invokedynamic` that makes objects of a functional interface.
    pub struct LambdaId = "lambda";
}

/// What an object has of its own: a field, the elements of an array, or a value that a lambda has captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldKey(u32);

impl FieldKey {
    /// All elements of an array.
    pub const ELEMENTS: Self = Self(u32::MAX);
    const CAPTURES: u32 = u32::MAX - 256;

    /// A field.
    pub fn field(field: FieldId) -> Self {
        Self(field.as_u32())
    }

    /// The captured value of this number.
    pub fn capture(number: usize) -> Self {
        Self(Self::CAPTURES + (number as u32).min(255))
    }

    /// The number of the captured value, if it is one.
    pub fn as_capture(self) -> Option<u32> {
        (self != Self::ELEMENTS).then(|| self.0.checked_sub(Self::CAPTURES)).flatten()
    }

    /// The field, if it is one.
    pub fn as_field(self) -> Option<FieldId> {
        (self.0 < Self::CAPTURES).then(|| FieldId::from_u32(self.0))
    }
}

/// A statement. Variables are those of the template it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named in the text of each statement")]
pub enum Stmt {
    /// `to = from`, for what the filter admits.
    Assign { from: Var, to: Var, filter: FilterId },
    /// `to = new …`
    Alloc { to: Var, site: AllocId },
    /// `to = base.field`
    Load { base: Var, field: FieldKey, to: Var },
    /// `base.field = from`
    Store { base: Var, field: FieldKey, from: Var },
    /// `to = Class.field`
    LoadStatic { field: FieldId, to: Var },
    /// `Class.field = from`
    StoreStatic { field: FieldId, from: Var },
    /// `to = global`
    LoadGlobal { global: GlobalId, to: Var },
    /// `global = from`
    StoreGlobal { global: GlobalId, from: Var },
    /// `to =` any field of `base` that code outside Java may mean
    LoadAny { base: Var, to: Var },
    /// any field of `base` that code outside Java may mean `= from`
    StoreAny { base: Var, from: Var },
    /// `to =` what is made of each object of `from`
    Derive { how: Derivation, from: Var, to: Var, offset: u32 },
    /// A call.
    Call(SiteId),
    /// The class is initialised, if it is not yet.
    Init { class: ClassId, offset: u32 },
    /// The classes whose class objects are here are initialised.
    InitOf { class: Var, offset: u32 },
    /// Somebody listens to what is in `var`: the argument of this position of a call.
    Listen { call: ListenId, position: u32, var: Var },
}

/// How an edge of the call graph comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// `invokestatic`
    Static,
    /// `invokespecial`
    Special,
    /// `invokevirtual`
    Virtual,
    /// `invokeinterface`
    Interface,
    /// Through a lambda, a method reference or another product of `invokedynamic`.
    Dynamic,
    /// By reflection.
    Reflective,
    /// A class is initialised.
    Clinit,
    /// Made by native code.
    Native,
    /// Made by the JVM or by generated code.
    Implicit,
}

impl From<CallKind> for EdgeKind {
    fn from(kind: CallKind) -> Self {
        match kind {
            CallKind::Static => Self::Static,
            CallKind::Special => Self::Special,
            CallKind::Virtual => Self::Virtual,
            CallKind::Interface => Self::Interface,
        }
    }
}

impl EdgeKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Static,
        Self::Special,
        Self::Virtual,
        Self::Interface,
        Self::Dynamic,
        Self::Reflective,
        Self::Clinit,
        Self::Native,
        Self::Implicit,
    ];

    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Special => "special",
            Self::Virtual => "virtual",
            Self::Interface => "interface",
            Self::Dynamic => "dynamic",
            Self::Reflective => "reflective",
            Self::Clinit => "clinit",
            Self::Native => "native",
            Self::Implicit => "implicit",
        }
    }
}

/// Which code a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// This code, whatever the receiver.
    Fixed(CodeId),
    /// What the receiver's type selects for this method.
    Virtual(MethodId),
    /// This code, of which the caller says itself what it does: it is reached, and nothing goes in or out.
    Inlined(CodeId),
    /// What the class whose class object is the receiver is asked for. The receiver itself goes nowhere.
    Asked(Ask),
}

/// A call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSite {
    /// The code it is in.
    pub code: CodeId,
    /// The bytecode offset there.
    pub offset: u32,
    /// What it is in the call graph.
    pub kind: EdgeKind,
    /// What it calls.
    pub callee: Callee,
    /// The receiver; none for a static call.
    pub receiver: PackedOption<Var>,
    /// The arguments after the receiver, one per parameter; none for those that carry no reference.
    pub args: SmallVec<[PackedOption<Var>; 4]>,
    /// Where the result goes.
    pub result: PackedOption<Var>,
    /// Where exceptions go.
    pub thrown: PackedOption<Var>,
}

/// A cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cast {
    /// What is cast.
    pub from: Var,
    /// To which type.
    pub ty: TypeId,
    /// The bytecode offset.
    pub offset: u32,
}

/// What a piece of code says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    /// How many variables it has.
    pub vars: u32,
    /// The receiver; none if there is none or nothing reads it.
    pub this: PackedOption<Var>,
    /// The parameters after the receiver; none for those that carry no reference or that nothing reads.
    pub params: SmallVec<[PackedOption<Var>; 4]>,
    /// What is returned.
    pub result: PackedOption<Var>,
    /// What is thrown to the caller.
    pub thrown: PackedOption<Var>,
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The bytecode offset of the instruction that each statement comes from; 0 where there is no bytecode.
    pub offsets: Vec<u32>,
    /// The casts, each also an assignment.
    pub casts: Vec<Cast>,
    /// The value of the IR that each variable is; none for those that were made up.
    pub values: Vec<PackedOption<Value>>,
}

impl Template {
    /// Whether it says nothing: no statement, and nothing that comes in goes out.
    pub fn is_trivial(&self) -> bool {
        self.stmts.is_empty() && self.result.is_none()
    }
}

/// What an assignment lets through.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Everything.
    All,
    /// Objects of this type.
    Type(TypeId),
    /// What a handler of this type catches, after handlers of these types had their chance. No type: anything.
    Caught {
        /// The type it catches.
        ty: Option<TypeId>,
        /// What is caught before.
        not: Box<[TypeId]>,
    },
}

/// A lambda or method reference: what `LambdaMetafactory` is asked to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lambda {
    /// The interfaces of its objects, the functional one first.
    pub interfaces: Vec<TypeId>,
    /// The name of the method it implements.
    pub name: Symbol,
    /// The type of that method.
    pub erased: DescriptorId,
    /// The type that its arguments have in truth.
    pub instantiated: DescriptorId,
    /// What it runs.
    pub target: HandleId,
    /// The types of the captured values.
    pub captures: Vec<TypeId>,
    /// The class that contains it.
    pub class: ClassId,
    /// The code that makes it.
    pub code: CodeId,
    /// Where in it.
    pub offset: u32,
    /// What runs when it is called.
    pub adapter: CodeId,
}

/// Code that is no method of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MadeUp {
    /// What the JVM does, and entry points.
    Root,
    /// What a lambda's object runs: passes captured values and arguments to the target.
    Lambda(LambdaId),
    /// What a method handle runs.
    Handle(HandleId),
    /// Does what a class is asked for: makes a provider of a service, or gives the constants of an enum.
    Asked(Ask, ClassId),
    /// Does what a reflective call turns out to do.
    Doing(Done),
    /// What whoever listens to reflective calls has made up.
    Reflected(ReflectedId),
}

/// Something that the result does not cover, and says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gap {
    /// A native method that nothing models.
    Native(MethodId),
    /// A method whose code cannot be read.
    Unreadable(MethodId),
    /// A call of a method that is not there, in this method at this offset.
    Unresolved(CodeId, u32),
    /// A lambda or method handle, made here, whose member is not there.
    Handle(CodeId, u32, HandleId),
    /// A call site or constant whose bootstrap method is none that is known, or is given arguments that it does not take: analysed
    /// as a call, as far as possible.
    Bootstrap(CodeId, u32),
}

/// All facts found so far.
pub struct Facts {
    /// How many methods the program has: code of higher numbers is made up.
    methods: usize,
    pub(crate) templates: IdMap<CodeId, Option<Box<Template>>>,
    pub(crate) sites: IdVec<SiteId, CallSite>,
    pub(crate) filters: Interner<FilterId, Filter>,
    pub(crate) globals: Interner<GlobalId, Box<str>>,
    pub(crate) lambdas: IdVec<LambdaId, Lambda>,
    pub(crate) heap: Heap,
    made_up: Interner<MadeUpId, MadeUp>,
    /// The methods that have bytecode, and a model in place of it.
    pub(crate) modelled: IdSet<MethodId>,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) logged: Vec<Logged>,
    /// The methods whose calls somebody listens to.
    pub(crate) listened: FastMap<MethodId, Listened>,
    pub(crate) listening: Calls,
    /// The first call sites are those of what the JVM does by itself: the topic of each part, and where it ends.
    startup: Vec<(SiteId, &'static str)>,
    /// How many of the root's statements are theirs; they come first, too.
    startup_statements: usize,
    pub(crate) bounded: Vec<Bounded>,
}

/// A type of receivers, parameters and fields that users of a library may fill, which more types fit than were tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounded {
    /// The type.
    pub ty: TypeId,
    /// How many types fit and were not tried.
    pub left_out: usize,
}

id! {
    struct MadeUpId = "madeup";
}

impl Facts {
    pub(crate) fn new(program: &Program, heap: HeapOptions) -> Self {
        let mut filters = Interner::new();
        filters.intern(Filter::All);
        Self {
            methods: program.methods().len(),
            templates: IdMap::with_default(None),
            sites: IdVec::new(),
            filters,
            globals: Interner::new(),
            lambdas: IdVec::new(),
            heap: Heap::new(program, heap),
            made_up: Interner::new(),
            modelled: IdSet::new(),
            gaps: Vec::new(),
            logged: Vec::new(),
            listened: FastMap::default(),
            listening: IdVec::new(),
            startup: Vec::new(),
            startup_statements: 0,
            bounded: Vec::new(),
        }
    }

    /// The call sites since the last such note are those of what the JVM does by itself, on this topic; so far the root has this
    /// many statements.
    pub(crate) fn note_startup(&mut self, topic: &'static str, statements: usize) {
        self.startup.push((SiteId::new(self.sites.len()), topic));
        self.startup_statements = statements;
    }

    /// How many of the root's statements are what the JVM does before and beside `main`: the first ones. Those after them enter the
    /// program.
    pub fn startup_statements(&self) -> usize {
        self.startup_statements
    }

    /// The topic of a call site that is one of what the JVM does before and beside `main`.
    pub fn startup_topic(&self, site: SiteId) -> Option<&'static str> {
        let part = self.startup.partition_point(|&(end, _)| end <= site);
        self.startup.get(part).map(|&(_, topic)| topic)
    }

    /// Whether a call site is one of what the JVM does before and beside `main`.
    pub fn is_startup(&self, site: SiteId) -> bool {
        self.startup_topic(site).is_some()
    }

    /// Types of what users of a library may fill that more types fit than were tried.
    pub fn bounded(&self) -> &[Bounded] {
        &self.bounded
    }

    /// The calls of reached code of which a log says what they did, once for each thing it says.
    pub fn logged(&self) -> &[Logged] {
        &self.logged
    }

    /// The calls of reached code that somebody listens to.
    pub fn listening(&self) -> &IdVec<ListenId, Listening> {
        &self.listening
    }

    /// The code of a method.
    pub fn code(method: MethodId) -> CodeId {
        CodeId::from_u32(method.as_u32())
    }

    /// The method, if the code is one's.
    pub fn method(&self, code: CodeId) -> Option<MethodId> {
        (code.index() < self.methods).then(|| MethodId::from_u32(code.as_u32()))
    }

    /// What the code is, if it is no method's.
    pub fn made_up(&self, code: CodeId) -> Option<MadeUp> {
        let number = code.index().checked_sub(self.methods)?;
        self.made_up.values().get(MadeUpId::new(number)).copied()
    }

    /// The code that was made up for something.
    pub fn find_made_up(&self, what: MadeUp) -> Option<CodeId> {
        self.made_up.find(&what).map(|id| CodeId::new(self.methods + id.index()))
    }

    pub(crate) fn make_up(&mut self, what: MadeUp) -> CodeId {
        CodeId::new(self.methods + self.made_up.intern(what).index())
    }

    /// Whether what the code says is that of a model, although it has bytecode: its offsets are then the numbers of the model's
    /// statements.
    pub fn is_modelled(&self, code: CodeId) -> bool {
        self.method(code).is_some_and(|method| self.modelled.contains(method))
    }

    /// What a piece of code says; none if it was not reached.
    pub fn template(&self, code: CodeId) -> Option<&Template> {
        self.templates[code].as_deref()
    }

    /// All call sites of reached code.
    pub fn sites(&self) -> &IdVec<SiteId, CallSite> {
        &self.sites
    }

    /// All allocation sites of reached code.
    pub fn allocs(&self) -> &IdVec<AllocId, Alloc> {
        self.heap.allocs()
    }

    /// The code that has an allocation site, and where; none for what stands for many sites, or for none.
    pub fn place_of(&self, kind: AllocKind) -> Option<(CodeId, u32)> {
        match kind {
            AllocKind::Site { code, offset, .. }
            | AllocKind::Value { code, offset, .. }
            | AllocKind::Resized { code, offset, .. } => Some((code, offset)),
            AllocKind::Lambda(lambda) => {
                let lambda = self.lambda(lambda);
                Some((lambda.code, lambda.offset))
            }
            AllocKind::Merged(_)
            | AllocKind::Strings
            | AllocKind::String(_)
            | AllocKind::LibraryString(_)
            | AllocKind::Class(_)
            | AllocKind::Handle(_)
            | AllocKind::MethodType(_)
            | AllocKind::Jvm(_)
            | AllocKind::Empty(_)
            | AllocKind::Reflective(_)
            | AllocKind::Mirror(_) => None,
        }
    }

    /// What an assignment's filter lets through.
    pub fn filter(&self, filter: FilterId) -> &Filter {
        &self.filters.values()[filter]
    }

    /// A lambda.
    pub fn lambda(&self, lambda: LambdaId) -> &Lambda {
        &self.lambdas[lambda]
    }

    /// The filter for a type; everything passes for `Object`.
    pub(crate) fn type_filter(&mut self, ty: TypeId) -> FilterId {
        if ty == TypeId::OBJECT { FilterId::ALL } else { self.filters.intern(Filter::Type(ty)) }
    }
}
