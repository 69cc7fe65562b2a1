//! Attributes (JVMS 4.7): a list that can be walked without understanding it, and the readers of
//! the class-level ones that the analyser needs.

use crate::cursor::Cursor;
use crate::{ConstantPool, Malformed, What};

/// One attribute, not interpreted.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its content.
    pub bytes: &'a [u8],
    /// Offset of the content in the class file.
    pub offset: u32,
}

impl<'a> Attribute<'a> {
    pub(crate) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.bytes, self.offset)
    }
}

/// The attributes of a class, field, method or code, walked lazily.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    cursor: Cursor<'a>,
    count: u16,
}

impl<'a> Attributes<'a> {
    /// Reads past a list of attributes, so that it can be walked later.
    pub(crate) fn skip(cursor: &mut Cursor<'a>) -> Result<Self, Malformed> {
        let count = cursor.u2()?;
        let list = Self { cursor: *cursor, count };
        for _ in 0..count {
            cursor.u2()?;
            let len = cursor.u4()?;
            cursor.take(len as usize)?;
        }
        Ok(list)
    }

    /// No attributes.
    pub(crate) fn none() -> Self {
        Self { cursor: Cursor::new(&[], 0), count: 0 }
    }

    /// The attributes in order. One whose name is no string is passed over.
    pub fn iter(self, pool: &ConstantPool<'a>) -> impl Iterator<Item = Attribute<'a>> {
        let Self { mut cursor, count } = self;
        (0..count).filter_map(move |_| {
            let name = cursor.u2().ok()?;
            let len = cursor.u4().ok()?;
            let offset = cursor.offset();
            let bytes = cursor.take(len as usize).ok()?;
            Some(Attribute { name: pool.utf8(name).ok()?, bytes, offset })
        })
    }

    /// The first attribute of this name.
    pub fn find(self, pool: &ConstantPool<'a>, name: &str) -> Option<Attribute<'a>> {
        self.iter(pool).find(|a| a.name == name.as_bytes())
    }
}

/// An entry of the `BootstrapMethods` attribute: constant pool indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap {
    /// Index of the method handle.
    pub method: u16,
    /// Indices of the static arguments.
    pub arguments: Vec<u16>,
}

impl Bootstrap {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Malformed> {
        Ok(Self { method: cursor.u2()?, arguments: index_list(cursor)? })
    }
}

/// A count and that many pool indices.
pub(crate) fn index_list(cursor: &mut Cursor<'_>) -> Result<Vec<u16>, Malformed> {
    let count = cursor.u2()?;
    (0..count).map(|_| cursor.u2()).collect()
}

/// Reads the whole content of an attribute, and checks that it was the whole.
pub(crate) fn whole<'a, T>(
    attribute: &Attribute<'a>,
    name: &'static str,
    read: impl FnOnce(&mut Cursor<'a>) -> Result<T, Malformed>,
) -> Result<T, Malformed> {
    let mut cursor = attribute.cursor();
    let value = read(&mut cursor)?;
    if cursor.is_empty() { Ok(value) } else { Err(cursor.error(What::Attribute(name))) }
}
