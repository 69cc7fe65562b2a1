//! A run as plain tables: what the reached code says, the types that decide, and what follows.
//!
//! Whoever reads them (Soufflé, SQL, a cluster) can evaluate the same program. Each table is registered with its columns and its
//! meaning, from which `README.md` and the declarations of `insensitive.dl` are written.

mod code;
mod derived;
mod names;
mod table;
mod text;
mod types;

use std::io;

use heliostat_core::{Analysis, Opened};

use crate::Files;
use names::Names;
use table::{Code, Dump, Table};

/// Writes `facts/` (tables, `README.md`, `insensitive.dl`) and `derived/`.
pub fn write(opened: &Opened, analysis: &Analysis, files: &mut Files) -> io::Result<()> {
    let dump = dump(opened, analysis);
    for table in given() {
        files.write(&format!("facts/{}.facts", table.name), |out| table.write(&dump, out))?;
    }
    files.write("facts/README.md", |out| text::readme(analysis, out))?;
    files.write("facts/insensitive.dl", text::rules)?;
    for table in derived::TABLES {
        files.write(&format!("derived/{}.csv", table.name), |out| table.write(&dump, out))?;
    }
    Ok(())
}

/// The tables that are not derived.
fn given() -> impl Iterator<Item = &'static Table> {
    code::TABLES.iter().chain(types::TABLES)
}

fn dump<'a>(opened: &'a Opened, analysis: &'a Analysis) -> Dump<'a> {
    let solution = &analysis.solution;
    let names = Names::new(&opened.program, solution);
    let contexts: std::collections::HashMap<_, _> =
        solution.instances().map(|(instance, _, context)| (instance, context)).collect();
    let code = |(id, instances): (_, Vec<_>)| {
        let instances = instances.into_iter().filter_map(|i| Some((i, *contexts.get(&i)?))).collect();
        Some(Code { id, name: names.code(id), template: solution.facts.template(id)?, instances })
    };
    let mut codes: Vec<Code<'_>> = solution.instances_by_code().into_iter().filter_map(code).collect();
    codes.sort_by(|a, b| a.name.cmp(&b.name));
    let meetings = solution.meetings(&opened.program);
    Dump { opened, names, meetings, services: &analysis.services, codes }
}
