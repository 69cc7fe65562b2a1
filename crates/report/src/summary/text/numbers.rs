//! What was found, in numbers.

use std::cmp::Reverse;
use std::io::{self, Write};

use heliostat_core::analysis::SummaryResult;

use super::number;
use crate::text::{Align, Row, Style, counted, write_rows};

pub(super) fn write(result: &SummaryResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    writeln!(out)?;
    graph(result, style, out)?;
    kinds(result, style, out)?;
    let counts = &result.counts;
    let objects = counted(counts.objects as usize, "object");
    let vars = counted(counts.vars as usize, "variable");
    let contexts = counted(counts.contexts as usize, "context");
    writeln!(out, "\n  {objects}, {vars}, {contexts}")?;
    if counts.merged_methods > 0 {
        let methods = counted(counts.merged_methods as usize, "method");
        writeln!(out, "  {methods} would have more contexts than --most-contexts lets them have")?;
    }
    let [vars, strings, fields] =
        [counts.var_points_to, counts.string_var_points_to, counts.heap_points_to].map(number);
    writeln!(out, "  points-to: {vars} of variables (of these {strings} to strings), {fields} of fields")
}

/// The call graph and what hangs on it.
fn graph(result: &SummaryResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    let rows = [
        ("methods reached", result.app_reachable_methods, result.reachable_methods),
        ("call edges", result.app_call_edges, result.call_edges),
        ("virtual call sites", result.app_virtual_call_sites, result.virtual_call_sites),
        ("  with several callees", result.app_poly_calls, result.poly_calls),
        ("casts", result.app_reachable_casts, result.reachable_casts),
        ("  that may fail", result.app_may_fail_casts, result.may_fail_casts),
    ];
    let row = |cells: [String; 3]| Row { cells: cells.to_vec(), note: String::new() };
    let head = row(["", "in the inputs", "in all"].map(str::to_owned));
    let rows = rows.map(|(what, app, all)| row([what.to_owned(), number(app), number(all)]));
    let rows: Vec<Row> = std::iter::once(head).chain(rows).collect();
    write_rows(&[Align::Left, Align::Right, Align::Right], &rows, style, out)
}

/// The kinds of call edges, the most frequent first, on as many lines as they take.
fn kinds(result: &SummaryResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    let mut kinds: Vec<_> = result.call_edges_by_kind.iter().filter(|&(_, &count)| count > 0).collect();
    kinds.sort_by_key(|&(_, &count)| Reverse(count));
    let mut line = String::new();
    for (i, &(kind, &count)) in kinds.iter().enumerate() {
        let end = if i + 1 < kinds.len() { "," } else { "" };
        let word = format!(" {} {kind}{end}", number(count));
        if i == 0 {
            "\n  edges:".clone_into(&mut line);
        } else if line.trim_start_matches('\n').len() + word.len() > style.width {
            writeln!(out, "{line}")?;
            "        ".clone_into(&mut line);
        }
        line += &word;
    }
    if line.is_empty() { Ok(()) } else { writeln!(out, "{line}") }
}
