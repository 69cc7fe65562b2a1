//! Comparison of inferred types with the frames that the compiler wrote (`StackMapTable`).
//!
//! For every frame, every local variable and stack slot that is not `Top` is looked up in the SSA
//! form, and its inferred type must be one that the frame's type admits (JVMS 4.10.1.2).

use heliostat_classfile::{Code, ConstantPool, Frame, Malformed, ValueKind, VerificationType, What};
use heliostat_index::{IdSet, PackedOption};
use heliostat_program::{Linked, MethodId, Program, Subtype, TypeId, TypeKind};

use crate::lower::FRAME_SLOTS;
use crate::types::kind_of;
use crate::{Block, Body, Definition, Op, Value};

/// A slot whose inferred type is not what a frame says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Bytecode offset of the frame.
    pub offset: u32,
    /// `local 3` or `stack 0`.
    pub slot: String,
    /// What the frame says.
    pub declared: String,
    /// What was inferred.
    pub inferred: String,
}

/// What the comparison found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrameCheck {
    /// Frames of reachable code.
    pub frames: u32,
    /// Frames of code that cannot be reached, which there is nothing to compare with.
    pub unreachable: u32,
    /// Slots compared.
    pub slots: u32,
    /// Slots that depend on a class that is missing.
    pub undecided: u32,
    /// Slots that disagree, at most 100: one is enough to know, and a hostile method would have millions.
    pub disagreements: Vec<Disagreement>,
}

const MAX_DISAGREEMENTS: usize = 100;

/// A slot of a frame, and the value that the lowering found in it.
#[derive(Debug, Clone, Copy)]
struct Slot {
    frame: u32,
    /// Number of the local variable or stack entry.
    index: u16,
    on_stack: bool,
    declared: VerificationType,
    value: Option<Value>,
}

/// The frames of a method, and what is found for them as the lowering goes on.
#[derive(Debug, Default)]
pub(crate) struct FrameTypes {
    frames: Vec<Frame>,
    /// Blocks that begin at a frame; subroutines apart, one per reachable frame.
    entered: Vec<(u32, Block)>,
    slots: Vec<Slot>,
    params: Vec<TypeId>,
    is_constructor: bool,
    locals: usize,
    /// The number of slots of all frames.
    declared: usize,
}

impl FrameTypes {
    pub(crate) fn read(
        program: &Program,
        method: MethodId,
        code: &Code<'_>,
        pool: &ConstantPool<'_>,
    ) -> Result<Self, Malformed> {
        let params = program.parameters(method).collect();
        let is_constructor = program.is_constructor(method);
        let mut this = Self { params, is_constructor, ..Self::default() };
        if let Some(frames) = code.frames(pool) {
            let initial = this.initial();
            frames.visit(initial, |frame| this.push(frame, code))?;
        }
        Ok(this)
    }

    /// Keeps a frame, unless it or all of them together are more than the method can have.
    fn push(&mut self, frame: &Frame, code: &Code<'_>) -> Result<(), What> {
        let locals = frame.locals.iter().map(|&t| width(t)).sum::<usize>();
        self.locals = self.locals.max(locals);
        self.declared += frame.locals.len() + frame.stack.len();
        let fits = locals <= usize::from(code.max_locals) && frame.stack.len() <= usize::from(code.max_stack);
        if !fits || frame.offset >= code.instructions.len() || self.declared > FRAME_SLOTS {
            return Err(What::Attribute("StackMapTable"));
        }
        self.frames.push(frame.clone());
        Ok(())
    }

    /// The frame that the descriptor implies (JVMS 4.10.1.6).
    fn initial(&self) -> Frame {
        let local = |(i, &ty): (usize, &TypeId)| match kind_of(ty) {
            ValueKind::Int => VerificationType::Integer,
            ValueKind::Long => VerificationType::Long,
            ValueKind::Float => VerificationType::Float,
            ValueKind::Double => VerificationType::Double,
            ValueKind::Ref if i == 0 && self.is_constructor && ty != TypeId::OBJECT => {
                VerificationType::UninitializedThis
            }
            ValueKind::Ref => VerificationType::Param(i as u16),
        };
        Frame { offset: 0, locals: self.params.iter().enumerate().map(local).collect(), stack: Vec::new() }
    }

