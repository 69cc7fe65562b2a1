//! The rules.
//!
//! Each relation that the rules derive has a name of Doop's beside it. As there, a relation in the middle stands between two
//! that both grow, so that every rule joins at most two of those.
#![allow(clippy::pedantic, clippy::style, clippy::complexity, reason = "code that `ascent` writes")]

use ascent::ascent_run;
use heliostat_program::{ClassId, FieldId, TypeId};
use heliostat_pta::facts::{AllocId, Ask, CodeId, Derivation, FieldKey, GlobalId, SiteId};

use crate::compare::Tuples;
use crate::contexts::Ctx;
use crate::input::{CalleeNo, FilterNo, Input, Outcome, Variable};
use crate::world::{Obj, World};

/// Derives everything that follows from what the code says.
pub(crate) fn run(world: &World<'_>, input: &Input) -> Tuples {
    let derived = ascent_run! {
        // What code says; see `Input`.
        relation root(CodeId) = input.roots.iter().map(|&code| (code,)).collect();
        relation alloc(CodeId, Variable, AllocId) = input.allocs.clone();
        relation assign(Variable, Variable, FilterNo) = input.assigns.clone();
        relation load(Variable, FieldKey, Variable) = input.loads.clone();
        relation store(Variable, FieldKey, Variable) = input.stores.clone();
        relation static_load(CodeId, FieldId, Variable) = input.static_loads.clone();
        relation static_store(Variable, FieldId) = input.static_stores.clone();
        relation global_load(CodeId, GlobalId, Variable) = input.global_loads.clone();
        relation global_store(Variable, GlobalId) = input.global_stores.clone();
        relation any_load(Variable, Variable) = input.any_loads.clone();
        relation any_store(Variable, Variable) = input.any_stores.clone();
        relation derivation(Variable, Derivation, CodeId, u32, Variable) = input.derivations.clone();
        relation static_call(CodeId, SiteId, CodeId) = input.static_calls.clone();
        relation receiver_call(Variable, SiteId, CalleeNo) = input.receiver_calls.clone();
        relation asking_call(Variable, SiteId, Ask) = input.asking_calls.clone();
        relation actual(SiteId, u32, Variable) = input.actuals.clone();
        relation formal(CodeId, u32, Variable) = input.formals.clone();
        relation receiver(CodeId, Variable) = input.receivers.clone();
        relation outcome(CodeId, Outcome, Variable) = input.outcomes.clone();
        relation outcome_to(SiteId, Outcome, Variable) = input.outcomes_to.clone();
        relation shared(CodeId, Variable) = input.shared.clone();
        relation init(CodeId, ClassId, u32) = input.inits.clone();
        relation init_of(Variable, CodeId, u32) = input.inits_of.clone();

        // Doop's ReachableContext: code runs in a context.
        relation reachable(Ctx, CodeId);
        // Doop's VarPointsTo: in a context, a variable points to an object.
        relation var_points_to(Ctx, Variable, Obj);
        // Doop's InstanceFieldPointsTo and ArrayIndexPointsTo.
        relation field_points_to(Obj, FieldKey, Obj);
        // Doop's StaticFieldPointsTo.
        relation static_points_to(FieldId, Obj);
        // A variable of the whole program points to an object.
        relation global_points_to(GlobalId, Obj);
        // Doop's CallGraphEdge: in a context, a site calls code in a context.
        relation call(Ctx, SiteId, Ctx, CodeId);
        // Doop's InitializedClass.
        relation initialised(ClassId);
        // An instruction of reached code may run a class initialiser.
        relation runs_initialiser(CodeId, u32, CodeId);

        // A shared variable is the same in all contexts of its code.
        relation shared_points_to(Variable, Obj);
        shared_points_to(var, object) <-- var_points_to(_, var, object), shared(_, var);
        relation shared_in(Variable, Ctx);
        shared_in(var, ctx) <-- reachable(ctx, code), shared(code, var);
        var_points_to(ctx, var, object) <-- shared_points_to(var, object), shared_in(var, ctx);

        // What runs first has no context.
        reachable(Ctx::EMPTY, code) <-- root(code);

        // New: `to = new …`
        relation exists(Obj);
        var_points_to(ctx, to, object),
        exists(object) <--
            reachable(ctx, code),
            alloc(code, to, site),
            let object = world.allocated(*site, *ctx);

        // All class objects that exist are in the global variable of this name.
        global_points_to(classes, object) <--
            exists(object),
            if world.class_meant(*object).is_some(),
            if let Some(classes) = world.facts.global("classes");

        // Assign, cast and catch: `to = (filter) from`
        var_points_to(ctx, to, object) <--
            var_points_to(ctx, from, object),
            assign(from, to, filter),
            if world.passes(&input.filters.values()[*filter], *object);

        // Load: `to = base.field` reads a field of each object of `base`.
        relation reads_field(Obj, FieldKey, Ctx, Variable);
        reads_field(object, field, ctx, to) <-- var_points_to(ctx, base, object), load(base, field, to);
        var_points_to(ctx, to, object) <-- field_points_to(base, field, object), reads_field(base, field, ctx, to);

        // Load by native code: `to = any base`
        reads_field(object, field, ctx, to) <--
            var_points_to(ctx, base, object),
            any_load(base, to),
            for (field, _) in world.open_fields(*object);

        // Store: `base.field = from` writes a field of each object of `base`, with what an array's element type takes.
        relation writes_field(Ctx, Variable, Obj, FieldKey, TypeId);
        writes_field(ctx, from, object, field, ty) <--
            var_points_to(ctx, base, object),
            store(base, field, from),
            if let Some(ty) = world.storable(*object, *field);
        field_points_to(base, field, object) <--
            var_points_to(ctx, from, object),
            writes_field(ctx, from, base, field, ty),
            if world.may_be(*object, *ty);

        // Store by native code: `any base = from`
        writes_field(ctx, from, object, field, ty) <--
            var_points_to(ctx, base, object),
            any_store(base, from),
            for (field, ty) in world.open_fields(*object);

        // Load of a static field: `to = Class.field`
        relation reads_static(FieldId, Ctx, Variable);
        reads_static(field, ctx, to) <-- reachable(ctx, code), static_load(code, field, to);
        var_points_to(ctx, to, object) <-- static_points_to(field, object), reads_static(field, ctx, to);

        // Store to a static field: `Class.field = from`
        static_points_to(field, object) <-- var_points_to(_, from, object), static_store(from, field);

        // Load of a global variable: `to = global`
        relation reads_global(GlobalId, Ctx, Variable);
        reads_global(global, ctx, to) <-- reachable(ctx, code), global_load(code, global, to);
        var_points_to(ctx, to, object) <-- global_points_to(global, object), reads_global(global, ctx, to);

        // Store to a global variable: `global = from`
        global_points_to(global, object) <-- var_points_to(_, from, object), global_store(from, global);

        // Derivation: `to =` what is made of each object of `from`
        var_points_to(ctx, to, made),
        exists(made) <--
            var_points_to(ctx, from, object),
            derivation(from, how, code, offset, to),
            if let Some(made) = world.derived(*how, *code, *offset, *ctx, *object);

        // Call without a receiver, in the context that the site gives.
        call(ctx, site, world.call_context(*ctx, *site, *callee), callee) <--
            reachable(ctx, code),
            static_call(code, site, callee);

        // Call on each object of the receiver, of what the object's type selects.
        call(ctx, site, callee_ctx, code) <--
            var_points_to(ctx, var, object),
            receiver_call(var, site, callee),
            if let Some(code) = world.selected(input.callees[*callee], *object),
            let callee_ctx = world.receiver_context(*ctx, *site, *object, code);

        // The object is the receiver there; in another context, it need not be.
        var_points_to(callee_ctx, this, object) <--
            var_points_to(ctx, var, object),
            receiver_call(var, site, callee),
            if !world.is_inlined(*site),
            if let Some(code) = world.selected(input.callees[*callee], *object),
            let callee_ctx = world.receiver_context(*ctx, *site, *object, code),
            receiver(code, this);

        // What is called is reached.
        reachable(callee_ctx, callee) <-- call(_, _, callee_ctx, callee);

        // Doop's InterProcAssign: arguments go to parameters …
        relation passes(Ctx, Variable, Ctx, Variable);
        passes(ctx, from, callee_ctx, to) <--
            call(ctx, site, callee_ctx, callee),
            actual(site, number, from),
            formal(callee, number, to);
        // … and results and exceptions come back.
        passes(callee_ctx, from, ctx, to) <--
            call(ctx, site, callee_ctx, callee),
            outcome_to(site, which, to),
            outcome(callee, which, from);
        var_points_to(to_ctx, to, object) <--
            var_points_to(from_ctx, from, object),
            passes(from_ctx, from, to_ctx, to);

        // A class whose class object arrives does what it is asked for, without context.
        call(ctx, site, Ctx::EMPTY, code) <--
            var_points_to(ctx, class, object),
            asking_call(class, site, ask),
            if let Some(ty) = world.class_meant(*object),
            for code in world.asked(ty, *ask);

        // Reached code initialises classes, by name, by class object, and when it makes an object of a class object.
        relation reached(CodeId);
        relation initialises(CodeId, u32, ClassId);
        reached(code) <-- reachable(_, code);
        initialises(code, offset, class) <-- reached(code), init(code, class, offset);
        initialises(code, offset, class) <--
            var_points_to(_, var, object),
            init_of(var, code, offset),
            if let Some(class) = world.class_behind(*object);
        initialises(code, offset, class) <--
            var_points_to(_, from, object),
            derivation(from, how, code, offset, _),
            if *how == Derivation::Instance,
            if let Some(class) = world.instantiated(*object);
        initialised(class) <-- initialises(_, _, class);

        // Initialised classes have what is above them initialised, and their initialisers run without context.
        initialised(before) <-- initialised(class), for before in world.initialised_before(*class);
        reachable(Ctx::EMPTY, code) <-- initialised(class), if let Some(code) = world.initialiser(*class);

        // Which initialisers an instruction may run: that of its class, and those before.
        initialises(code, offset, before) <--
            initialises(code, offset, class),
            for before in world.initialised_before(*class);
        // Its own class and those above have begun to be initialised before.
        runs_initialiser(code, offset, initialiser) <--
            initialises(code, offset, class),
            if !world.is_above_code(*class, *code),
            if let Some(initialiser) = world.initialiser(*class);
    };
    Tuples {
        reachable: derived.reachable,
        var_points_to: derived.var_points_to,
        field_points_to: derived.field_points_to,
        static_points_to: derived.static_points_to,
        calls: derived.call,
        initialised: derived.initialised.into_iter().map(|(class,)| class).collect(),
        initialisers: derived.runs_initialiser,
    }
    .sorted()
}
