//! A whole class.

use heliostat_classfile::{ClassFile, Code, Constant, Member, Tag};

use crate::code::{Passed, Weaver, WovenCode};
use crate::pool::Additions;
use crate::runtime::{Members, Runtime};
use crate::splice::Splice;

/// The numbers to give next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// For a method; not 0.
    pub method: u32,
    /// For a site; not 0.
    pub site: u32,
}

/// How much of a method is traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Each of its call sites.
    Sites,
    /// Its calls, but not where in it they are: with more in it, it would be too long.
    Method,
}

/// A method that is traced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WovenMethod {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: Vec<u8>,
    /// Its descriptor.
    pub descriptor: Vec<u8>,
    /// How much of it is.
    pub depth: Depth,
}

/// A place in a method that is told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WovenSite {
    /// Its number.
    pub number: u32,
    /// The number of its method.
    pub method: u32,
    /// Its bytecode offset.
    pub offset: u32,
    /// Its source line; 0 if the class does not say.
    pub line: u16,
    /// The instruction there; 0 for a method as a whole, `athrow` where an exception is caught.
    pub opcode: u8,
    /// What the instruction names: the owner, the name and the descriptor of a member. A class has only an owner, an
    /// `invokedynamic` has none; a computed constant has nothing.
    pub names: [Vec<u8>; 3],
}

/// A class with tracing woven in.
#[derive(Debug, Clone, Default)]
pub struct Woven {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Its methods that are traced.
    pub methods: Vec<WovenMethod>,
    /// Its sites.
    pub sites: Vec<WovenSite>,
    /// Name and descriptor of methods that are not.
    pub left: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Why something is not woven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It is not as the JVM specification wants it.
    Malformed,
    /// It would be longer than the JVM takes.
    TooLong,
    /// The constant pool has no room.
    PoolFull,
}

/// The method that is being woven.
pub(crate) struct Target<'a> {
    pub(crate) class: &'a [u8],
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
    pub(crate) is_static: bool,
    pub(crate) number: u32,
}

/// Weaves tracing into a class. None if nothing can be made of its bytes: the JVM will say so itself.
pub fn weave(bytes: &[u8], numbers: Numbers, runtime: Runtime) -> Option<Woven> {
    let class = ClassFile::read(bytes).ok().filter(|class| class.problems.is_empty())?;
    let mut added = Additions::new(class.pool.len());
    let members = runtime.members(class.name, &mut added).ok()?;
    let mut weaving = Weaving { class: &class, added, numbers, woven: Woven::default() };
    let changes: Vec<Change> = class.methods.iter().filter_map(|method| weaving.method(method)).collect();
    let mut splice = Splice::new(bytes);
    weaving.add_pool(&mut splice);
    add_members(&class, &members, &mut splice);
    for change in changes {
        // The length of an attribute is the four bytes before its content.
        let length = (change.content.len() as u32).to_be_bytes();
        splice.replace(change.offset - 4, 4, &length);
        splice.replace(change.offset, change.length, &change.content);
    }
    Some(Woven { bytes: splice.finish(), ..weaving.woven })
}

/// Whether the JVM takes a method as none: with anything in `finalize`, every object of the class would be registered.
fn is_empty_finalizer(target: &Target<'_>, code: &Code<'_>) -> bool {
    target.name == b"finalize" && target.descriptor == b"()V" && code.instructions.len() == 1
}

/// New content for an attribute.
struct Change {
    offset: usize,
    length: usize,
    content: Vec<u8>,
}

struct Weaving<'a, 'b> {
    class: &'b ClassFile<'a>,
    added: Additions,
    numbers: Numbers,
    woven: Woven,
}

