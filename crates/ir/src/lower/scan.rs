//! First look at the bytecode: where instructions are, where blocks begin, how they end.

use heliostat_classfile::{Insn, Malformed, What};

use super::Source;
use crate::frames::FrameTypes;

/// How a stretch of code ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Flow {
    /// Into the next block.
    Fall,
    Jump(u32),
    /// To the target, or into the next block.
    Branch(u32),
    /// To one of `targets[start..end]`.
    Switch(u32, u32),
    Exit,
    Jsr(u32),
    Ret(u16),
}

/// A stretch of bytecode with one entry: a block before subroutines are copied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) flow: Flow,
}

#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Per bytecode offset, and for the end of the code: [`START`] and [`LEADER`].
    marks: Vec<u8>,
    /// Per bytecode offset: how many handlers begin to cover there, less how many end.
    cover: Vec<i32>,
    controls: Vec<(u32, u32, Flow)>,
    /// Targets of switches, with repetitions.
    pub(super) targets: Vec<u32>,
    pub(super) stretches: Vec<Stretch>,
    /// Per bytecode offset: the stretch that begins there.
    stretch_at: Vec<u32>,
    /// One more than the largest local variable that code names.
    pub(super) locals: usize,
    /// Whether something jumps back to the first instruction.
    pub(super) entry_is_target: bool,
}

/// An instruction begins here.
const START: u8 = 1;
/// A block begins here.
const LEADER: u8 = 2;

impl Scan {
    pub(super) fn run(&mut self, source: &Source<'_>, frames: &FrameTypes) -> Result<(), Malformed> {
        let len = source.code.instructions.len() as usize;
        self.marks.clear();
        self.marks.resize(len + 1, 0);
        self.controls.clear();
        self.targets.clear();
        self.locals = 0;
        self.entry_is_target = false;
        self.lead(0);
        self.mark_handlers(source)?;
        for offset in frames.offsets() {
            if (offset as usize) < len {
                self.lead(offset);
            }
        }
        self.sweep(source)?;
        self.check_leaders(source)?;
        self.cut(source);
        Ok(())
    }

    fn lead(&mut self, pc: u32) {
        if let Some(mark) = self.marks.get_mut(pc as usize) {
            *mark |= LEADER;
        }
    }

    fn jump_to(&mut self, pc: u32) {
        self.entry_is_target |= pc == 0;
        self.lead(pc);
    }

    fn mark_handlers(&mut self, source: &Source<'_>) -> Result<(), Malformed> {
        self.cover.clear();
        if source.code.handlers.is_empty() {
            return Ok(());
        }
        self.cover.resize(self.marks.len(), 0);
        let len = source.code.instructions.len();
        for handler in &source.code.handlers {
            if handler.start >= handler.end || handler.end > len || handler.target >= len {
                return Err(source.invalid(handler.start.min(len), "exception handler range"));
            }
            self.cover[handler.start as usize] += 1;
            self.cover[handler.end as usize] -= 1;
            self.lead(handler.start);
            self.lead(handler.end);
            self.jump_to(handler.target);
        }
        Ok(())
    }

    fn sweep(&mut self, source: &Source<'_>) -> Result<(), Malformed> {
        let instructions = &source.code.instructions;
        let mut covered = 0;
        let mut pc = 0;
        while pc < instructions.len() {
            let (insn, next) = instructions.at(pc)?;
            self.marks[pc as usize] |= START;
            for at in pc..next {
                covered += self.cover.get(at as usize).copied().unwrap_or(0);
            }
            self.control(insn, pc, next);
            match insn {
                Insn::Load(kind, n) => self.use_local(source, pc, n, kind.is_wide())?,
                Insn::Ret(n) => self.use_local(source, pc, n, false)?,
                Insn::Store(kind, n) => {
                    self.use_local(source, pc, n, kind.is_wide())?;
                    // A handler sees each covered block's variables as they are at its start.
                    if covered > 0 {
                        self.lead(next);
                    }
                }
                Insn::Increment(n, _) => {
                    self.use_local(source, pc, n, false)?;
                    if covered > 0 {
                        self.lead(next);
                    }
                }
                _ => {}
            }
            pc = next;
        }
        Ok(())
    }

    fn use_local(&mut self, source: &Source<'_>, pc: u32, n: u16, wide: bool) -> Result<(), Malformed> {
        let end = usize::from(n) + 1 + usize::from(wide);
        if end > usize::from(source.code.max_locals) {
            return Err(source.invalid(pc, "a local variable beyond the declared number"));
        }
        self.locals = self.locals.max(end);
        Ok(())
    }

    fn control(&mut self, insn: Insn<'_>, pc: u32, next: u32) {
        let flow = match insn {
            Insn::Goto(to) => Flow::Jump(to),
            Insn::IfZero(_, to) | Insn::IfInt(_, to) | Insn::IfRef(_, to) | Insn::IfNull(_, to) => {
                Flow::Branch(to)
            }
            Insn::Switch(switch) => {
                let start = self.targets.len();
                self.targets.extend(switch.cases().map(|(_, to)| to));
                self.targets.push(switch.default);
                for i in start..self.targets.len() {
                    self.jump_to(self.targets[i]);
                }
                Flow::Switch(start as u32, self.targets.len() as u32)
            }
            Insn::Return(_) | Insn::Throw => Flow::Exit,
            Insn::Jsr(to) => Flow::Jsr(to),
            Insn::Ret(local) => Flow::Ret(local),
            _ => return,
        };
        if let Flow::Jump(to) | Flow::Branch(to) | Flow::Jsr(to) = flow {
            self.jump_to(to);
        }
        self.lead(next);
        self.controls.push((pc, next, flow));
    }

    /// Every jump, handler and frame must point at an instruction.
    fn check_leaders(&self, source: &Source<'_>) -> Result<(), Malformed> {
        let len = source.code.instructions.len() as usize;
        let stray = self.marks[..len].iter().position(|&m| m == LEADER);
        let outside = self.targets.iter().find(|&&t| t as usize >= len).map(|&t| t as usize);
        match stray.or(outside) {
            Some(pc) => {
                Err(source.code.instructions.malformed(pc.min(len) as u32, What::JumpTarget(pc as i64)))
            }
            None => Ok(()),
        }
    }

    fn cut(&mut self, source: &Source<'_>) {
        let len = source.code.instructions.len();
        self.stretches.clear();
        self.stretch_at.clear();
        self.stretch_at.resize(len as usize, 0);
        let mut controls = self.controls.iter().peekable();
        let mut start = 0;
        for pc in 1..=len {
            if pc < len && self.marks[pc as usize] & LEADER == 0 {
                continue;
            }
            // Control instructions end their block, so that at most one lies in this stretch.
            let control = controls.next_if(|&&(at, ..)| at < pc);
            let flow = control.map_or(Flow::Fall, |&(_, _, flow)| flow);
            self.stretch_at[start as usize] = self.stretches.len() as u32;
            self.stretches.push(Stretch { start, end: pc, flow });
            start = pc;
        }
    }

    /// The stretch that begins at a leader.
    pub(super) fn stretch(&self, pc: u32) -> Option<u32> {
        let index = *self.stretch_at.get(pc as usize)?;
        (self.stretches.get(index as usize)?.start == pc).then_some(index)
    }
}
