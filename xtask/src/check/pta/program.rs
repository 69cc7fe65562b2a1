//! One program: its runs, and what is checked of them.

use std::collections::BTreeSet;

use anyhow::Result;
use heliostat_core::open;

use super::hierarchy::World;
use super::row::{Row, Run, Sizes};
use super::runs::{Done, INSENS, Runner};
use super::within::{self, Checked};
use super::{bytes, subset};
use crate::bench::pta::applications::Application;
use crate::bench::pta::row::End;
use crate::bench::sample::Findings;

const GRAPH: &str = "callgraph.tsv";
const METHODS: &str = "methods.txt";

pub(super) struct Checker {
    pub(super) runner: Runner,
    pub(super) contexts: Vec<String>,
    /// The methods whose body is a model.
    pub(super) modelled: BTreeSet<String>,
    pub(super) commit: String,
}

impl Checker {
    /// Runs and checks a program. The files of its runs stay only if something fails.
    pub(super) fn check(&self, application: &Application) -> Result<Row> {
        self.runner.clean(application)?;
        let mut row = self.row(application);
        let insens = self.runner.run(application, INSENS, 1)?;
        row.runs.push(measured(INSENS, &insens)?);
        let again = self.runner.run(application, INSENS, 2)?;
        for end in [&insens.end, &again.end] {
            // What ended early is neither the same twice nor an upper bound.
            row.fail(INSENS, "run without an end", early_end(end));
        }
        if insens.has_files() && again.has_files() && row.failures.is_empty() {
            let differences = bytes::differences(insens.folder(), again.folder())?;
            row.fail(INSENS, "files that differ between --jobs 1 and --jobs 2", differences);
        }
        if insens.has_files() {
            self.check_hierarchy(application, &insens, &mut row)?;
        }
        if insens.end == End::Complete {
            for context in &self.contexts {
                self.check_context(application, context, &insens, &mut row)?;
            }
        }
        if row.failures.is_empty() {
            self.runner.clean(application)?;
        }
        Ok(row)
    }

    fn row(&self, application: &Application) -> Row {
        Row {
            program: application.subject.name.clone(),
            entry: if application.main.is_some() { "main" } else { "public" }.to_owned(),
            jdk: application.subject.jdk.clone(),
            commit: self.commit.clone(),
            runs: Vec::new(),
            hierarchy: None,
            failures: Vec::new(),
        }
    }

    /// A limit may end a run with contexts, but it leaves what it has found so far.
    fn check_context(
        &self,
        application: &Application,
        context: &str,
        insens: &Done,
        row: &mut Row,
    ) -> Result<()> {
        let done = self.runner.run(application, context, 1)?;
        row.runs.push(measured(context, &done)?);
        match &done.end {
            End::Incomplete(_) | End::Complete if done.has_files() => {
                check_subset(context, &done, insens, row)?;
            }
            end => row.fail(context, "run that failed", one(&format!("{end:?}"))),
        }
        Ok(())
    }

    fn check_hierarchy(&self, application: &Application, insens: &Done, row: &mut Row) -> Result<()> {
        let checked = self.hierarchy(application, insens)?;
        row.fail(INSENS, "edges outside of the class hierarchy", checked.outside.clone());
        row.hierarchy = Some(checked);
        Ok(())
    }

    /// Opens the program again, as the run did, and looks at the edges of the run.
    fn hierarchy(&self, application: &Application, insens: &Done) -> Result<Checked> {
        let mut opened = open(&application.settings(self.runner.root())?)?;
        let (methods, graph) = (insens.read(METHODS)?, insens.read(GRAPH)?);
        let world = if application.main.is_some() { World::Closed } else { World::Open };
        within::check(&mut opened.program, world, &methods, &graph, &self.modelled)
    }
}

/// What a run with contexts finds, the one without finds too.
fn check_subset(context: &str, done: &Done, insens: &Done, row: &mut Row) -> Result<()> {
    for (file, what) in
        [(GRAPH, "edges that insens does not have"), (METHODS, "methods that insens does not have")]
    {
        row.fail(context, what, subset::outside(&done.read(file)?, &insens.read(file)?));
    }
    if let (Some(found), Some(most)) = (&done.found, &insens.found) {
        let counts = [
            ("poly calls", found.poly_calls, most.poly_calls),
            ("may-fail casts", found.may_fail_casts, most.may_fail_casts),
        ];
        row.fail(context, "counts above those of insens", subset::above(&counts));
    }
    Ok(())
}

fn measured(context: &str, done: &Done) -> Result<Run> {
    let sizes = match &done.found {
        Some(found) => Some(Sizes {
            methods: done.read(METHODS)?.lines().count() as u64,
            // The first line holds the names of the columns.
            edges: done.read(GRAPH)?.lines().skip(1).count() as u64,
            poly_calls: found.poly_calls,
            may_fail_casts: found.may_fail_casts,
        }),
        None => None,
    };
    Ok(Run { context: context.to_owned(), end: done.end.clone(), sizes })
}

fn early_end(end: &End) -> Findings {
    match end {
        End::Complete => Findings::default(),
        End::Incomplete(why) | End::Failed(why) => one(why),
    }
}

fn one(text: &str) -> Findings {
    Findings { count: 1, first: vec![text.to_owned()] }
}
