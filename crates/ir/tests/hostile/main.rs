//! Classes made to hurt: each is refused with the right words at the right offset, or read in bounded memory
//! and time.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test")]
#![allow(missing_docs, unreachable_pub, dead_code, reason = "support is shared among tests")]

#[path = "../support/asm.rs"]
mod asm;
mod bulk;
mod code;
mod copies;
mod hierarchy;
#[path = "../support/meter.rs"]
mod meter;
mod reading;
#[path = "../support/round.rs"]
mod round;
mod text;
mod types;

use std::time::Duration;

use bytes::Bytes;
use heliostat_classfile::{Malformed, What};
use heliostat_ir::{Body, Lowerer, PostDominators, verify};
use heliostat_program::{Builder, HierarchyProblem, MethodId, Program, SourceId};

use asm::Asm;
use meter::{Cost, measure};

/// The most that one hostile class may cost: what the bounds in `lower/bounds.rs` add up to, and time for a
/// machine that does something else as well.
const MAX_PEAK: usize = 256 << 20;
const MAX_TIME: Duration = Duration::from_secs(10);

/// Runs `work`, which must not cost more than hostile input may.
fn bounded<T>(work: impl FnOnce() -> T) -> T {
    let (result, Cost { peak, time, .. }) = measure(work);
    assert!(peak <= MAX_PEAK, "{} MiB", peak >> 20);
    assert!(time <= MAX_TIME, "{time:?}");
    result
}

/// A program of these classes, what is wrong with each, and what is wrong with their hierarchy.
fn program(classes: &[Vec<u8>]) -> (Program, Vec<Malformed>, Vec<HierarchyProblem>) {
    let mut builder = Builder::new();
    let mut problems = Vec::new();
    for bytes in classes {
        match builder.add(Bytes::copy_from_slice(bytes), SourceId::from_u32(0)) {
            Ok(added) => problems.extend(added.problems),
            Err(problem) => problems.push(problem),
        }
    }
    let (program, cycles) = builder.finish();
    (program, problems, cycles)
}

/// The first method of a class, lowered within bounds and verified; or why not, with the bytecode offset.
fn lower(asm: &Asm) -> Result<Body, (What, i64)> {
    lower_among(asm, &[])
}

/// The same in a program that has other classes, too.
fn lower_among(asm: &Asm, others: &[Vec<u8>]) -> Result<Body, (What, i64)> {
    let classes: Vec<Vec<u8>> = [asm.bytes()].into_iter().chain(others.iter().cloned()).collect();
    let (mut program, problems, _) = program(&classes);
    assert_eq!(problems, []);
    let class = program.classes().ids().next().unwrap();
    program.link(class);
    let method = MethodId::from_u32(0);
    let base = i64::from(program.methods()[method].code.0) + 8;
    bounded(|| match Lowerer::new().lower_checked(&program, method) {
        Ok((body, _)) => {
            assert_eq!(verify(&program, &body), Ok(()));
            PostDominators::of(&body);
            Ok(body)
        }
        Err(Malformed { offset, what }) => Err((what, i64::from(offset) - base)),
    })
}

/// Why the first method of a class is refused, and the bytecode offset.
fn refused(asm: &Asm) -> (String, i64) {
    match lower(asm) {
        Ok(body) => panic!("lowered to {} blocks", body.blocks.len()),
        Err((what, pc)) => (what.to_string(), pc),
    }
}

/// A class with one static method.
fn with_method(descriptor: &str, body: &asm::Body) -> Asm {
    let mut asm = Asm::new("Hostile");
    asm.method("m", descriptor, body);
    asm
}
