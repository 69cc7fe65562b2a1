//! Reflection, as the analysis sees it: somebody who listens to calls, and says what they do.
//!
//! A call of a method that somebody listens to becomes, besides the call, a [`Listening`] and a statement for each argument
//! that matters. When objects arrive there, [`Reflection::heard`] is told, and answers with what the call does: a [`Doing`], which
//! becomes one more statement of the code that has the call, as if it had been there from the beginning. So whoever reads
//! templates (the oracle, dumps, explanations) finds there what reflection does, and need not know of it.

use std::rc::Rc;

use heliostat_index::{FastMap, IdMap, IdVec, PackedOption, Symbol, id};
use heliostat_program::{ClassId, FieldId, MethodId, Program, TypeId};
use heliostat_solve::{ObjectId, Solver};
use smallvec::SmallVec;

use crate::engine::{Instance, InstanceId, Layout, Object, Waiting};
use crate::facts::{AllocId, AllocKind, CodeId, Facts, Var, Writer};
use crate::logged::Done;

id! {
    /// What somebody listens to, by numbers of their own.
    pub struct ApiId = "api";
}
id! {
    /// A call that somebody listens to, of the whole program.
    pub struct ListenId = "listen";
}
id! {
    /// Code that whoever listens makes up, by numbers of their own.
    pub struct ReflectedId = "reflected";
}

/// What an object of the reflection API stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mirror {
    /// A method.
    Method(MethodId),
    /// A constructor.
    Constructor(MethodId),
    /// A field.
    Field(FieldId),
}

/// What is known of an argument before anything is analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Nothing.
    Unknown,
    /// It is null.
    Null,
    /// It is this number.
    Int(i32),
    /// It is a new array with these elements; nothing else is ever stored there.
    Array(Box<[Element]>),
}

/// What is known of an element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// It is null.
    Null,
    /// It is the class object of this type.
    Class(TypeId),
    /// It is in this variable.
    Var(Var),
    /// Nothing is known of it, or it is no object.
    Unknown,
}

/// A call that somebody listens to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listening {
    /// The code it is in.
    pub code: CodeId,
    /// The bytecode offset there.
    pub offset: u32,
    /// What it is to whoever listens.
    pub api: ApiId,
    /// The method that is called, as it was resolved.
    pub called: MethodId,
    /// The receiver, if there is one, and the arguments after it; none for those that carry no reference.
    pub args: SmallVec<[PackedOption<Var>; 4]>,
    /// What is known of them.
    pub shapes: Box<[Shape]>,
    /// Where the result goes.
    pub result: PackedOption<Var>,
    /// The type that the result is cast to at once, if that is all that is done with it.
    pub cast: Option<TypeId>,
    /// Where exceptions go.
    pub thrown: PackedOption<Var>,
}

/// What a call turns out to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Doing {
    /// Its result is this object.
    Give(AllocId),
    /// It initialises a class.
    Init(ClassId),
    /// It does what the same call did of which a log tells.
    Act(Done),
    /// It runs this code with its receiver and arguments; the result of that is its own.
    Run(ReflectedId),
}

/// Which calls are listened to, and to which of their arguments: the receiver, if there is one, is number 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listened {
    /// What they are to whoever listens.
    pub api: ApiId,
    /// The arguments.
    pub positions: &'static [usize],
    /// Whether they give what whoever listens says, and something of which nothing is known, but not what their code returns: that
    /// would be the same for all calls.
    pub gives: bool,
}

/// Which string constants are told apart.
pub trait Strings {
    /// What stands for a constant of a class; of none, if the code is made up.
    fn kind(&self, program: &Program, class: Option<ClassId>, text: Symbol) -> AllocKind;
}

/// Who says what reflective calls do.
pub trait Reflection {
    /// The methods whose calls it listens to.
    fn listened(&mut self, program: &mut Program) -> Vec<(MethodId, Listened)>;

    /// Which string constants are told apart, if any are.
    fn strings(&self) -> Option<Rc<dyn Strings>>;

    /// These objects are new at an argument of a call: what the call does now goes to [`Scene::does`].
    fn heard(&mut self, scene: &mut Scene<'_>, position: usize, objects: &[AllocId]);

    /// Nothing arrives any more: what is to be done about calls of which too little, or too much, was known before. Things go on if
    /// anything is.
    fn settled(&mut self, scene: &mut Scene<'_>);

    /// Writes code that it has made up.
    fn write(&mut self, what: ReflectedId, writer: &mut Writer<'_>);
}

/// Nobody listens.
pub struct NoReflection;

impl Reflection for NoReflection {
    fn listened(&mut self, _: &mut Program) -> Vec<(MethodId, Listened)> {
        Vec::new()
    }

    fn strings(&self) -> Option<Rc<dyn Strings>> {
        None
    }

    fn heard(&mut self, _: &mut Scene<'_>, _: usize, _: &[AllocId]) {}

    fn settled(&mut self, _: &mut Scene<'_>) {}

    fn write(&mut self, _: ReflectedId, _: &mut Writer<'_>) {}
}

/// What is known by now at calls that somebody listens to.
pub struct Scene<'a> {
    /// The program.
    pub program: &'a mut Program,
    /// What reached code says.
    pub facts: &'a mut Facts,
    /// The call that objects have arrived at; none if nothing arrives any more.
    pub(crate) heard: Option<(ListenId, InstanceId)>,
    pub(crate) layout: &'a Layout,
    pub(crate) instances: &'a IdVec<InstanceId, Instance>,
    pub(crate) listeners: &'a FastMap<CodeId, Vec<InstanceId>>,
    pub(crate) solver: &'a Solver<Waiting>,
    pub(crate) objects: &'a IdMap<ObjectId, Option<Object>>,
    pub(crate) done: Vec<(ListenId, Doing)>,
}

impl Scene<'_> {
    /// The call that objects have arrived at.
    pub fn heard(&self) -> Option<ListenId> {
        self.heard.map(|(call, _)| call)
    }

    /// What is at an argument of a call by now, each allocation site once: in the context that objects have arrived in, or in
    /// all of them if it is another call.
    pub fn at(&self, call: ListenId, position: usize) -> Vec<AllocId> {
        let listening = &self.facts.listening[call];
        let Some(var) = listening.args.get(position).and_then(|arg| arg.expand()) else { return Vec::new() };
        let one = self.heard.filter(|&(heard, _)| heard == call).map(|(_, instance)| [instance]);
        let all = self.listeners.get(&listening.code).map_or(&[][..], Vec::as_slice);
        let instances = one.as_ref().map_or(all, |one| one.as_slice()).iter();
        let nodes = instances.map(|&instance| self.layout.node(self.instances[instance], var));
        let objects = nodes.flat_map(|node| self.solver.points_to(node)).filter_map(|o| self.objects[o]);
        let mut allocs: Vec<AllocId> = objects.map(|object| object.alloc).collect();
        allocs.sort_unstable();
        allocs.dedup();
        allocs
    }

    /// This is what a call does.
    pub fn does(&mut self, call: ListenId, doing: Doing) {
        self.done.push((call, doing));
    }

    /// What stands for objects of this kind.
    pub fn alloc(&mut self, kind: AllocKind, ty: TypeId) -> AllocId {
        self.facts.heap.alloc(kind, ty)
    }
}

/// All calls that are listened to.
pub(crate) type Calls = IdVec<ListenId, Listening>;
