//! The class file as a whole (JVMS 4.1).

use crate::attributes::{index_list, whole};
use crate::cursor::Cursor;
use crate::{Attribute, Attributes, Bootstrap, ConstantPool, Flags, Malformed, What};

/// Major and minor version of a class file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 45 for Java 1.0 to 69 for Java 25.
    pub major: u16,
    /// 0 but for old classes and previews.
    pub minor: u16,
}

/// A field or method.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// Its flags.
    pub flags: Flags,
    /// Its name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
    /// Its attributes.
    pub attributes: Attributes<'a>,
    /// Offset in the class file.
    pub offset: u32,
}

/// A class file. What could not be read is missing here and told in `problems`.
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    /// Its version.
    pub version: Version,
    /// Its constant pool.
    pub pool: ConstantPool<'a>,
    /// Offset of what follows the constant pool.
    pub body: u32,
    /// Its flags.
    pub flags: Flags,
    /// Its internal name, such as `java/lang/String`.
    pub name: &'a [u8],
    /// Its superclass; none for `java/lang/Object` and for modules.
    pub super_name: Option<&'a [u8]>,
    /// Its direct superinterfaces.
    pub interfaces: Vec<&'a [u8]>,
    /// Its fields.
    pub fields: Vec<Member<'a>>,
    /// Its methods.
    pub methods: Vec<Member<'a>>,
    /// Its attributes.
    pub attributes: Attributes<'a>,
    /// What is wrong with it.
    pub problems: Vec<Malformed>,
}

impl<'a> ClassFile<'a> {
    /// Reads a class. Fails only where nothing can be made of it: no readable constant pool, or no
    /// name. Later damage cuts the class short and is listed in [`ClassFile::problems`].
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut cursor = Cursor::new(bytes, 0);
        let version = read_version(&mut cursor)?;
        let pool = ConstantPool::read(bytes, &mut cursor)?;
        let body = cursor.offset();
        let flags = Flags(cursor.u2()?);
        let name = pool.declared_class_name(cursor.u2()?)?;
        let mut class = Self {
            version,
            pool,
            body,
            flags,
            name,
            super_name: None,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Attributes::none(),
            problems: Vec::new(),
        };
        if let Err(problem) = class.read_body(&mut cursor) {
            class.problems.push(problem);
        }
        Ok(class)
    }

    fn read_body(&mut self, cursor: &mut Cursor<'a>) -> Result<(), Malformed> {
        let super_name = self.read_super(cursor)?;
        self.super_name = self.keep(super_name).flatten();
        for index in index_list(cursor)? {
            let name = self.pool.declared_class_name(index);
            let name = self.keep(name);
            self.interfaces.extend(name);
        }
        self.fields = self.read_members(cursor)?;
        self.methods = self.read_members(cursor)?;
        self.attributes = Attributes::skip(cursor)?;
        if cursor.is_empty() { Ok(()) } else { Err(cursor.error(What::TrailingBytes)) }
    }

    /// The outer error means that the bytes end. Exactly `Object` and modules have no superclass.
    fn read_super(&self, cursor: &mut Cursor<'a>) -> Result<Result<Option<&'a [u8]>, Malformed>, Malformed> {
        let offset = cursor.offset();
        let index = cursor.u2()?;
        let invalid = |what| Ok(Err(Malformed { offset, what: What::Invalid(what) }));
        let is_root = self.name == b"java/lang/Object" || self.flags.is_module();
        match (index, is_root) {
            (0, false) => invalid("no superclass"),
            (1.., true) => invalid("a superclass of java/lang/Object or of a module"),
            (0, true) => Ok(Ok(None)),
            (1.., false) => Ok(self.pool.declared_class_name(index).map(Some)),
        }
    }

    /// Reads fields or methods. One with a bad name is left out; where the bytes end, so does the list.
    fn read_members(&mut self, cursor: &mut Cursor<'a>) -> Result<Vec<Member<'a>>, Malformed> {
        let count = cursor.u2()?;
        // A member takes at least 8 bytes, so that a lying count cannot make this allocation large.
        let mut members = Vec::with_capacity(usize::from(count).min(1024));
        for _ in 0..count {
            let member = self.read_member(cursor);
            match member {
                Ok(Ok(member)) => members.push(member),
                Ok(Err(problem)) => self.problems.push(problem),
                Err(problem) => {
                    self.problems.push(problem);
                    return Ok(members);
                }
            }
        }
        Ok(members)
    }

    /// The outer error means that the list cannot go on, the inner that this member is no good.
    fn read_member(&self, cursor: &mut Cursor<'a>) -> Result<Result<Member<'a>, Malformed>, Malformed> {
        let offset = cursor.offset();
        let flags = Flags(cursor.u2()?);
        let (name, descriptor) = (cursor.u2()?, cursor.u2()?);
        let attributes = Attributes::skip(cursor)?;
        let names = self.pool.utf8(name).and_then(|name| Ok((name, self.pool.utf8(descriptor)?)));
        Ok(names.map(|(name, descriptor)| Member { flags, name, descriptor, attributes, offset }))
    }

    fn keep<T>(&mut self, result: Result<T, Malformed>) -> Option<T> {
        result.map_err(|problem| self.problems.push(problem)).ok()
    }

    /// The first class attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.find(&self.pool, name)
    }

    /// The bootstrap methods of `invokedynamic` and dynamic constants.
    pub fn bootstrap_methods(&self) -> Result<Vec<Bootstrap>, Malformed> {
        let Some(attribute) = self.attribute("BootstrapMethods") else { return Ok(Vec::new()) };
        whole(&attribute, "BootstrapMethods", |cursor| {
            let count = cursor.u2()?;
            (0..count).map(|_| Bootstrap::read(cursor)).collect()
        })
    }

    /// The class that hosts this one's nest, if it is not this one itself.
    pub fn nest_host(&self) -> Result<Option<&'a [u8]>, Malformed> {
        let Some(attribute) = self.attribute("NestHost") else { return Ok(None) };
        let index = whole(&attribute, "NestHost", Cursor::u2)?;
        self.pool.declared_class_name(index).map(Some)
    }

    /// The classes that this nest host accepts as members of its nest.
    pub fn nest_members(&self) -> Result<Vec<&'a [u8]>, Malformed> {
        let Some(attribute) = self.attribute("NestMembers") else { return Ok(Vec::new()) };
        let members = whole(&attribute, "NestMembers", index_list)?;
        members.into_iter().map(|index| self.pool.class_name(index)).collect()
    }

    /// Name of the source file, without folder.
    pub fn source_file(&self) -> Option<&'a [u8]> {
        let index = whole(&self.attribute("SourceFile")?, "SourceFile", Cursor::u2).ok()?;
        self.pool.utf8(index).ok()
    }
}

fn read_version(cursor: &mut Cursor<'_>) -> Result<Version, Malformed> {
    let magic = cursor.error(What::NotAClass);
    if cursor.u4()? != 0xCAFE_BABE {
        return Err(magic);
    }
    let minor = cursor.u2()?;
    let unsupported = cursor.offset();
    let major = cursor.u2()?;
    if (45..=69).contains(&major) {
        Ok(Version { major, minor })
    } else {
        Err(Malformed { offset: unsupported, what: What::Version(major) })
    }
}
