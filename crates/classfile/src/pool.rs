//! The constant pool (JVMS 4.4), read by position and decoded on demand.

use std::borrow::Cow;

use crate::cursor::Cursor;
use crate::descriptor::is_class_name;
use crate::{Malformed, What, field_descriptor};

/// The kinds of constant pool entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names of JVMS table 4.4-A")]
pub enum Tag {
    Utf8 = 1,
    Integer = 3,
    Float = 4,
    Long = 5,
    Double = 6,
    Class = 7,
    String = 8,
    FieldRef = 9,
    MethodRef = 10,
    InterfaceMethodRef = 11,
    NameAndType = 12,
    MethodHandle = 15,
    MethodType = 16,
    Dynamic = 17,
    InvokeDynamic = 18,
    Module = 19,
    Package = 20,
}

impl Tag {
    fn new(byte: u8) -> Option<Self> {
        Some(match byte {
            1 => Self::Utf8,
            3 => Self::Integer,
            4 => Self::Float,
            5 => Self::Long,
            6 => Self::Double,
            7 => Self::Class,
            8 => Self::String,
            9 => Self::FieldRef,
            10 => Self::MethodRef,
            11 => Self::InterfaceMethodRef,
            12 => Self::NameAndType,
            15 => Self::MethodHandle,
            16 => Self::MethodType,
            17 => Self::Dynamic,
            18 => Self::InvokeDynamic,
            19 => Self::Module,
            20 => Self::Package,
            _ => return None,
        })
    }
}

/// A field, method or interface method reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// Which of the three kinds.
    pub tag: Tag,
    /// Name of the class, or descriptor of the array, it is looked up in.
    pub class: &'a [u8],
    /// Index of the class entry.
    pub class_index: u16,
    /// Name of the member.
    pub name: &'a [u8],
    /// Descriptor of the member.
    pub descriptor: &'a [u8],
}

/// A method handle constant: a kind (JVMS table 5.4.3.5-A) and the member it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodHandleConstant {
    /// 1 to 9.
    pub kind: u8,
    /// Index of the member reference.
    pub member: u16,
}

