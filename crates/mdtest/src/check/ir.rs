//! Expectations about instructions.

use heliostat_core::ir::{Body, Inst, Op, Value};

use super::{Checked, same};
use crate::Failure;
use crate::page::Listing;
use crate::pattern::fits;
use crate::scene::{Lowered, Scene};

fn texts(scene: &Scene, line: u32) -> Vec<&str> {
    let all =
        scene.methods.iter().flat_map(|lowered| lowered.insts().map(move |(i, text)| (lowered, i, text)));
    all.filter(|(lowered, inst, _)| lowered.line(*inst) == Some(line)).map(|(_, _, text)| text).collect()
}

/// What a line holds, for messages.
pub(super) fn on_line(scene: &Scene, line: u32) -> String {
    let texts = texts(scene, line);
    if texts.is_empty() {
        return format!("and no instruction on line {line}");
    }
    format!("among the instructions of line {line}\n     {}", texts.join("\n     "))
}

/// Each pattern fits an instruction of the line, or none does.
pub(super) fn patterns(scene: &Scene, line: u32, holds: bool, patterns: &[String]) -> Checked {
    let texts = texts(scene, line);
    for pattern in patterns {
        let found = texts.iter().any(|text| fits(pattern, text));
        // A line without instructions cannot show that something is not there.
        if found != holds || texts.is_empty() {
            let what = if holds { "nothing like" } else { "something like" };
            return Err(format!("   found {what} `{pattern}` {}", on_line(scene, line)));
        }
    }
    Ok(())
}

/// The whole IR of the method that a listing names.
pub(super) fn listing(scene: &Scene, listing: &Listing) -> Result<(), Failure> {
    let Some(heading) = listing.text.lines().next() else {
        return Err(Failure::new(listing.line, "the listing is empty"));
    };
    let is_named = |lowered: &&Lowered| lowered.heading() == Some(heading);
    let Some(lowered) = scene.methods.iter().find(is_named) else {
        let methods: Vec<_> = scene.methods.iter().filter_map(Lowered::heading).collect();
        return Err(Failure::new(listing.line, format!("no such method, but\n  {}", methods.join("\n  "))));
    };
    let (mut expected, mut found) = (listing.text.lines(), lowered.text.lines());
    for number in listing.line.. {
        match (expected.next(), found.next()) {
            (None, None) => break,
            (Some(pattern), Some(text)) if fits(pattern, text) => {}
            _ => return Err(Failure::new(number, format!("the method's IR is\n{}", lowered.text))),
        }
    }
    Ok(())
}

/// The constant indices of the array accesses of a line.
pub(super) fn indices(scene: &Scene, line: u32, expected: &[String]) -> Checked {
    constants(scene, line, expected, |body, inst| match body.insts[inst].op {
        Op::ArrayLoad(_) | Op::ArrayStore(_) => body.args(inst).get(1..2),
        _ => None,
    })
}

/// The constant lengths of the arrays that a line makes.
pub(super) fn lengths(scene: &Scene, line: u32, expected: &[String]) -> Checked {
    constants(scene, line, expected, |body, inst| match body.insts[inst].op {
        Op::NewArray(_) | Op::NewMultiArray(_) => Some(body.args(inst)),
        _ => None,
    })
}

type Operands = for<'a> fn(&'a Body, Inst) -> Option<&'a [Value]>;

fn constants(scene: &Scene, line: u32, expected: &[String], operands: Operands) -> Checked {
    let mut found = Vec::new();
    for (lowered, inst) in scene.at(line) {
        let constant =
            |&value| lowered.body.int_constant(value).map_or("unknown".to_owned(), |n| n.to_string());
        found.extend(operands(&lowered.body, inst).into_iter().flatten().map(constant));
    }
    if found.is_empty() {
        return Err(format!("   found none {}", on_line(scene, line)));
    }
    same(expected, &found)
}
