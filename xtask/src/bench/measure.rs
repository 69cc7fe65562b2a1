//! One subject, measured in this process: what it costs, what is in it, and what is wrong.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use heliostat_classfile::Malformed;
use heliostat_core::ir::{Body, Disagreement, FrameCheck, Lowerer, Op, verify};
use heliostat_core::program::{ClassId, MethodId, Program};
use heliostat_core::{JdkChoice, Opened, Origin, Settings, open};
use heliostat_index::Ids;

use super::clock::{peak_bytes, timed};
use super::sample::{Costs, Facts, Sample};
use crate::bytecode;

/// What one process measures.
#[derive(clap::Args)]
pub(crate) struct One {
    /// The JDK; it is the subject itself if there are no inputs
    #[arg(long)]
    jdk: PathBuf,
    /// The jars of a program
    inputs: Vec<OsString>,
}

pub(super) fn run(one: &One) -> Result<Sample> {
    let settings =
        Settings { inputs: one.inputs.clone(), jdk: JdkChoice::Home(one.jdk.clone()), ..Settings::default() };
    let (opened, index_time) = timed(|| open(&settings));
    let mut opened = opened?;
    let index_peak_bytes = peak_bytes()?;
    let origin = if one.inputs.is_empty() { Origin::Jdk } else { Origin::Input };
    let mut facts = Facts::default();
    for problem in opened.problems.listed() {
        facts.failures.add(|| problem.to_string());
    }
    let classes = own_classes(&opened, origin);
    let program = &mut opened.program;
    let ((), check_time) = timed(|| check(program, &classes, &mut facts));
    let peak_bytes = peak_bytes()?;
    let ((), lower_time) = timed(|| lower(program, &classes, &mut facts));
    inspect(program, &classes, &mut facts);
    let [index_s, check_s, lower_s] = [index_time, check_time, lower_time].map(|time| time.as_secs_f64());
    Ok(Sample { costs: Costs { index_s, check_s, lower_s, index_peak_bytes, peak_bytes }, facts })
}

/// The classes to lower: all of the JDK, or of the program without the JDK behind it.
fn own_classes(opened: &Opened, origin: Origin) -> Vec<ClassId> {
    opened.program.classes().ids().filter(|&class| opened.origin(class) == origin).collect()
}

fn methods(program: &Program, class: ClassId) -> Ids<MethodId> {
    Ids::between(program.classes()[class].methods.clone())
}

/// Calls `visit` for each method with code, while its class is linked.
fn for_each_method(
    program: &mut Program,
    classes: &[ClassId],
    mut visit: impl FnMut(&Program, ClassId, MethodId),
) {
    for &class in classes {
        program.link(class);
        for method in methods(program, class) {
            if program.methods()[method].has_code() {
                visit(program, class, method);
            }
        }
        program.unlink(class);
    }
}

fn check(program: &mut Program, classes: &[ClassId], facts: &mut Facts) {
    let mut lowerer = Lowerer::new();
    let mut last_advisory = None;
    for_each_method(program, classes, |program, class, method| {
        match lowerer.lower_checked(program, method) {
            Ok((body, frames)) => {
                if let Err(violation) = verify(program, &body) {
                    facts.violations.add(|| format!("{}: {violation}", program.method_name(method)));
                }
                if compare(program, class, method, &frames, facts)
                    && last_advisory.replace(class) != Some(class)
                {
                    facts.advisory_classes += 1;
                }
            }
            Err(malformed) => facts.failures.add(|| format!("{}: {malformed}", program.method_name(method))),
        }
    });
}

/// Adds what the frames of a method say; true if they are wrong where no JVM relies on them. That is up to version
/// 50: before it there were no frames, and in it a JVM falls back to inference where they are wrong (JVMS 4.10).
fn compare(
    program: &Program,
    class: ClassId,
    method: MethodId,
    check: &FrameCheck,
    facts: &mut Facts,
) -> bool {
    facts.frames += u64::from(check.frames);
    facts.unreachable_frames += u64::from(check.unreachable);
    facts.frame_slots += u64::from(check.slots);
    facts.undecided_slots += u64::from(check.undecided);
    let Some(first) = check.disagreements.first() else { return false };
    let advisory = program.classes()[class].version.major <= 50;
    let findings = if advisory { &mut facts.advisory } else { &mut facts.disagreements };
    findings.add(|| {
        let (name, slots) = (program.method_name(method), check.disagreements.len());
        let Disagreement { offset, slot, declared, inferred } = first;
        format!(
            "{name} at {offset}: {slot} is declared {declared}, inferred {inferred} (slots in all: {slots})"
        )
    });
    advisory
}

fn lower(program: &mut Program, classes: &[ClassId], facts: &mut Facts) {
    let mut lowerer = Lowerer::new();
    for_each_method(program, classes, |program, _, method| {
        // What fails was listed by the check.
        let Ok(body) = lowerer.lower(program, method) else { return };
        facts.ir_instructions += body.insts.len() as u64;
        facts.phis += phis(&body);
    });
}

/// Looks only where phis can be: this is part of what is timed.
fn phis(body: &Body) -> u64 {
    let is_phi = |inst: &_| body.insts[*inst].op == Op::Phi;
    body.block_ids().map(|block| body.block_insts(block).take_while(is_phi).count() as u64).sum()
}

/// What is not timed: counts the bytecode, and verifies the bodies that an analysis gets. They are not those of the
/// check, which also begins blocks at frames and reads variables that only frames speak of.
fn inspect(program: &mut Program, classes: &[ClassId], facts: &mut Facts) {
    let mut lowerer = Lowerer::new();
    facts.classes = classes.len() as u64;
    facts.methods = classes.iter().map(|&class| methods(program, class).len() as u64).sum();
    for_each_method(program, classes, |program, _, method| {
        facts.methods_with_code += 1;
        // What cannot be decoded or lowered was listed by the check.
        facts.bytecode_instructions += instructions(program, method).unwrap_or(0);
        if let Ok(body) = lowerer.lower(program, method)
            && let Err(violation) = verify(program, &body)
        {
            facts.violations.add(|| format!("{}, unchecked: {violation}", program.method_name(method)));
        }
    });
}

fn instructions(program: &Program, method: MethodId) -> Result<u64, Malformed> {
    let code = bytecode::of(program, method)?.instructions;
    let (mut pc, mut count) = (0, 0);
    while pc < code.len() {
        pc = code.at(pc)?.1;
        count += 1;
    }
    Ok(count)
}
