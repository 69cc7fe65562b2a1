//! A run as plain tables: what the reached code says, the types that decide, and what follows.
//!
//! Whoever reads them (Soufflé, SQL, a cluster) can evaluate the same program. Each table is registered with its columns and its
//! meaning, from which the page that explains them and the declarations for Soufflé are written.

mod code;
mod derived;
mod names;
mod table;
mod types;

pub use code::TABLES as CODE;
pub use derived::TABLES as DERIVED;
pub use table::{Dump, RowSink, Table};
pub use types::TABLES as TYPES;

use std::collections::HashMap;

use super::Analysis;
use crate::Opened;
use names::Names;
use table::Code;

impl Analysis {
    /// What tables are made of, of the program that was analysed.
    pub fn dump<'a>(&'a self, opened: &'a Opened) -> Dump<'a> {
        let solution = &self.solution;
        let names = Names::new(&opened.program, solution);
        let contexts: HashMap<_, _> =
            solution.instances().map(|(instance, _, context)| (instance, context)).collect();
        let code = |(id, instances): (_, Vec<_>)| {
            let instances = instances.into_iter().filter_map(|i| Some((i, *contexts.get(&i)?))).collect();
            Some(Code { id, name: names.code(id), template: solution.facts.template(id)?, instances })
        };
        let mut codes: Vec<Code<'_>> = solution.instances_by_code().into_iter().filter_map(code).collect();
        codes.sort_by(|a, b| a.name.cmp(&b.name));
        let meetings = solution.meetings(&opened.program);
        Dump { opened, names, meetings, services: &self.services, codes }
    }
}
