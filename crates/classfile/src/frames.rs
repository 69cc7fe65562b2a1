//! The `StackMapTable` attribute (JVMS 4.7.4): the compiler's own word on the types of every slot
//! at every jump target, which the lowering is checked against.

use crate::cursor::Cursor;
use crate::{Attribute, Malformed, What};

/// The type of one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of JVMS 4.7.4")]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// Pool index of the class.
    Object(u16),
    /// Bytecode offset of the `new`.
    Uninitialized(u32),
    /// The declared type of the method's parameter of this number, the receiver being the first. Never in a
    /// class file: for the caller's use in the frame that the descriptor implies.
    Param(u16),
}

impl VerificationType {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Malformed> {
        Ok(match cursor.u1()? {
            0 => Self::Top,
            1 => Self::Integer,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Long,
            5 => Self::Null,
            6 => Self::UninitializedThis,
            7 => Self::Object(cursor.u2()?),
            8 => Self::Uninitialized(cursor.u2()?.into()),
            _ => return Err(cursor.error(What::Attribute("StackMapTable"))),
        })
    }
}

/// One frame. A long or double is one entry here, though it takes two slots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// Bytecode offset it speaks of.
    pub offset: u32,
    /// The local variables; those after the last are `Top`.
    pub locals: Vec<VerificationType>,
    /// The operand stack, bottom first.
    pub stack: Vec<VerificationType>,
}

/// The frames of a method in order; each is a change of the one before.
#[derive(Debug, Clone)]
pub struct Frames<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Frames<'a> {
    pub(crate) fn new(attribute: &Attribute<'a>) -> Self {
        Self { cursor: attribute.cursor() }
    }

    /// Calls `visit` with each frame in order, until it finds one unfit; `initial` is the frame that the
    /// method's descriptor implies.
    pub fn visit(
        &self,
        initial: Frame,
        mut visit: impl FnMut(&Frame) -> Result<(), What>,
    ) -> Result<(), Malformed> {
        let mut cursor = self.cursor;
        let mut frame = initial;
        let count = cursor.u2()?;
        for index in 0..count {
            let start = cursor.offset();
            let delta = frame.apply(&mut cursor)?;
            // The first frame's offset is its delta, every other one lies one further.
            frame.offset = if index == 0 { delta } else { frame.offset + delta + 1 };
            visit(&frame).map_err(|what| Malformed { offset: start, what })?;
        }
        Ok(())
    }
}

impl Frame {
    /// Reads one `stack_map_frame`, changes this frame as it says, and returns its offset delta.
    fn apply(&mut self, cursor: &mut Cursor<'_>) -> Result<u32, Malformed> {
        let kind = cursor.u1()?;
        self.stack.clear();
        Ok(match kind {
            0..=63 => kind.into(),
            64..=127 => {
                self.stack.push(VerificationType::read(cursor)?);
                u32::from(kind) - 64
            }
            247 => {
                let delta = cursor.u2()?;
                self.stack.push(VerificationType::read(cursor)?);
                delta.into()
            }
            248..=250 => {
                let keep = self.locals.len().checked_sub(usize::from(251 - kind));
                self.locals.truncate(keep.ok_or(cursor.error(What::Attribute("StackMapTable")))?);
                cursor.u2()?.into()
            }
            251 => cursor.u2()?.into(),
            252..=254 => {
                let delta = cursor.u2()?;
                for _ in 251..kind {
                    self.locals.push(VerificationType::read(cursor)?);
                }
                delta.into()
            }
            255 => {
                let delta = cursor.u2()?;
                self.locals = read_types(cursor)?;
                self.stack = read_types(cursor)?;
                delta.into()
            }
            128..=246 => return Err(cursor.error(What::Attribute("StackMapTable"))),
        })
    }
}

fn read_types(cursor: &mut Cursor<'_>) -> Result<Vec<VerificationType>, Malformed> {
    let count = cursor.u2()?;
    (0..count).map(|_| VerificationType::read(cursor)).collect()
}
