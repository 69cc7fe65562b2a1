//! The summary of an analysis, as plain data; its JSON form is the public `summary.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use heliostat_pta::Counts;
use serde::Serialize;

use super::{Ended, LogUse};

/// The summary of an analysis.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// The version of this structure.
    pub schema: u32,
    /// The version of Heliostat.
    pub version: &'static str,
    /// What was asked.
    pub settings: SummarySettings,
    /// What was read.
    pub input: SummaryInput,
    /// What was found.
    pub result: SummaryResult,
    /// What reflection was found.
    pub reflection: SummaryReflection,
    /// How long it took.
    pub time: SummaryTime,
    /// The most memory that the process has taken, where the system tells.
    pub peak_rss_bytes: Option<u64>,
    /// How many problems the input has.
    pub problems: u64,
}

impl Summary {
    /// The version of the structure that this code writes.
    pub const SCHEMA: u32 = 1;
}

/// What was asked, in the words of the command line.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the names of the options")]
pub struct SummarySettings {
    pub main: Vec<String>,
    pub entry: Vec<String>,
    pub context: String,
    pub most_contexts: Option<u32>,
    pub select: &'static str,
    pub reflection: &'static str,
    pub string_colouring: &'static str,
    pub complement: &'static str,
    pub heap_strings: &'static str,
    pub heap_builders: &'static str,
    pub heap_exceptions: &'static str,
    pub time_limit_s: Option<f64>,
    pub memory_limit_bytes: Option<u64>,
}

/// What was read: in all, and of that in the inputs (`app_`).
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "what the names say")]
pub struct SummaryInput {
    /// The inputs as they were named.
    pub inputs: Vec<String>,
    pub classes: u64,
    pub app_classes: u64,
    pub methods: u64,
    pub app_methods: u64,
    /// Whether all classes were read. The others are not counted as missing.
    pub complete: bool,
    /// The version of the JDK, if there is one and it tells.
    pub jdk: Option<String>,
    /// Classes that were made up for missing ones.
    pub phantom_classes: u64,
    /// Classes that the inputs refer to or reached code uses, and that are not there.
    pub missing_classes: u64,
}

/// What was found: in all, and of that in the inputs (`app_`). Call edges, calls and casts are counted without contexts.
#[derive(Debug, Clone, Default, Serialize)]
#[expect(missing_docs, reason = "what the names say")]
pub struct SummaryResult {
    /// Whether the analysis came to its end; otherwise what is here is true, but not all.
    pub complete: bool,
    /// What ended it before.
    pub ended_by: Option<Ended>,
    pub entry_points: u64,
    pub reachable_methods: u64,
    pub app_reachable_methods: u64,
    pub call_edges: u64,
    pub app_call_edges: u64,
    pub call_edges_by_kind: BTreeMap<&'static str, u64>,
    pub virtual_call_sites: u64,
    pub app_virtual_call_sites: u64,
    /// Virtual call sites with more than one callee.
    pub poly_calls: u64,
    pub app_poly_calls: u64,
    pub reachable_casts: u64,
    pub app_reachable_casts: u64,
    pub may_fail_casts: u64,
    pub app_may_fail_casts: u64,
    /// Objects, variables, contexts and tuples.
    #[serde(flatten)]
    pub counts: Counts,
    pub natives_without_model: u64,
    /// Classes that reached code uses, and that are not there.
    pub missing_classes: u64,
    pub unresolved_calls: u64,
    /// Objects of missing classes that would be made.
    pub lost_allocations: u64,
    /// Reads and writes of fields of missing classes.
    pub lost_fields: u64,
    /// Call sites and constants of which it is not known, or not wholly, what their bootstrap methods make.
    pub other_bootstraps: u64,
    pub unreadable_methods: u64,
    /// Types of what users of a library may fill that more types fit than were tried.
    pub bounded_types: u64,
}

/// Calls of the reflection API in reached code: in all, and of that in the inputs (`app_`).
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "what the names say")]
pub struct SummaryReflection {
    pub mode: &'static str,
    pub sites: u64,
    pub app_sites: u64,
    /// Those of which something is known.
    pub resolved: u64,
    pub app_resolved: u64,
    /// Those of which nothing is known: what they call or make is not part of the result.
    pub unsound: u64,
    pub app_unsound: u64,
    /// Those that ask for all members of so many classes that nothing was done about them.
    pub imprecise: u64,
    /// What came of the log of real runs, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<LogUse>,
    /// What came of the user's annotations, if some were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<LogUse>,
}

/// How long it took, in seconds.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SummaryTime {
    /// To read the inputs.
    pub load_s: f64,
    /// To find entry points and services.
    pub pre_s: f64,
    /// To solve.
    pub solve_s: f64,
    /// From the opening of the inputs to this summary.
    pub total_s: f64,
}

impl SummaryTime {
    pub(super) fn new([load, pre, solve, total]: [Duration; 4]) -> Self {
        let [load_s, pre_s, solve_s, total_s] = [load, pre, solve, total].map(seconds);
        Self { load_s, pre_s, solve_s, total_s }
    }
}

/// To the millisecond, which is more than can be measured twice.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}