impl<'a> Weaving<'a, '_> {
    /// Weaves a method that has code.
    fn method(&mut self, method: &Member<'a>) -> Option<Change> {
        let attribute = method.attributes.find(&self.class.pool, "Code")?;
        let target = Target {
            class: self.class.name,
            name: method.name,
            descriptor: method.descriptor,
            is_static: method.flags.is_static(),
            number: self.numbers.method,
        };
        let code = Code::read(&attribute, self.class.version);
        let code = code.map_err(|_| Refused::Malformed);
        if code.as_ref().is_ok_and(|code| is_empty_finalizer(&target, code)) {
            return None;
        }
        let woven = code.and_then(|code| self.code(&target, &code));
        let Ok((depth, code)) = woven else {
            self.woven.left.push((method.name.to_vec(), method.descriptor.to_vec()));
            return None;
        };
        self.note(&target, depth, &code.passed);
        let (offset, length) = (attribute.offset as usize, attribute.bytes.len());
        Some(Change { offset, length, content: code.bytes })
    }

    /// Traces as much of a method as there is room for.
    fn code(&mut self, target: &Target<'a>, code: &Code<'a>) -> Result<(Depth, WovenCode), Refused> {
        let mut at_depth = |depth| {
            let first_site = self.numbers.site;
            let (pool, added) = (&self.class.pool, &mut self.added);
            let woven = Weaver { target, pool, added, first_site, depth }.weave(code)?;
            Ok((depth, woven))
        };
        match at_depth(Depth::Sites) {
            Err(Refused::TooLong | Refused::PoolFull) => at_depth(Depth::Method),
            other => other,
        }
    }

    fn note(&mut self, target: &Target<'a>, depth: Depth, passed: &[Passed]) {
        let (name, descriptor) = (target.name.to_vec(), target.descriptor.to_vec());
        self.woven.methods.push(WovenMethod { number: target.number, name, descriptor, depth });
        self.numbers.method += 1;
        self.numbers.site += passed.len() as u32;
        for site in passed {
            let Passed { number, pc: offset, line, opcode, names } = *site;
            let names = self.names(names);
            self.woven.sites.push(WovenSite { number, method: target.number, offset, line, opcode, names });
        }
    }

    fn names(&self, index: u16) -> [Vec<u8>; 3] {
        let pool = &self.class.pool;
        let texts: [&[u8]; 3] = match pool.tag(index) {
            Some(Tag::Class) => [pool.class_name(index).unwrap_or(b""), b"", b""],
            Some(Tag::FieldRef | Tag::MethodRef | Tag::InterfaceMethodRef) => match pool.member(index) {
                Ok(member) => [member.class, member.name, member.descriptor],
                Err(_) => [b"", b"", b""],
            },
            Some(Tag::InvokeDynamic) => match pool.invoke_dynamic(index) {
                Ok(Constant::Dynamic { name, descriptor, .. }) => [b"", name, descriptor],
                _ => [b"", b"", b""],
            },
            _ => [b"", b"", b""],
        };
        texts.map(<[u8]>::to_vec)
    }

    /// The new length of the constant pool, and its new entries.
    fn add_pool(&self, splice: &mut Splice<'_>) {
        splice.replace(8, 2, &self.added.len().to_be_bytes());
        splice.insert(self.class.body as usize, self.added.bytes());
    }
}

/// Puts new members before the others.
fn add_members(class: &ClassFile<'_>, members: &Members, splice: &mut Splice<'_>) {
    // After the flags, the names of the class and its superclass, and the interfaces.
    let fields = class.body as usize + 8 + 2 * class.interfaces.len();
    let methods = class.methods.first().map(|method| method.offset as usize - 2);
    let all = [
        (Some(fields), class.fields.len(), &members.fields),
        (methods, class.methods.len(), &members.methods),
    ];
    for (place, known, (count, bytes)) in all {
        if let Some(place) = place.filter(|_| *count > 0) {
            splice.replace(place, 2, &(known as u16 + count).to_be_bytes());
            splice.insert(place + 2, bytes);
        }
    }
}
/// The internal name of a class, by its bytes; empty if they are none of a class.
pub fn class_name(bytes: &[u8]) -> &[u8] {
    ClassFile::read(bytes).map_or(&[], |class| class.name)
}
