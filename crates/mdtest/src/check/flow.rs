//! Expectations about control flow.

use heliostat_core::ir::{Block, Inst, Op, PostDominators};
use heliostat_core::program::Program;

use super::{Checked, ir, only};
use crate::scene::{Lowered, Scene};

/// A branch of the line tests for this type, and leads to these lines.
pub(super) fn guard(scene: &Scene, line: u32, ty: &str, expected: [u32; 2]) -> Checked {
    let mut found = Vec::new();
    for lowered in &scene.methods {
        for block in lowered.body.block_ids() {
            let on_line = lowered.body.terminator(block).and_then(|inst| lowered.line(inst)) == Some(line);
            if let Some(guard) = lowered.body.type_guard(block).filter(|_| on_line) {
                let lines = [guard.holds, guard.fails].map(|block| first_line(lowered, block));
                found.push((scene.program.type_name(guard.ty), lines));
            }
        }
    }
    if found.iter().any(|(found, lines)| found == ty && *lines == expected.map(Some)) {
        return Ok(());
    }
    if found.is_empty() {
        return Err(format!("   found no guard {}", ir::on_line(scene, line)));
    }
    let show = |line: Option<u32>| line.map_or("nowhere".to_owned(), |line| format!("line {line}"));
    let text = |(ty, [holds, fails]): &(String, [Option<u32>; 2])| {
        format!("   found a guard for {ty}, to {} if it holds, to {} if it fails", show(*holds), show(*fails))
    };
    Err(found.iter().map(text).collect::<Vec<_>>().join("\n"))
}

fn first_line(lowered: &Lowered, block: Block) -> Option<u32> {
    lowered.body.block_insts(block).next().and_then(|inst| lowered.line(inst))
}

/// The cast of `line` runs on every returning path after the call of line `call`, or does not.
pub(super) fn post_dominates(scene: &Scene, line: u32, call: u32, expected: bool) -> Checked {
    let casts =
        scene.at(line).filter(|(lowered, inst)| matches!(lowered.body.insts[*inst].op, Op::CheckCast(_)));
    let (lowered, cast) = only(scene, line, "cast", casts.collect())?;
    let calls = scene.at(call).filter(|(lowered, inst)| is_call(&scene.program, lowered, *inst));
    let (of_call, call) = only(scene, call, "call", calls.collect())?;
    if of_call.body.method != lowered.body.method {
        return Err("   found that cast and call are in different methods".to_owned());
    }
    if PostDominators::of(&lowered.body).inst_post_dominates(cast, call) == expected {
        return Ok(());
    }
    Err(format!("   found the contrary, in\n{}", lowered.text))
}

/// Constructors do not count: `new X(f())` has one call.
fn is_call(program: &Program, lowered: &Lowered, inst: Inst) -> bool {
    match lowered.body.insts[inst].op {
        Op::Call(_, method) => {
            program.symbols.text(program.selector(program.method_ref(method).selector).name) != "<init>"
        }
        op => matches!(op, Op::CallDynamic(_)),
    }
}
