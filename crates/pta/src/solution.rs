//! What the analysis found.

use heliostat_index::{FastMap, IdMap, IdSet, IdVec, PackedOption};
use heliostat_program::{ClassId, FieldId, MethodId, TypeId};
use heliostat_solve::{GroupId, NodeId, ObjectId, Solver, Statistics};

use crate::contexts::{ContextElement, ContextId, Contexts};
use crate::engine::{
    CallEdge, ClinitEdge, Engine, FoundEdges, Instance, InstanceId, Layout, Object, Waiting,
};
use crate::facts::{CodeId, Facts, FieldKey, Gap, GlobalId, SiteId, Var};
use crate::types::What;
use crate::why::Place;

/// What the analysis found.
pub struct Solution {
    /// Whether it came to an end; otherwise what is here is true but not all.
    pub complete: bool,
    /// What reached code says.
    pub facts: Facts,
    pub(crate) solver: Solver<Waiting>,
    pub(crate) contexts: Contexts,
    pub(crate) instances: IdVec<InstanceId, Instance>,
    pub(crate) groups: IdVec<GroupId, What>,
    objects: IdMap<ObjectId, Option<Object>>,
    pub(crate) edges: FoundEdges,
    pub(crate) clinit_edges: Vec<ClinitEdge>,
    /// How many methods would have more contexts than were asked for at most.
    pub(crate) merged: u64,
    initialised: IdSet<ClassId>,
    reached: IdSet<CodeId>,
    pub(crate) fields: FastMap<(ObjectId, FieldKey), NodeId>,
    statics: IdMap<FieldId, PackedOption<NodeId>>,
    globals: IdMap<GlobalId, PackedOption<NodeId>>,
    layout: Layout,
}

impl Solution {
    pub(crate) fn new(engine: Engine<'_>, solver: Solver<Waiting>, complete: bool) -> Self {
        let edges = engine.edges.finish();
        let merged = engine.merged.iter().filter(|&code| engine.facts.method(code).is_some()).count() as u64;
        let mut clinit_edges: Vec<ClinitEdge> = engine.clinit_edges.into_iter().collect();
        clinit_edges.sort_unstable();
        Self {
            complete,
            facts: engine.facts,
            solver,
            contexts: engine.contexts,
            instances: engine.instances,
            groups: engine.groups,
            objects: engine.objects,
            edges,
            clinit_edges,
            merged,
            initialised: engine.initialised,
            reached: engine.reached,
            fields: engine.fields,
            statics: engine.statics,
            globals: engine.globals,
            layout: engine.layout,
        }
    }

    /// What the solver did.
    pub fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    /// All reached methods, in order.
    pub fn methods(&self) -> impl Iterator<Item = MethodId> + '_ {
        self.reached.iter().filter_map(|code| self.facts.method(code))
    }

    /// All initialised classes, in order.
    pub fn initialised(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.initialised.iter()
    }

    /// What the result does not cover.
    pub fn gaps(&self) -> &[Gap] {
        &self.facts.gaps
    }

    /// All call edges in contexts, each once.
    pub fn edges(&self) -> impl Iterator<Item = CallEdge> + '_ {
        self.edges.iter()
    }

    /// The calls of a piece of code, in whatever context, in order.
    pub fn calls_of(&self, code: CodeId) -> impl Iterator<Item = (SiteId, CodeId)> + '_ {
        self.targets().into_iter().filter(move |&(site, _)| self.facts.sites[site].code == code)
    }

    /// All instances: the code and the context of each.
    pub fn instances(&self) -> impl Iterator<Item = (InstanceId, CodeId, ContextId)> + '_ {
        self.instances.iter().map(|(id, i)| (id, i.code, i.context))
    }

    /// The elements of a context, the latest last.
    pub fn context(&self, context: ContextId) -> &[ContextElement] {
        self.contexts.elements(context)
    }

    /// An object.
    pub fn object(&self, object: ObjectId) -> Option<Object> {
        self.objects[object]
    }

    /// The type of an object.
    pub fn object_type(&self, object: ObjectId) -> Option<TypeId> {
        Some(self.facts.allocs()[self.objects[object]?.alloc].ty)
    }

    /// What a variable of an instance points to.
    pub fn points_to(&self, instance: InstanceId, var: Var) -> impl Iterator<Item = ObjectId> + '_ {
        self.solver.points_to(self.node(instance, var))
    }

    /// What each object has of its own, in order.
    pub fn fields(&self) -> Vec<(ObjectId, FieldKey, Vec<ObjectId>)> {
        let mut all: Vec<_> = self
            .fields
            .iter()
            .map(|(&(object, field), &node)| (object, field, self.solver.points_to(node).collect()))
            .collect();
        all.sort_unstable_by_key(|&(object, field, _)| (object, field));
        all
    }

    /// What a static field points to.
    pub fn static_field(&self, field: FieldId) -> Vec<ObjectId> {
        self.statics[field].expand().map_or(Vec::new(), |node| self.solver.points_to(node).collect())
    }

    /// What a program-wide variable of the models points to.
    pub fn global(&self, global: GlobalId) -> Vec<ObjectId> {
        self.globals[global].expand().map_or(Vec::new(), |node| self.solver.points_to(node).collect())
    }

    pub(crate) fn node(&self, instance: InstanceId, var: Var) -> NodeId {
        self.layout.node(self.instances[instance], var)
    }

    /// The code of an instance.
    pub fn code_of(&self, instance: InstanceId) -> CodeId {
        self.instances[instance].code
    }

    /// The edges to class initialisers, in order.
    pub fn clinit_edges(&self) -> &[ClinitEdge] {
        &self.clinit_edges
    }

    /// Whether an object is at a place.
    pub fn is_at(&self, place: Place, object: ObjectId) -> bool {
        let node = match place {
            Place::Var { instance, var } => Some(self.node(instance, var)),
            Place::Field { object, field } => self.fields.get(&(object, field)).copied(),
            Place::Static(field) => self.statics[field].expand(),
            Place::Global(global) => self.globals[global].expand(),
        };
        node.is_some_and(|node| self.solver.contains(node, object))
    }

    /// The instances of each code that has any.
    pub fn instances_by_code(&self) -> Vec<(CodeId, Vec<InstanceId>)> {
        let mut all: Vec<(CodeId, InstanceId)> = self.instances.iter().map(|(id, i)| (i.code, id)).collect();
        all.sort_unstable();
        let mut grouped: Vec<(CodeId, Vec<InstanceId>)> = Vec::new();
        for (code, instance) in all {
            match grouped.last_mut() {
                Some((last, instances)) if *last == code => instances.push(instance),
                _ => grouped.push((code, vec![instance])),
            }
        }
        grouped
    }
}
