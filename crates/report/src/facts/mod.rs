//! A run as plain tables, in files: those of `heliostat_core::analysis::tables`, the page that explains them, and the rules.

mod sink;
mod text;

use std::io;

use heliostat_core::analysis::tables::{CODE, DERIVED, Dump, TYPES, Table};
use heliostat_core::{Analysis, Opened};

use crate::Files;
use sink::Sorted;

/// Writes `facts/` (tables, `README.md`, `insensitive.dl`) and `derived/`.
pub fn write(opened: &Opened, analysis: &Analysis, files: &mut Files) -> io::Result<()> {
    let dump = analysis.dump(opened);
    for table in given() {
        write_table(table, &given_name(table), &dump, files)?;
    }
    files.write(README, |out| text::readme(analysis, out))?;
    files.write(RULES, text::rules)?;
    for table in DERIVED {
        write_table(table, &derived_name(table), &dump, files)?;
    }
    Ok(())
}

const README: &str = "facts/README.md";
const RULES: &str = "facts/insensitive.dl";

/// The names of all files that [`write`] writes.
pub fn names() -> impl Iterator<Item = String> {
    given().map(given_name).chain([README, RULES].map(str::to_owned)).chain(DERIVED.iter().map(derived_name))
}

/// The tables that are not derived.
fn given() -> impl Iterator<Item = &'static Table> {
    CODE.iter().chain(TYPES)
}

fn given_name(table: &Table) -> String {
    format!("facts/{}.facts", table.name)
}

fn derived_name(table: &Table) -> String {
    format!("derived/{}.csv", table.name)
}

fn write_table(table: &Table, name: &str, dump: &Dump<'_>, files: &mut Files) -> io::Result<()> {
    files.write(name, |out| table.rows(dump, &mut Sorted::new(out)))
}
