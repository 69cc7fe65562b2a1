//! From an analysis to the numbers of its summary.

use heliostat_index::FastMap;
use heliostat_input::Origin;
use heliostat_program::MethodId;
use heliostat_pta::facts::EdgeKind;
use heliostat_pta::{Call, Solution};

use super::context::context_name;
use super::reflection::ReflectiveCall;
use super::summary::{SummaryInput, SummaryReflection, SummaryResult, SummarySettings};
use super::{AnalysisSettings, EntryChoice, Gaps, ReflectionMode};
use crate::Opened;

/// The word for what is told apart, or not.
fn word(distinct: bool) -> &'static str {
    if distinct { "distinct" } else { "merged" }
}

pub(super) fn settings(settings: &AnalysisSettings) -> SummarySettings {
    SummarySettings {
        main: settings.mains.clone(),
        entry: settings.choices().iter().map(EntryChoice::text).map(str::to_owned).collect(),
        context: context_name(settings.context),
        most_contexts: settings.most_contexts,
        select: "none",
        reflection: settings.reflection.mode.name(),
        string_colouring: "off",
        complement: "off",
        heap_strings: word(settings.heap.distinct_strings),
        heap_builders: word(settings.heap.distinct_builders),
        heap_exceptions: word(settings.heap.distinct_exceptions),
        time_limit_s: settings.budget.time.map(|time| time.as_secs_f64()),
        memory_limit_bytes: settings.budget.memory,
    }
}

pub(super) fn input(opened: &Opened, gaps: &Gaps) -> SummaryInput {
    let named = opened.archives().filter(|a| a.origin == Origin::Input && a.parent.is_none());
    let program = &opened.program;
    let own = program.classes().iter().filter(|&(class, _)| opened.is_input(class));
    let (app_classes, app_methods) = own.fold((0, 0), |(classes, methods), (_, class)| {
        (classes + 1, methods + program.methods().slice(class.methods.clone()).len() as u64)
    });
    SummaryInput {
        inputs: named.map(|archive| archive.name.clone()).collect(),
        classes: program.classes().len() as u64,
        app_classes,
        methods: program.methods().len() as u64,
        app_methods,
        complete: opened.ended.is_none(),
        jdk: opened.jdk().and_then(|jdk| jdk.version.clone()),
        phantom_classes: 0,
        missing_classes: gaps.missing_classes.len() as u64,
    }
}

/// A count of something: all of it, and what is in the inputs.
type Twin = (u64, u64);

/// Counts things by the methods they are in.
fn twin(opened: &Opened, methods: impl Iterator<Item = MethodId>) -> Twin {
    methods.fold((0, 0), |(all, app), method| {
        let own = opened.is_input(opened.program.methods()[method].class);
        (all + 1, app + u64::from(own))
    })
}

pub(super) fn result(opened: &Opened, solution: &Solution, calls: &[Call], gaps: &Gaps) -> SummaryResult {
    let reachable = twin(opened, solution.methods());
    let edges = twin(opened, calls.iter().map(|call| call.caller));
    let sites = solution.virtual_sites(calls);
    let virtual_sites = twin(opened, sites.iter().map(|site| site.method));
    let poly = twin(opened, sites.iter().filter(|site| site.targets > 1).map(|site| site.method));
    let casts = solution.casts(&opened.program);
    let may_fail = twin(opened, casts.iter().filter(|cast| cast.may_fail).map(|cast| cast.method));
    let casts = twin(opened, casts.iter().map(|cast| cast.method));
    SummaryResult {
        complete: solution.complete && opened.ended.is_none(),
        reachable_methods: reachable.0,
        app_reachable_methods: reachable.1,
        call_edges: edges.0,
        app_call_edges: edges.1,
        call_edges_by_kind: by_kind(calls),
        virtual_call_sites: virtual_sites.0,
        app_virtual_call_sites: virtual_sites.1,
        poly_calls: poly.0,
        app_poly_calls: poly.1,
        reachable_casts: casts.0,
        app_reachable_casts: casts.1,
        may_fail_casts: may_fail.0,
        app_may_fail_casts: may_fail.1,
        counts: solution.counts(),
        natives_without_model: gaps.natives.len() as u64,
        missing_classes: gaps.used_missing_classes().count() as u64,
        unresolved_calls: gaps.unresolved.len() as u64,
        lost_allocations: gaps.allocations.len() as u64,
        lost_fields: gaps.fields.len() as u64,
        other_bootstraps: gaps.bootstraps.len() as u64,
        unreadable_methods: gaps.unreadable.len() as u64,
        bounded_types: gaps.bounded.len() as u64,
        ..SummaryResult::default()
    }
}

pub(super) fn reflection(
    opened: &Opened,
    mode: ReflectionMode,
    calls: &[ReflectiveCall],
) -> SummaryReflection {
    let count = |is_meant: fn(&&ReflectiveCall) -> bool| {
        twin(opened, calls.iter().filter(is_meant).map(|call| call.caller))
    };
    let (sites, app_sites) = count(|_| true);
    let (resolved, app_resolved) = count(|call| call.resolved);
    let (unsound, app_unsound) = (sites - resolved, app_sites - app_resolved);
    SummaryReflection {
        mode: mode.name(),
        sites,
        app_sites,
        resolved,
        app_resolved,
        unsound,
        app_unsound,
        imprecise: 0,
        log: None,
        annotations: None,
    }
}

fn by_kind(calls: &[Call]) -> std::collections::BTreeMap<&'static str, u64> {
    let mut counts: FastMap<EdgeKind, u64> = FastMap::default();
    for call in calls {
        *counts.entry(call.kind).or_default() += 1;
    }
    EdgeKind::ALL.iter().map(|kind| (kind.name(), counts.get(kind).copied().unwrap_or_default())).collect()
}
