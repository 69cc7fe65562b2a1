//! A table: what it is called, what it means, and how its rows come about.

use std::io;

use heliostat_pta::facts::{CallSite, CodeId, Stmt, Template, Var};
use heliostat_pta::{ContextId, InstanceId, Meetings, Service};

use super::names::Names;
use crate::Opened;

/// A relation.
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The columns, as Soufflé declares them.
    pub columns: &'static str,
    /// What a row says.
    pub meaning: &'static str,
    pub(super) rows: Rows,
}

/// Where the rows of a table come from.
pub(super) enum Rows {
    /// From each piece of code; they begin with its name.
    OfCode(fn(&Dump<'_>, &Code<'_>, &mut Sink<'_>)),
    /// From each statement of code; they begin with its name.
    OfStatements(fn(&Dump<'_>, &Code<'_>, &Stmt, &mut Sink<'_>)),
    /// From each call of code, given with the name of its site; they begin with the name of the code.
    OfCalls(fn(&Dump<'_>, &Code<'_>, &str, &CallSite, &mut Sink<'_>)),
    /// From the whole of it.
    OfAll(fn(&Dump<'_>, &mut Sink<'_>)),
    /// From the whole of it, in batches.
    InOrder(fn(&Dump<'_>, &mut Sink<'_>) -> io::Result<()>),
}

/// All that tables are made of.
pub struct Dump<'a> {
    pub(super) opened: &'a Opened,
    pub(super) names: Names<'a>,
    pub(super) meetings: Meetings,
    pub(super) services: &'a [Service],
    /// All reached code, in the order of their names.
    pub(super) codes: Vec<Code<'a>>,
}

/// A piece of reached code.
pub(super) struct Code<'a> {
    pub(super) id: CodeId,
    pub(super) name: String,
    pub(super) template: &'a Template,
    pub(super) instances: Vec<(InstanceId, ContextId)>,
}

impl Code<'_> {
    /// The name of one of its variables.
    pub(super) fn var(&self, var: Var) -> String {
        Names::var(&self.name, self.template, var)
    }
}

/// Takes the rows of a table. There may be more of them than fit into memory, so they come in batches.
pub trait RowSink {
    /// A row of the batch. Rows of a batch come in any order, and more than once.
    fn row(&mut self, cells: &[&str]);

    /// Ends a batch: what comes later is not before it, in the order of rows.
    fn end(&mut self) -> io::Result<()>;
}

/// Takes rows of as many cells as a table has columns.
pub(super) struct Sink<'a>(&'a mut dyn RowSink);

impl Sink<'_> {
    pub(super) fn row<const N: usize>(&mut self, cells: [&str; N]) {
        self.0.row(&cells);
    }

    pub(super) fn end(&mut self) -> io::Result<()> {
        self.0.end()
    }
}

impl Table {
    /// Gives all rows. Fails only if the sink does.
    pub fn rows(&self, dump: &Dump<'_>, sink: &mut dyn RowSink) -> io::Result<()> {
        let mut sink = Sink(sink);
        match self.rows {
            Rows::OfAll(rows) => rows(dump, &mut sink),
            Rows::InOrder(rows) => rows(dump, &mut sink)?,
            Rows::OfCode(_) | Rows::OfStatements(_) | Rows::OfCalls(_) => {
                for code in &dump.codes {
                    self.add_code(dump, code, &mut sink);
                    sink.end()?;
                }
            }
        }
        sink.end()
    }

    fn add_code(&self, dump: &Dump<'_>, code: &Code<'_>, sink: &mut Sink<'_>) {
        match self.rows {
            Rows::OfCode(rows) => rows(dump, code, sink),
            Rows::OfStatements(rows) => {
                code.template.stmts.iter().for_each(|stmt| rows(dump, code, stmt, sink));
            }
            Rows::OfCalls(rows) => {
                for stmt in &code.template.stmts {
                    let Stmt::Call(site) = *stmt else { continue };
                    let call = &dump.names.solution.facts.sites()[site];
                    rows(dump, code, &dump.names.site(site), call, sink);
                }
            }
            Rows::OfAll(_) | Rows::InOrder(_) => {}
        }
    }
}
