//! What the engine found, in the oracle's numbers.

use heliostat_index::{FastMap, Ids};
use heliostat_program::FieldId;
use heliostat_pta::facts::{AllocId, CodeId, Facts, SiteId, Var};
use heliostat_pta::{CallEdge, ContextId, InstanceId, Solution};

use crate::compare::Tuples;
use crate::contexts::Ctx;
use crate::input::Input;
use crate::world::{Obj, World};

/// All tuples of a solution.
pub(crate) fn tuples(world: &World<'_>, input: &Input, solution: &Solution) -> Tuples {
    let mut tuples = Tuples { initialised: solution.initialised().collect(), ..Tuples::default() };
    let context = |context: ContextId| world.contexts.of(solution.context(context).to_vec());
    let object = |id| {
        let known = solution.object(id).map(|object| world.object(object.alloc, context(object.context)));
        known.unwrap_or_else(|| nothing(world))
    };
    let mut instances = FastMap::default();
    for (instance, code, ctx) in solution.instances() {
        let ctx = context(ctx);
        instances.insert(instance, (ctx, code));
        tuples.reachable.push((ctx, code));
        for var in Ids::<Var>::new(0..solution.facts.template(code).map_or(0, |t| t.vars as usize)) {
            let variable = input.variable(code, var);
            let objects = solution.points_to(instance, var).map(|id| (ctx, variable, object(id)));
            tuples.var_points_to.extend(objects);
        }
    }
    for (base, field, objects) in solution.fields() {
        let base = object(base);
        tuples.field_points_to.extend(objects.into_iter().map(|id| (base, field, object(id))));
    }
    for field in Ids::<FieldId>::new(0..world.program.fields().len()) {
        let objects = solution.static_field(field).into_iter();
        tuples.static_points_to.extend(objects.map(|id| (field, object(id))));
    }
    for edge in solution.edges() {
        tuples.calls.push(call(world, &instances, edge));
    }
    let initialisers = solution.clinit_edges().iter();
    tuples.initialisers = initialisers.map(|e| (e.code, e.offset, Facts::code(e.callee))).collect();
    tuples.sorted()
}

type Instances = FastMap<InstanceId, (Ctx, CodeId)>;

fn call(
    world: &World<'_>,
    instances: &Instances,
    CallEdge { caller, site, callee }: CallEdge,
) -> (Ctx, SiteId, Ctx, CodeId) {
    let (ctx, code) = instances[&caller];
    let (callee_ctx, callee) = instances[&callee];
    if code != world.facts.sites()[site].code {
        world.problem(format!("{site} is called by {}, which it is not in", world.code_name(code)));
    }
    (ctx, site, callee_ctx, callee)
}

/// What stands for an object that the engine cannot tell.
fn nothing(world: &World<'_>) -> Obj {
    world.problem("the engine has an object of no allocation site".to_owned());
    world.object(AllocId::from_u32(0), Ctx::EMPTY)
}
