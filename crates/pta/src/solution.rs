//! What the analysis found.

use heliostat_index::{FastMap, FastSet, IdMap, IdSet, IdVec, PackedOption, SetId};
use heliostat_program::{ClassId, FieldId, MethodId, Program, Subtype, TypeId};
use heliostat_solve::{GroupId, NodeId, ObjectId, Solver, Statistics};

use crate::contexts::{ContextElement, ContextId, Contexts};
use crate::engine::{
    CallEdge, ClinitEdge, Engine, FoundEdges, Group, Instance, InstanceId, Layout, Object, Waiting,
};
use crate::facts::{CodeId, EdgeKind, Facts, FieldKey, Gap, GlobalId, SiteId, Var};
use crate::why::Place;

/// What the analysis found.
pub struct Solution {
    /// Whether it came to an end; otherwise what is here is true but not all.
    pub complete: bool,
    /// What reached code says.
    pub facts: Facts,
    pub(crate) solver: Solver<Waiting>,
    pub(crate) contexts: Contexts,
    instances: IdVec<InstanceId, Instance>,
    groups: IdVec<GroupId, Group>,
    objects: IdMap<ObjectId, Option<Object>>,
    edges: FoundEdges,
    clinit_edges: Vec<ClinitEdge>,
    initialised: IdSet<ClassId>,
    reached: IdSet<CodeId>,
    pub(crate) fields: FastMap<(ObjectId, FieldKey), NodeId>,
    statics: IdMap<FieldId, PackedOption<NodeId>>,
    globals: IdMap<GlobalId, PackedOption<NodeId>>,
    layout: Layout,
    group_types: IdVec<GroupId, TypeId>,
}

/// A call edge with contexts projected away and adapters left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// The method that calls.
    pub caller: MethodId,
    /// The bytecode offset of the call there.
    pub offset: u32,
    /// The method that is called.
    pub callee: MethodId,
    /// How.
    pub kind: EdgeKind,
}

impl Solution {
    pub(crate) fn new(engine: Engine<'_>, solver: Solver<Waiting>, complete: bool) -> Self {
        let group_types = engine.groups.ids().map(|g| engine.group_type(g)).collect::<Vec<_>>().into();
        let edges = engine.edges.finish();
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
            initialised: engine.initialised,
            reached: engine.reached,
            fields: engine.fields,
            statics: engine.statics,
            globals: engine.globals,
            layout: engine.layout,
            group_types,
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

    /// All call edges in contexts; one may be there more than once.
    pub fn edges(&self) -> impl Iterator<Item = CallEdge> + '_ {
        self.edges.iter()
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

    /// What an object has of its own, as far as something has been stored or looked for there.
    pub fn fields_of(&self, object: ObjectId) -> Vec<FieldKey> {
        let mut keys: Vec<FieldKey> = self.fields.keys().filter(|k| k.0 == object).map(|k| k.1).collect();
        keys.sort_unstable();
        keys
    }

    /// The code that each call site calls, in whatever context, in order.
    fn targets(&self) -> Vec<(SiteId, CodeId)> {
        self.edges.targets(|instance| self.instances[instance].code)
    }

    /// Call edges with contexts projected away; adapters are left out, what they call is called where they are.
    pub fn calls(&self) -> Vec<Call> {
        let sites = self.targets();
        let mut hidden: FastMap<CodeId, Vec<(SiteId, CodeId)>> = FastMap::default();
        let mut callers: FastMap<CodeId, Vec<SiteId>> = FastMap::default();
        for &(site, callee) in &sites {
            if self.facts.method(callee).is_none() {
                callers.entry(callee).or_default().push(site);
            }
            let code = self.facts.sites[site].code;
            if self.facts.method(code).is_none() {
                hidden.entry(code).or_default().push((site, callee));
            }
        }
        let mut calls = Vec::with_capacity(sites.len());
        for &(site, callee) in &sites {
            let call = &self.facts.sites[site];
            let Some(caller) = self.facts.method(call.code) else { continue };
            for (method, kind) in self.behind(callee, call.kind, &hidden) {
                calls.push(Call { caller, offset: call.offset, callee: method, kind });
            }
        }
        for edge in &self.clinit_edges {
            let clinit =
                |caller, offset| Call { caller, offset, callee: edge.callee, kind: EdgeKind::Clinit };
            match self.facts.method(edge.code) {
                Some(caller) => calls.push(clinit(caller, edge.offset)),
                // What an adapter initialises, its callers do.
                None => calls.extend(callers.get(&edge.code).into_iter().flatten().filter_map(|&site| {
                    let call = &self.facts.sites[site];
                    Some(clinit(self.facts.method(call.code)?, call.offset))
                })),
            }
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// The methods that a call runs: itself, or what an adapter leads to.
    fn behind(
        &self,
        callee: CodeId,
        kind: EdgeKind,
        hidden: &FastMap<CodeId, Vec<(SiteId, CodeId)>>,
    ) -> Vec<(MethodId, EdgeKind)> {
        if let Some(method) = self.facts.method(callee) {
            return vec![(method, kind)];
        }
        let (mut found, mut seen, mut work) = (Vec::new(), FastSet::default(), vec![callee]);
        while let Some(code) = work.pop() {
            if !seen.insert(code) {
                continue;
            }
            for &(site, callee) in hidden.get(&code).map_or(&[][..], |v| v) {
                match self.facts.method(callee) {
                    Some(method) => found.push((method, self.facts.sites[site].kind)),
                    None => work.push(callee),
                }
            }
        }
        found
    }

    /// For each call site with a receiver that selects: the method and offset, and how many methods it runs.
    pub fn virtual_sites(&self) -> Vec<(MethodId, u32, usize)> {
        let mut targets: FastMap<SiteId, usize> = FastMap::default();
        for (site, _) in self.targets() {
            *targets.entry(site).or_default() += 1;
        }
        let sites = self.facts.sites.iter().filter_map(|(id, site)| {
            let selects = matches!(site.kind, EdgeKind::Virtual | EdgeKind::Interface);
            let method = self.facts.method(site.code).filter(|_| selects)?;
            Some((method, site.offset, targets.get(&id).copied().unwrap_or(0)))
        });
        sites.collect()
    }

    /// For each reached cast: method, offset, type, and whether an object arrives there that is not known to be of the type.
    pub fn casts(&self, program: &Program) -> Vec<(MethodId, u32, TypeId, bool)> {
        let mut casts = Vec::new();
        let mut known: FastMap<(SetId, TypeId), bool> = FastMap::default();
        for (code, instances) in self.instances_by_code() {
            let Some(method) = self.facts.method(code) else { continue };
            for cast in self.facts.template(code).map_or(&[][..], |t| &t.casts) {
                let may_fail = instances.iter().any(|&i| {
                    let node = self.node(i, cast.from);
                    *known.entry((self.solver.set(node), cast.ty)).or_insert_with(|| {
                        let mut arrived = self.solver.blocks(node).iter();
                        arrived.any(|&b| !self.is_certainly(program, self.solver.block_group(b), cast.ty))
                    })
                });
                casts.push((method, cast.offset, cast.ty, may_fail));
            }
        }
        casts
    }

    fn is_certainly(&self, program: &Program, group: GroupId, ty: TypeId) -> bool {
        match self.groups[group] {
            Group::Lambda(lambda) => {
                let interfaces = &self.facts.lambda(lambda).interfaces;
                interfaces.iter().any(|&own| program.subtype(own, ty) == Subtype::Yes)
            }
            _ => program.subtype(self.group_types[group], ty) == Subtype::Yes,
        }
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
