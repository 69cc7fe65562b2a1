//! The `Code` attribute (JVMS 4.7.3) and the tables that hang on it.

use crate::attributes::whole;
use crate::cursor::Cursor;
use crate::{Attribute, Attributes, ConstantPool, Frames, Instructions, Malformed, Version};

/// One row of the exception table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handler {
    /// First covered bytecode offset.
    pub start: u32,
    /// First bytecode offset no longer covered.
    pub end: u32,
    /// Where the handler begins.
    pub target: u32,
    /// Pool index of the caught class; 0 catches everything.
    pub catch_type: u16,
}

/// One row of a line number table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineNumber {
    /// First bytecode offset of the line.
    pub start: u32,
    /// The line.
    pub line: u16,
}

/// A method body.
#[derive(Debug, Clone)]
pub struct Code<'a> {
    /// Declared depth of the operand stack, in slots.
    pub max_stack: u16,
    /// Declared number of local variable slots.
    pub max_locals: u16,
    /// The instructions.
    pub instructions: Instructions<'a>,
    /// The exception table, in order.
    pub handlers: Vec<Handler>,
    attributes: Attributes<'a>,
}

impl<'a> Code<'a> {
    /// Reads a `Code` attribute of a class of this version.
    ///
    /// Class files before 45.3 had narrower sizes; the JVM of JDK 17, though, reads every version in the same
    /// way. So the old layout is tried only where the other one does not fit.
    pub fn read(attribute: &Attribute<'a>, version: Version) -> Result<Self, Malformed> {
        let wide = Self::read_with(attribute, |cursor| Ok((cursor.u2()?, cursor.u2()?, cursor.u4()?)));
        if wide.is_ok() || version >= (Version { major: 45, minor: 3 }) {
            return wide;
        }
        let narrow =
            |cursor: &mut Cursor<'a>| Ok((cursor.u1()?.into(), cursor.u1()?.into(), cursor.u2()?.into()));
        Self::read_with(attribute, narrow).or(wide)
    }

    /// `sizes` reads the depth of the stack, the number of local variables and the length of the code.
    fn read_with(
        attribute: &Attribute<'a>,
        sizes: impl FnOnce(&mut Cursor<'a>) -> Result<(u16, u16, u32), Malformed>,
    ) -> Result<Self, Malformed> {
        whole(attribute, "Code", |cursor| {
            let (max_stack, max_locals, length) = sizes(cursor)?;
            let base = cursor.offset();
            let instructions = Instructions::new(cursor.take(length as usize)?, base)?;
            let handlers = read_handlers(cursor)?;
            let attributes = Attributes::skip(cursor)?;
            Ok(Self { max_stack, max_locals, instructions, handlers, attributes })
        })
    }

    /// What hangs on it, not interpreted.
    pub fn attributes(&self) -> Attributes<'a> {
        self.attributes
    }

    /// All line number tables together, sorted by bytecode offset. A damaged table is left out.
    pub fn line_numbers(&self, pool: &ConstantPool<'a>) -> Vec<LineNumber> {
        let tables = self.attributes.iter(pool).filter(|a| a.name == b"LineNumberTable");
        let mut lines: Vec<_> =
            tables.filter_map(|a| whole(&a, "LineNumberTable", read_lines).ok()).flatten().collect();
        lines.sort_by_key(|l| l.start);
        lines
    }

    /// The stack map frames, if there are any.
    pub fn frames(&self, pool: &ConstantPool<'a>) -> Option<Frames<'a>> {
        self.attributes.find(pool, "StackMapTable").map(|a| Frames::new(&a))
    }
}

fn read_handlers(cursor: &mut Cursor<'_>) -> Result<Vec<Handler>, Malformed> {
    let count = cursor.u2()?;
    (0..count)
        .map(|_| {
            let (start, end) = (cursor.u2()?.into(), cursor.u2()?.into());
            Ok(Handler { start, end, target: cursor.u2()?.into(), catch_type: cursor.u2()? })
        })
        .collect()
}

fn read_lines(cursor: &mut Cursor<'_>) -> Result<Vec<LineNumber>, Malformed> {
    let count = cursor.u2()?;
    (0..count).map(|_| Ok(LineNumber { start: cursor.u2()?.into(), line: cursor.u2()? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that only returns, with these sizes before it.
    fn read(minor: u16, sizes: &[u8]) -> Result<(u16, u16, u32), Malformed> {
        let bytes = [sizes, &[0xb1, 0, 0, 0, 0]].concat();
        let attribute = Attribute { name: b"Code", bytes: &bytes, offset: 0 };
        let code = Code::read(&attribute, Version { major: 45, minor })?;
        Ok((code.max_stack, code.max_locals, code.instructions.len()))
    }

    #[test]
    fn sizes_may_be_narrow_before_45_3() {
        let (narrow, wide): (&[u8], &[u8]) = (&[3, 4, 0, 1], &[0, 3, 0, 4, 0, 0, 0, 1]);
        assert_eq!(read(2, narrow), Ok((3, 4, 1)));
        assert_eq!(read(2, wide), Ok((3, 4, 1)));
        assert_eq!(read(3, wide), Ok((3, 4, 1)));
        assert!(read(3, narrow).is_err());
    }
}