    /// Where the frames are, so that blocks begin there.
    pub(crate) fn offsets(&self) -> impl Iterator<Item = u32> + '_ {
        self.frames.iter().map(|f| f.offset)
    }

    /// The number of local variable slots that the frames speak of.
    pub(crate) fn locals(&self) -> usize {
        self.locals
    }

    /// A block begins at this offset, with this stack.
    pub(crate) fn enter(&mut self, offset: u32, block: Block, stack: &[Value]) {
        let Ok(index) = self.frames.binary_search_by_key(&offset, |f| f.offset) else { return };
        self.entered.push((index as u32, block));
        let declared = &self.frames[index].stack;
        for i in 0..declared.len().max(stack.len()) {
            let declared = declared.get(i).copied().unwrap_or(VerificationType::Top);
            let value = stack.get(i).copied();
            self.slots.push(Slot { frame: index as u32, index: i as u16, on_stack: true, declared, value });
        }
    }

    /// Looks up the local variables of all frames.
    pub(crate) fn read_locals(&mut self, mut read: impl FnMut(Block, u16, ValueKind) -> Option<Value>) {
        for &(frame, block) in &self.entered {
            let mut local = 0;
            for &declared in &self.frames[frame as usize].locals {
                if let Some(kind) = kind_of_declared(declared) {
                    let value = read(block, local, kind);
                    self.slots.push(Slot { frame, index: local, on_stack: false, declared, value });
                }
                local += width(declared) as u16;
            }
        }
    }

    /// The lowering has given its values their last numbers.
    pub(crate) fn renumber(&mut self, mut renumbered: impl FnMut(Value) -> Value) {
        for slot in &mut self.slots {
            slot.value = slot.value.map(&mut renumbered);
        }
    }

    pub(crate) fn compare(&self, program: &Program, body: &Body, linked: &Linked) -> FrameCheck {
        let mut reached: Vec<u32> = self.entered.iter().map(|&(frame, _)| frame).collect();
        reached.sort_unstable();
        reached.dedup();
        let mut check = FrameCheck {
            frames: reached.len() as u32,
            unreachable: (self.frames.len() - reached.len()) as u32,
            slots: self.slots.len() as u32,
            ..FrameCheck::default()
        };
        let mut gaps = None;
        for slot in &self.slots {
            match self.agrees(slot, program, body, linked, &mut gaps) {
                Subtype::Yes => {}
                Subtype::Unknown => check.undecided += 1,
                Subtype::No => {
                    check.disagreements.push(self.disagreement(slot, program, body, linked));
                    if check.disagreements.len() == MAX_DISAGREEMENTS {
                        break;
                    }
                }
            }
        }
        check
    }

    fn agrees(
        &self,
        slot: &Slot,
        program: &Program,
        body: &Body,
        linked: &Linked,
        gaps: &mut Option<IdSet<Value>>,
    ) -> Subtype {
        let Some(value) = slot.value else { return Subtype::No };
        let ty = body.values[value].ty;
        let holds = match slot.declared {
            VerificationType::Top => !slot.on_stack,
            VerificationType::Integer => ty == TypeId::INT,
            VerificationType::Float => ty == TypeId::FLOAT,
            VerificationType::Long => ty == TypeId::LONG,
            VerificationType::Double => ty == TypeId::DOUBLE,
            VerificationType::Null => ty == TypeId::NULL,
            VerificationType::UninitializedThis => {
                self.is_constructor && body.values[value].definition == Definition::Param(0)
            }
            VerificationType::Uninitialized(offset) => {
                matches!(body.def(value), Some((inst, Op::New(_))) if body.insts[inst].offset == offset)
            }
            VerificationType::Object(_) | VerificationType::Param(_) => {
                return match self.declared_type(slot.declared, linked) {
                    Some(declared) => admits(program, body, value, declared, gaps),
                    None => Subtype::No,
                };
            }
        };
        if holds { Subtype::Yes } else { Subtype::No }
    }

    fn declared_type(&self, declared: VerificationType, linked: &Linked) -> Option<TypeId> {
        match declared {
            VerificationType::Object(index) => linked.class(index),
            VerificationType::Param(index) => self.params.get(usize::from(index)).copied(),
            _ => None,
        }
    }

    fn disagreement(&self, slot: &Slot, program: &Program, body: &Body, linked: &Linked) -> Disagreement {
        let declared = match self.declared_type(slot.declared, linked) {
            Some(ty) => program.type_text(ty),
            None => format!("{:?}", slot.declared),
        };
        let inferred = slot.value.map_or("nothing".to_owned(), |v| program.type_text(body.values[v].ty));
        let place = if slot.on_stack { "stack" } else { "local" };
        let offset = self.frames[slot.frame as usize].offset;
        Disagreement { offset, slot: format!("{place} {}", slot.index), declared, inferred }
    }
}

