//! What facts mean: runs templates on the solver, in every context in which their code is reached.

mod any;
mod asked;
mod calls;
mod crowds;
mod derive;
mod dispatch;
mod edges;
mod init;
mod instances;
mod layout;
mod objects;
mod reflect;
mod shared_fields;
mod statements;

use std::collections::VecDeque;
use std::rc::Rc;

use heliostat_index::{BlockBits, FastMap, FastSet, IdMap, IdSet, IdVec, PackedOption, id};
use heliostat_ir::Lowerer;
use heliostat_program::{ClassId, FieldId, MethodId, Program};
use heliostat_solve::{Client, FilterId, GroupId, NodeId, ObjectId, Outcome, Solver};

use crate::contexts::{ContextId, Contexts};
use crate::facts::{AllocId, CodeId, Facts, FieldKey, GlobalId, SiteId};
use crate::model_code::Models;
use crate::options::Options;
use crate::reflection::{Doing, ListenId, Reflection};
use crate::solution::Solution;
use crate::types::What;

pub(crate) use crowds::CrowdId;
use crowds::CrowdKey;
use edges::CallEdges;
pub(crate) use edges::{End, FoundEdges, Hop};
pub(crate) use instances::Instance;
pub(crate) use layout::Layout;
use shared_fields::FieldsKey;

id! {
    /// A piece of code in a context.
    pub struct InstanceId = "instance";
}

/// How far the analysis is.
#[derive(Debug, Clone, Copy)]
pub struct Status {
    /// Methods reached.
    pub methods: usize,
    /// Call edges found, in contexts.
    pub edges: usize,
    /// Nodes of the constraint graph.
    pub nodes: usize,
}

/// A statement of an instance that waits for objects.
#[derive(Clone, Copy)]
pub(crate) struct Waiting {
    instance: InstanceId,
    stmt: u32,
}

/// An object: an allocation site in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// The allocation site.
    pub alloc: AllocId,
    /// Its context.
    pub context: ContextId,
}

/// A call edge in contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallEdge {
    /// Who calls.
    pub caller: InstanceId,
    /// Where.
    pub site: SiteId,
    /// What is called.
    pub callee: InstanceId,
}

/// The edge to a class initialiser: the code and offset that cause it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClinitEdge {
    /// The code.
    pub code: CodeId,
    /// Where in it.
    pub offset: u32,
    /// The class initialiser.
    pub callee: MethodId,
}

pub(crate) struct Engine<'a> {
    pub(crate) program: &'a mut Program,
    pub(crate) options: &'a Options,
    pub(crate) facts: Facts,
    pub(crate) contexts: Contexts,
    pub(crate) instances: IdVec<InstanceId, Instance>,
    pub(crate) groups: IdVec<GroupId, What>,
    pub(crate) objects: IdMap<ObjectId, Option<Object>>,
    pub(crate) edges: CallEdges,
    pub(crate) clinit_edges: FastSet<ClinitEdge>,
    pub(crate) initialised: IdSet<ClassId>,
    pub(crate) reached: IdSet<CodeId>,
    pub(crate) statics: IdMap<FieldId, PackedOption<NodeId>>,
    pub(crate) fields: FastMap<(ObjectId, FieldKey), NodeId>,
    pub(crate) method_count: usize,
    lowerer: Lowerer,
    models: Models,
    known_instances: FastMap<(CodeId, ContextId), InstanceId>,
    pub(crate) layout: Layout,
    /// Instances whose statements have not run yet.
    fresh: VecDeque<InstanceId>,
    known_groups: FastMap<What, GroupId>,
    known_objects: FastMap<(AllocId, ContextId), ObjectId>,
    pub(crate) globals: IdMap<GlobalId, PackedOption<NodeId>>,
    selected: FastMap<(MethodId, GroupId), Option<CodeId>>,
    /// Room for receivers and what they select.
    selecting: Vec<(CodeId, BlockBits)>,
    known_crowds: FastMap<CrowdKey, CrowdId>,
    /// The nodes between fields and statements.
    known_fields: FastMap<FieldsKey, NodeId>,
    /// The context that each object gives to the methods that run on it, once asked.
    receiver_contexts: IdMap<ObjectId, PackedOption<ContextId>>,
    /// The class initialisers that run when a class is initialised, once asked.
    initialisers: FastMap<ClassId, Rc<[MethodId]>>,
    /// The fields of each class that code outside Java may mean, once asked.
    open_fields: FastMap<ClassId, Box<[FieldId]>>,
    watcher: &'a mut dyn FnMut(Status) -> bool,
    /// How many contexts code has, if that is bounded.
    context_counts: FastMap<CodeId, u32>,
    /// Code that would have more.
    pub(crate) merged: IdSet<CodeId>,
    /// Whether the watcher wants no more.
    is_ended: bool,
    /// Who listens to reflective calls, unless that is being told something.
    reflection: Option<&'a mut dyn Reflection>,
    /// What calls were found to do.
    done_late: FastSet<(ListenId, Doing)>,
    /// The instances of code to which statements may still be added.
    listeners: FastMap<CodeId, Vec<InstanceId>>,
}