/// A loadable constant, or the operand of an `invokedynamic`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the kinds of JVMS table 4.4-C")]
pub enum Constant<'a> {
    Integer(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    /// Class name or array descriptor.
    Class(&'a [u8]),
    /// Modified UTF-8.
    String(&'a [u8]),
    MethodHandle(MethodHandleConstant),
    /// Method descriptor.
    MethodType(&'a [u8]),
    /// Also for `invokedynamic`, where the descriptor is a method's.
    Dynamic {
        bootstrap: u16,
        name: &'a [u8],
        descriptor: &'a [u8],
    },
}

/// The constant pool: where each entry is; entries are decoded when asked for.
#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    bytes: &'a [u8],
    /// Offset of each entry's tag; 0 for the unusable ones (the first, and after long and double).
    entries: Cow<'a, [u32]>,
}

impl<'a> ConstantPool<'a> {
    /// Finds the entries. `cursor` must run over `bytes` itself, from offset 0.
    pub(crate) fn read(bytes: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Self, Malformed> {
        let count = usize::from(cursor.u2()?);
        // An entry takes at least 3 bytes, so that a lying count cannot make this allocation large.
        let mut entries = Vec::with_capacity(count.min(cursor.remaining() / 3 + 1));
        entries.push(0);
        while entries.len() < count {
            let offset = cursor.offset();
            let tag = cursor.u1()?;
            let size = match Tag::new(tag) {
                Some(Tag::Utf8) => usize::from(cursor.u2()?),
                Some(Tag::Class | Tag::String | Tag::MethodType | Tag::Module | Tag::Package) => 2,
                Some(Tag::MethodHandle) => 3,
                Some(Tag::Long | Tag::Double) => 8,
                Some(_) => 4,
                None => return Err(Malformed { offset, what: What::PoolTag(tag) }),
            };
            cursor.take(size)?;
            entries.push(offset);
            if matches!(tag, 5 | 6) && entries.len() < count {
                entries.push(0);
            }
        }
        Ok(Self { bytes, entries: Cow::Owned(entries) })
    }

    /// The pool of a class that was read before, from [`ConstantPool::into_positions`].
    pub fn at_positions(bytes: &'a [u8], positions: &'a [u32]) -> Self {
        Self { bytes, entries: Cow::Borrowed(positions) }
    }

    /// Where the entries are, to make the pool again without reading it.
    pub fn into_positions(self) -> Vec<u32> {
        self.entries.into_owned()
    }

    /// One more than the largest index.
    pub fn len(&self) -> u16 {
        self.entries.len().min(usize::from(u16::MAX)) as u16
    }

    /// Whether there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.entries.len() <= 1
    }

    /// The kind of the entry at `index`, if there is one.
    pub fn tag(&self, index: u16) -> Option<Tag> {
        let offset = *self.entries.get(usize::from(index))?;
        if offset == 0 { None } else { Tag::new(*self.bytes.get(offset as usize)?) }
    }

    /// Offset in the class file of an entry, for messages.
    pub fn offset(&self, index: u16) -> u32 {
        self.entries.get(usize::from(index)).copied().unwrap_or(0)
    }

    fn cursor(&self, index: u16, tag: Tag, expected: &'static str) -> Result<Cursor<'a>, Malformed> {
        let offset = self.offset(index);
        match self.bytes.get(offset as usize..) {
            Some([first, rest @ ..]) if offset != 0 && *first == tag as u8 => {
                Ok(Cursor::new(rest, offset + 1))
            }
            _ => Err(Malformed { offset, what: What::PoolIndex { index, expected } }),
        }
    }

    /// The bytes of a `Utf8` entry.
    pub fn utf8(&self, index: u16) -> Result<&'a [u8], Malformed> {
        let mut cursor = self.cursor(index, Tag::Utf8, "a string")?;
        let len = cursor.u2()?;
        cursor.take(usize::from(len))
    }

    /// The name of a `Class` entry: an internal class name, or the descriptor of an array type.
    pub fn class_name(&self, index: u16) -> Result<&'a [u8], Malformed> {
        let name = self.utf8(self.cursor(index, Tag::Class, "a class")?.u2()?)?;
        let is_type =
            if name.starts_with(b"[") { field_descriptor(name).is_some() } else { is_class_name(name) };
        let what = What::Invalid("a class constant with a name that no class can have");
        if is_type { Ok(name) } else { Err(Malformed { offset: self.offset(index), what }) }
    }

    /// The same where only a class or interface can be meant, and no array type.
    pub fn declared_class_name(&self, index: u16) -> Result<&'a [u8], Malformed> {
        let name = self.class_name(index)?;
        let what = What::PoolIndex { index, expected: "a class or interface" };
        if name.starts_with(b"[") { Err(Malformed { offset: self.offset(index), what }) } else { Ok(name) }
    }

    /// Name and descriptor of a `NameAndType` entry.
    pub fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), Malformed> {
        let mut cursor = self.cursor(index, Tag::NameAndType, "a name and type")?;
        let (name, descriptor) = (cursor.u2()?, cursor.u2()?);
        Ok((self.utf8(name)?, self.utf8(descriptor)?))
    }

    /// A field, method or interface method reference.
    pub fn member(&self, index: u16) -> Result<MemberRef<'a>, Malformed> {
        let expected = "a field or method";
        let tag = self.tag(index).filter(|t| is_member(*t)).unwrap_or(Tag::MethodRef);
        let mut cursor = self.cursor(index, tag, expected)?;
        let (class_index, name_and_type) = (cursor.u2()?, cursor.u2()?);
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef { tag, class: self.class_name(class_index)?, class_index, name, descriptor })
    }

    /// A loadable constant (`ldc`, a bootstrap argument, a constant value).
    pub fn constant(&self, index: u16) -> Result<Constant<'a>, Malformed> {
        let expected = "a loadable constant";
        let Some(tag) = self.tag(index) else {
            return Err(Malformed { offset: 0, what: What::PoolIndex { index, expected } });
        };
        let mut cursor = self.cursor(index, tag, expected)?;
        Ok(match tag {
            Tag::Integer => Constant::Integer(cursor.i4()?),
            Tag::Float => Constant::Float(f32::from_bits(cursor.u4()?)),
            Tag::Long => Constant::Long(cursor.u8()? as i64),
            Tag::Double => Constant::Double(f64::from_bits(cursor.u8()?)),
            Tag::Class => Constant::Class(self.class_name(index)?),
            Tag::String => Constant::String(self.utf8(cursor.u2()?)?),
            Tag::MethodHandle => {
                Constant::MethodHandle(MethodHandleConstant { kind: cursor.u1()?, member: cursor.u2()? })
            }
            Tag::MethodType => Constant::MethodType(self.utf8(cursor.u2()?)?),
            Tag::Dynamic => self.dynamic_at(&mut cursor)?,
            _ => {
                return Err(Malformed {
                    offset: self.offset(index),
                    what: What::PoolIndex { index, expected },
                });
            }
        })
    }

    /// The operand of an `invokedynamic`, as a [`Constant::Dynamic`].
    pub fn invoke_dynamic(&self, index: u16) -> Result<Constant<'a>, Malformed> {
        self.dynamic_at(&mut self.cursor(index, Tag::InvokeDynamic, "an invokedynamic call site")?)
    }

    fn dynamic_at(&self, cursor: &mut Cursor<'a>) -> Result<Constant<'a>, Malformed> {
        let (bootstrap, name_and_type) = (cursor.u2()?, cursor.u2()?);
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(Constant::Dynamic { bootstrap, name, descriptor })
    }
}

fn is_member(tag: Tag) -> bool {
    matches!(tag, Tag::FieldRef | Tag::MethodRef | Tag::InterfaceMethodRef)
}
