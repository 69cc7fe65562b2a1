//! Points-to analysis and call graph of what was opened: settings in, findings out.

mod annotations;
mod areas;
mod budget;
mod context;
mod entries;
mod gaps;
mod graph;
mod log;
mod measure;
mod memory;
mod missing;
mod no_entry;
mod place;
mod public;
mod reflection;
mod roots;
mod services;
mod settings;
mod sites;
mod sites_log;
mod summary;
pub mod tables;
mod targets;
mod why;

pub use budget::{Budget, Ended};
pub use context::{context_name, parse_context};
pub use entries::{Entries, EntryGroup, EntryReason, entry_method};
pub use gaps::{Bounded, Gaps, Native, OtherBootstrap, Unresolved};
pub use graph::{CallGraph, Edge, Node};
pub use heliostat_pta::{Entry, Flavour, HeapOptions, OTHER_TYPES, OWN_TYPES};
pub use log::{LogUse, Unused, UnusedEntry};
// For the tests of this workspace: no part of what this library promises.
#[doc(hidden)]
pub use log::ResolvedLog;
pub use missing::{Lost, MissingClass};
pub use no_entry::NoEntry;
pub use place::Place;
pub use reflection::ReflectiveCall;
pub use roots::{Root, RootReason};
pub use services::MissingProvider;
pub use settings::{AnalysisSettings, EntryChoice, LogEntry, ReflectionMode, ReflectionSettings};
pub use sites::{Known, ReflectiveSite, SiteTarget};
pub use summary::{Summary, SummaryInput, SummaryReflection, SummaryResult, SummarySettings, SummaryTime};
pub use targets::{How, ReflectiveTarget, Target};
pub use why::{Answered, Explained, Explanation, Explanations, Pattern, Query, Unanswered};

use std::time::Instant;

use heliostat_program::{MethodId, TypeId};
use heliostat_pta::facts::Gap;
use heliostat_pta::{Call, Options, ReflectionLog, Service, Solution, Status};
use heliostat_reflect::{Areas, Reflect};

use crate::info::missing::tell_damage;
use crate::{Opened, Progress, Step};
pub(crate) use budget::Watch;

/// What an analysis found.
pub struct Analysis {
    /// Points-to sets and call edges, by ids.
    pub solution: Solution,
    /// Where the program was entered.
    pub entries: Entries,
    /// The providers of services that were found.
    pub services: Vec<Service>,
    /// What reflective calls do, as far as that is known.
    pub reflective: Vec<ReflectiveTarget>,
    /// The entries of the reflection log of which nothing came, in their order.
    pub unused_log: Vec<UnusedEntry>,
    /// The annotations of which nothing came, in their order.
    pub unused_annotations: Vec<UnusedEntry>,
    /// What the result does not cover.
    pub gaps: Gaps,
    /// What the user should know before believing the rest.
    pub warnings: Vec<String>,
    /// The numbers.
    pub summary: Summary,
    calls: Vec<Call>,
}

impl Analysis {
    /// The call graph by names, of the program that was analysed.
    pub fn call_graph<'a>(&'a self, opened: &'a Opened) -> CallGraph<'a> {
        let solution = &self.solution;
        CallGraph::new(&opened.program, &solution.facts, solution.methods(), self.calls.clone())
    }

    /// What the inputs do in it: their reached methods, and the edges from these to wherever they lead.
    pub fn app_call_graph<'a>(&'a self, opened: &'a Opened) -> CallGraph<'a> {
        let is_own = |method: MethodId| opened.is_input(opened.program.methods()[method].class);
        let methods = self.solution.methods().filter(|&method| is_own(method));
        let calls = self.calls.iter().copied().filter(|call| is_own(call.caller)).collect();
        CallGraph::new(&opened.program, &self.solution.facts, methods, calls)
    }

    /// The reflective calls of reached code, in the order of places, each with what is known of it.
    pub fn reflective_sites(&self, opened: &Opened) -> Vec<ReflectiveSite> {
        let calls = reflection::find(&opened.program, &self.solution);
        sites::join(opened, calls, &self.reflective)
    }

    /// All call edges, by ids.
    pub(crate) fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// What is called from outside the program besides the entry points, in the order of names.
    pub fn roots(&self, opened: &Opened) -> Vec<Root> {
        roots::find(opened, &self.entries, &self.solution)
    }
}

