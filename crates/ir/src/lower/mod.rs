//! Bytecode to SSA.
//!
//! In steps: [`scan`] finds the instructions and where blocks begin; [`graph`] makes the control-flow
//! graph, with subroutines (`jsr`) copied for each of their callers; [`translate`] runs each block
//! symbolically, asking [`ssa`] for values that come from elsewhere; needless phis are dropped
//! ([`trivial`]) and types inferred ([`infer`]); [`finish`] numbers everything.

mod bounds;
mod finish;
mod graph;
mod infer;
mod scan;
mod ssa;
mod stack;
mod translate;
mod trivial;

use heliostat_classfile::{Attribute, Code, Malformed, What};
use heliostat_program::{Linked, MethodId, Program};

use crate::Body;
use crate::frames::{FrameCheck, FrameTypes};
pub(crate) use bounds::FRAME_SLOTS;
use graph::Graph;
use scan::Scan;
use ssa::Ssa;
use translate::Translator;

/// Turns method bodies into SSA. Keeps its buffers from one method to the next.
#[derive(Default)]
pub struct Lowerer {
    scan: Scan,
    graph: Graph,
    ssa: Ssa,
}

/// What is needed of the method at hand, all borrowed.
struct Source<'a> {
    program: &'a Program,
    method: MethodId,
    linked: &'a Linked,
    code: Code<'a>,
}

impl Source<'_> {
    fn invalid(&self, pc: u32, what: &'static str) -> Malformed {
        self.code.instructions.malformed(pc, What::Invalid(what))
    }
}

impl Lowerer {
    /// A lowerer with empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lowers a method with code, of a [linked](Program::link) class. What cannot be lowered would not pass a JVM's
    /// verifier either; the error says where it fails.
    pub fn lower(&mut self, program: &Program, method: MethodId) -> Result<Body, Malformed> {
        let source = source(program, method)?;
        self.run(&source, &mut FrameTypes::default())
    }

    /// Lowers a method and compares the inferred types with the frames of its `StackMapTable`.
    pub fn lower_checked(
        &mut self,
        program: &Program,
        method: MethodId,
    ) -> Result<(Body, FrameCheck), Malformed> {
        let source = source(program, method)?;
        let pool = source.linked.pool(&program.classes()[program.methods()[method].class].bytes);
        let mut frames = FrameTypes::read(program, method, &source.code, &pool)?;
        let body = self.run(&source, &mut frames)?;
        let check = frames.compare(program, &body, source.linked);
        Ok((body, check))
    }

    fn run(&mut self, source: &Source<'_>, frames: &mut FrameTypes) -> Result<Body, Malformed> {
        self.scan.run(source, frames)?;
        self.graph.build(source, &self.scan)?;
        self.ssa.begin(source, &self.scan, &self.graph, frames.locals())?;
        let mut translator = Translator::new(source, &self.scan, &self.graph, &mut self.ssa);
        translator.run(frames)?;
        let insts = translator.into_output();
        self.ssa.fill_phis(source, &self.graph, frames)?;
        self.ssa.drop_trivial_phis();
        infer::infer(source, &mut self.ssa, &insts.loads)?;
        Ok(finish::finish(source, &self.graph, &self.ssa, insts, frames))
    }
}

fn source(program: &Program, method: MethodId) -> Result<Source<'_>, Malformed> {
    let data = &program.methods()[method];
    let class = &program.classes()[data.class];
    let absent = |what| Malformed { offset: data.code.0, what: What::Invalid(what) };
    let linked = program.linked(data.class).ok_or(absent("the class is not linked"))?;
    let (start, len) = data.code;
    let range = start as usize..start as usize + len as usize;
    let bytes = class.bytes.get(range).filter(|_| data.has_code()).ok_or(absent("the method has no code"))?;
    let attribute = Attribute { name: b"Code", bytes, offset: start };
    let code = Code::read(&attribute, class.version)?;
    Ok(Source { program, method, linked, code })
}

/// The slot of a local variable or of the operand stack, as a place that values merge in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Local(u16),
    Stack(u16),
}