fn width(declared: VerificationType) -> usize {
    if matches!(declared, VerificationType::Long | VerificationType::Double) { 2 } else { 1 }
}

fn kind_of_declared(declared: VerificationType) -> Option<ValueKind> {
    Some(match declared {
        VerificationType::Top => return None,
        VerificationType::Integer => ValueKind::Int,
        VerificationType::Float => ValueKind::Float,
        VerificationType::Long => ValueKind::Long,
        VerificationType::Double => ValueKind::Double,
        _ => ValueKind::Ref,
    })
}

/// JVMS 4.10.1.2: assignability to a class, where interfaces are as good as `Object`.
fn admits(
    program: &Program,
    body: &Body,
    value: Value,
    declared: TypeId,
    gaps: &mut Option<IdSet<Value>>,
) -> Subtype {
    let inferred = body.values[value].ty;
    if !program.types.is_reference(inferred) {
        return Subtype::No;
    }
    match program.subtype(inferred, declared) {
        Subtype::No if is_interface_of_same_rank(program, inferred, declared) => Subtype::Yes,
        Subtype::No if gaps.get_or_insert_with(|| values_with_gap(program, body)).contains(value) => {
            Subtype::Unknown
        }
        answer => answer,
    }
}

fn is_interface_of_same_rank(program: &Program, inferred: TypeId, declared: TypeId) -> bool {
    let (mut inferred, mut declared) = (inferred, declared);
    while let TypeKind::Array(element) = program.types.kind(declared) {
        let TypeKind::Array(inner) = program.types.kind(inferred) else { return false };
        (inferred, declared) = (inner, element);
    }
    let class = program.class_of(declared);
    program.types.is_reference(inferred) && class.is_some_and(|c| program.classes()[c].flags.is_interface())
}

/// The values that come, merged or loaded from arrays, from something whose class or an ancestor is missing.
fn values_with_gap(program: &Program, body: &Body) -> IdSet<Value> {
    let gap = |ty: PackedOption<TypeId>| ty.expand().is_some_and(|ty| type_has_gap(program, ty));
    let catches: IdSet<Block> = body.catchers.iter().filter(|c| gap(c.ty)).map(|c| c.block).collect();
    let mut uses = Vec::new();
    let mut found = IdSet::new();
    let mut todo = Vec::new();
    for block in body.block_ids() {
        for inst in body.block_insts(block) {
            let Some(result) = body.insts[inst].result.expand() else { continue };
            match body.insts[inst].op {
                Op::Phi | Op::ArrayLoad(_) => uses.extend(body.args(inst).iter().map(|&a| (a, result))),
                Op::Catch if catches.contains(block) => todo.push(result),
                _ => {}
            }
        }
    }
    uses.sort_unstable();
    todo.extend(body.values.iter().filter(|(_, v)| type_has_gap(program, v.ty)).map(|(value, _)| value));
    while let Some(value) = todo.pop() {
        if found.insert(value) {
            let first = uses.partition_point(|&(used, _)| used < value);
            let merged = uses[first..].iter().take_while(|(used, _)| *used == value);
            todo.extend(merged.map(|&(_, user)| user).filter(|&user| !found.contains(user)));
        }
    }
    found
}

fn type_has_gap(program: &Program, ty: TypeId) -> bool {
    match program.types.kind(ty) {
        TypeKind::Basic => false,
        TypeKind::Array(element) => type_has_gap(program, element),
        TypeKind::Class(class) => class.expand().is_none_or(|c| program.is_incomplete(c)),
    }
}