/// Analyses what was opened. Methods that cannot be lowered, and damage of constant pools, are among the problems afterwards.
pub fn analyse(
    opened: &mut Opened,
    settings: &AnalysisSettings,
    progress: &mut Progress<'_>,
) -> Result<Analysis, NoEntry> {
    let started = Instant::now();
    let entries = entries::find(opened, settings)?;
    let services = services::find(opened);
    let pre = started.elapsed();
    let log = ResolvedLog::new(&mut opened.program, &settings.reflection_log);
    let annotations = ResolvedLog::of_annotations(&mut opened.program, &settings.annotations);
    let mut told = log.log();
    annotations.add_to(&mut told);
    let is_asked = settings.reflection.mode != ReflectionMode::None;
    let areas = if is_asked { areas::find(opened) } else { Areas::new() };
    let mut reflect = Reflect::new(settings.reflection, areas);
    let found = services.found.clone();
    let (solution, ended) = solve(opened, settings, &entries, found, told, &mut reflect, progress);
    let solve = started.elapsed().saturating_sub(pre);
    tell_problems(opened, &solution);
    let calls = solution.calls();
    let mut reflective = reflection::find(&opened.program, &solution);
    let mut reflection = measure::reflection(opened, settings.reflection.mode, &reflective);
    reflection.imprecise = reflect.imprecise() as u64;
    let unused_log = log.unused(&solution.facts);
    reflection.log = (!settings.reflection_log.is_empty()).then(|| log.count(&unused_log));
    let unused_annotations = annotations.unused(&solution.facts);
    reflection.annotations =
        (!settings.annotations.is_empty()).then(|| annotations.count(&unused_annotations));
    reflective.retain(|call| !call.resolved);
    let gaps = Gaps {
        missing_providers: services.missing,
        reflection: reflective,
        ..gaps::find(opened, &solution, &calls)
    };
    let mut result = measure::result(opened, &solution, &calls, &gaps);
    result.ended_by = ended;
    result.entry_points = entries.len() as u64;
    let load = opened.load_time;
    let summary = Summary {
        schema: Summary::SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        settings: measure::settings(settings),
        input: measure::input(opened, &gaps),
        result,
        reflection,
        time: SummaryTime::new([load, pre, solve, load + started.elapsed()]),
        peak_rss_bytes: memory::peak(),
        problems: opened.problems.total(),
    };
    let (services, warnings) = (services.found, warnings(opened));
    let reflective = targets::find(&opened.program, &solution, &reflect);
    Ok(Analysis {
        solution,
        entries,
        services,
        reflective,
        unused_log,
        unused_annotations,
        gaps,
        warnings,
        summary,
        calls,
    })
}

fn solve(
    opened: &mut Opened,
    settings: &AnalysisSettings,
    entries: &Entries,
    services: Vec<Service>,
    log: ReflectionLog,
    reflect: &mut Reflect,
    progress: &mut Progress<'_>,
) -> (Solution, Option<Ended>) {
    let options = Options {
        flavour: settings.context,
        heap: settings.heap,
        entries: entries.all(),
        open_classes: entries.open_classes.clone(),
        inputs: opened.input_classes(),
        services,
        log,
        most_contexts: settings.most_contexts,
        selector: None,
        startup: true,
    };
    let mut watch = Watch::new(&settings.budget);
    // What ended the reading of the inputs ends this, too.
    watch.ended = opened.ended;
    let mut watcher = |status: Status| {
        progress(Step::Reached { methods: status.methods, edges: status.edges });
        watch.keep_going()
    };
    let solution = heliostat_pta::analyse(&mut opened.program, &options, reflect, &mut watcher);
    (solution, watch.ended)
}

/// Adds to the problems what only a look into classes and bodies shows.
fn tell_problems(opened: &mut Opened, solution: &Solution) {
    for gap in solution.gaps() {
        if let Gap::Unreadable(method) = *gap {
            opened.lower(method);
        }
    }
    for class in opened.program.classes().ids() {
        tell_damage(opened, class);
    }
}

fn warnings(opened: &Opened) -> Vec<String> {
    let mut warnings = opened.warnings();
    let is_missing = opened.program.class_of(TypeId::OBJECT).is_none();
    if is_missing && !opened.is_unread("java/lang/Object") {
        let lack = "java/lang/Object is missing, so most calls lead nowhere; choose a JDK with --jdk";
        warnings.push(lack.to_owned());
    }
    warnings
}
