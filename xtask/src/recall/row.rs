//! What is known of one program in one setting.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) program: String,
    pub(super) setting: String,
    /// The commit of Heliostat.
    pub(super) commit: String,
    pub(super) app_to_app: Coverage,
    pub(super) app_to_library: Coverage,
    pub(super) library_to_app: Coverage,
    pub(super) library: Coverage,
    /// Edges that are not counted with these, by why.
    pub(super) filtered: BTreeMap<String, Coverage>,
    /// Methods of the program that ran.
    pub(super) app_methods: Coverage,
    /// By the name of the method of the library, such as `Method.invoke`.
    pub(super) reflection: BTreeMap<String, Coverage>,
    pub(super) static_edges: u64,
    pub(super) cpu_s: f64,
    pub(super) peak_bytes: u64,
    /// The first causes of edges missed from the program, most important first.
    pub(super) causes: Vec<Cause>,
}

/// How much ran, and how much of it the analysis does not have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Coverage {
    pub(super) recorded: u64,
    pub(super) missed: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Cause {
    /// Caller, offset, callee and kind.
    pub(super) call: String,
    pub(super) app_to_app: u64,
    pub(super) app_to_library: u64,
}

/// What is read of the JSON of `heliostat compare`.
#[derive(Deserialize)]
pub(super) struct Comparison {
    edges: Vec<Named>,
    filtered: Vec<Named>,
    /// Neither the analysis nor the trace was ended early, and both are of the same program.
    run_complete: bool,
    trace_complete: bool,
    other_classes: Vec<String>,
    pub(super) app_methods: Coverage,
    reflection: Vec<Named>,
    causes: Vec<RootCause>,
}

#[derive(Deserialize)]
struct Named {
    what: String,
    #[serde(flatten)]
    coverage: Coverage,
}

#[derive(Deserialize)]
struct RootCause {
    call: Call,
    app_to_app: u64,
    app_to_library: u64,
}

#[derive(Deserialize)]
struct Call {
    caller: Option<String>,
    offset: Option<u32>,
    callee: String,
    kind: String,
}

impl Coverage {
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(super) fn missed_percent(self) -> f64 {
        if self.recorded == 0 { 0.0 } else { 100.0 * self.missed as f64 / self.recorded as f64 }
    }

    pub(super) fn add(self, other: Self) -> Self {
        Self { recorded: self.recorded + other.recorded, missed: self.missed + other.missed }
    }
}

fn by_name(named: &[Named]) -> BTreeMap<String, Coverage> {
    named.iter().map(|named| (named.what.clone(), named.coverage)).collect()
}

impl Comparison {
    pub(super) fn parse(json: &str) -> Result<Self> {
        Ok(serde_json::from_str(json)?)
    }

    pub(super) fn edges(&self, part: &str) -> Coverage {
        self.edges
            .iter()
            .find(|named| named.what == part)
            .map_or_else(Coverage::default, |named| named.coverage)
    }

    pub(super) fn reflection(&self) -> BTreeMap<String, Coverage> {
        by_name(&self.reflection)
    }

    pub(super) fn filtered(&self) -> BTreeMap<String, Coverage> {
        by_name(&self.filtered)
    }

    /// Fails if there is nothing to be compared, or not all of it.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(self.run_complete, "the analysis was ended early");
        ensure!(self.trace_complete, "the trace was cut off");
        let others = self.other_classes.len();
        ensure!(others == 0, "{others} classes are others than those that ran");
        ensure!(self.edges("app_to_app").recorded > 0, "the trace has no calls within the application");
        Ok(())
    }

    /// Those that explain edges from the program.
    pub(super) fn causes(&self, most: usize) -> Vec<Cause> {
        let mut causes: Vec<Cause> = self.causes.iter().map(Cause::of).collect();
        causes.retain(|cause| cause.weight() > 0);
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.weight()));
        causes.truncate(most);
        causes
    }
}

impl Cause {
    fn of(cause: &RootCause) -> Self {
        let Call { caller, offset, callee, kind } = &cause.call;
        let caller = caller.as_deref().unwrap_or("the JVM");
        let offset = offset.map_or_else(String::new, |offset| format!(" @{offset}"));
        Self {
            call: format!("{caller}{offset} -> {callee} ({kind})"),
            app_to_app: cause.app_to_app,
            app_to_library: cause.app_to_library,
        }
    }

    fn weight(&self) -> u64 {
        self.app_to_app + self.app_to_library
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_is_read() {
        let json = r#"{"schema":1, "edges":[{"what":"app_to_app","recorded":200,"missed":3}], "filtered":[],
            "app_methods":{"recorded":9,"missed":1}, "methods":{"recorded":99,"missed":9},
            "reflection":[{"what":"Method.invoke","recorded":4,"missed":4}],
            "causes":[
              {"call":{"caller":null,"offset":null,"line":null,"callee":"B.n()V","kind":"call","count":1},
               "site_known":false,"edges":5,"app_to_app":0,"app_to_library":0},
              {"call":{"caller":"A.m()V","offset":4,"line":7,"callee":"B.n()V","kind":"call","count":1},
               "site_known":true,"edges":3,"app_to_app":2,"app_to_library":1}],
            "missed":[], "other_classes":[], "unknown_classes":0, "run_complete":true, "trace_complete":true}"#;
        let found = Comparison::parse(json).unwrap();
        found.check().unwrap();
        for (whole, part) in
            [("_complete\":true", "_complete\":false"), ("\"recorded\":200", "\"recorded\":0")]
        {
            assert!(Comparison::parse(&json.replacen(whole, part, 1)).unwrap().check().is_err(), "{part}");
        }
        assert_eq!(found.edges("app_to_app"), Coverage { recorded: 200, missed: 3 });
        assert_eq!(found.edges("library"), Coverage::default());
        let call = "A.m()V @4 -> B.n()V (call)".to_owned();
        assert_eq!(found.causes(5), [Cause { call, app_to_app: 2, app_to_library: 1 }]);
        assert_eq!(found.reflection()["Method.invoke"].missed, 4);
        assert!(Comparison::parse("{}").is_err());
    }
}
