//! What real runs did that the analysis does not have.

pub mod json;
pub mod text;

use crate::text::counted;

/// What is compared, for whoever reads of it.
#[derive(Debug, Clone, Default)]
pub struct Sides {
    /// The directory of the analysis.
    pub run: String,
    /// Whether the analysis had a log of reflection; none if it does not say.
    pub reflection_log: Option<bool>,
    /// The traces.
    pub traces: Vec<TraceSide>,
}

/// One of the traces.
#[derive(Debug, Clone, Default)]
pub struct TraceSide {
    /// Its directory.
    pub directory: String,
    /// Whether a method of the inputs ran.
    pub is_of_the_inputs: bool,
    /// How many classes its `generated.jar` has that the analysis did not have.
    pub made_and_not_analysed: usize,
    /// Whether its `reflection.log` says something.
    pub has_reflection_log: bool,
}

impl Sides {
    /// The directories of traces in which no method of the inputs ran.
    fn foreign(&self) -> Vec<&str> {
        let foreign = self.traces.iter().filter(|trace| !trace.is_of_the_inputs);
        foreign.map(|trace| trace.directory.as_str()).collect()
    }

    /// What could be given to the analysis, so that it misses less.
    fn advice(&self) -> Vec<String> {
        let own = self.traces.iter().filter(|trace| trace.is_of_the_inputs);
        own.flat_map(|trace| [trace.on_classes(), self.on_reflection(trace)]).flatten().collect()
    }

    fn on_reflection(&self, trace: &TraceSide) -> Option<String> {
        let is_missing = self.reflection_log == Some(false) && trace.has_reflection_log;
        let option = format!("`--reflection-log {}`", trace.file("reflection.log"));
        is_missing.then(|| format!("{option} tells the analysis what reflection did"))
    }
}

impl TraceSide {
    fn on_classes(&self) -> Option<String> {
        let number = self.made_and_not_analysed;
        let (classes, them) = (counted(number, "class"), if number == 1 { "it" } else { "them" });
        let option = format!("`--cp {}`", self.file("generated.jar"));
        let made = format!("the run made {classes} that the analysis did not have");
        (number > 0).then(|| format!("{made}: {option} gives {them} to it"))
    }

    fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.directory.trim_end_matches('/'))
    }
}