/// How many objects blocks hold.
fn count(blocks: &[BlockBits]) -> u32 {
    blocks.iter().map(|block| block.len()).sum()
}

/// Analyses a program. The watcher is told now and then how far it is, and says whether to go on.
pub fn analyse<'a>(
    program: &'a mut Program,
    options: &'a Options,
    reflection: &'a mut dyn Reflection,
    watcher: &'a mut dyn FnMut(Status) -> bool,
) -> Solution {
    let mut facts = Facts::new(program, options.heap);
    facts.listened = reflection.listened(program).into_iter().collect();
    facts.heap.strings = reflection.strings();
    let models = Models::new(program);
    let mut engine = Engine {
        contexts: Contexts::new(options.flavour),
        program,
        options,
        facts,
        instances: IdVec::new(),
        groups: IdVec::new(),
        objects: IdMap::with_default(None),
        edges: CallEdges::new(options.flavour),
        clinit_edges: FastSet::default(),
        initialised: IdSet::new(),
        reached: IdSet::new(),
        statics: IdMap::with_default(PackedOption::none()),
        fields: FastMap::default(),
        method_count: 0,
        lowerer: Lowerer::new(),
        models,
        known_instances: FastMap::default(),
        layout: Layout::new(),
        fresh: VecDeque::new(),
        known_groups: FastMap::default(),
        known_objects: FastMap::default(),
        globals: IdMap::with_default(PackedOption::none()),
        selected: FastMap::default(),
        selecting: Vec::new(),
        known_crowds: FastMap::default(),
        known_fields: FastMap::default(),
        receiver_contexts: IdMap::with_default(PackedOption::none()),
        initialisers: FastMap::default(),
        open_fields: FastMap::default(),
        context_counts: FastMap::default(),
        merged: IdSet::new(),
        watcher,
        is_ended: false,
        reflection: Some(reflection),
        done_late: FastSet::default(),
        listeners: FastMap::default(),
    };
    let mut solver = Solver::new();
    engine.enter(&mut solver);
    let mut outcome = solver.solve(&mut engine);
    while outcome == Outcome::Complete && !engine.is_ended && engine.settle(&mut solver) {
        outcome = solver.solve(&mut engine);
    }
    let is_complete = outcome == Outcome::Complete && !engine.is_ended;
    Solution::new(engine, solver, is_complete)
}

impl Client for Engine<'_> {
    type Watch = Waiting;

    fn arrived(&mut self, solver: &mut Solver<Waiting>, waiting: Waiting, objects: &[BlockBits]) {
        self.resume(solver, waiting, objects);
        self.run_fresh(solver);
    }

    fn admits(&self, filter: FilterId, group: GroupId) -> bool {
        self.admits_group(filter, group)
    }

    fn keep_going(&mut self, solver: &Solver<Waiting>) -> bool {
        self.ask(solver)
    }
}
