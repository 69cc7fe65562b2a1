//! Two readers, one answer: on every class of the JDK, this reader and `noak` agree.
#![allow(clippy::panic, reason = "a test")]
#![allow(missing_docs, unreachable_pub, dead_code, reason = "support is shared among tests")]

use heliostat_classfile::{ClassFile, Code, Handler, Member};
use noak::error::DecodeError;
use noak::reader::attributes::Code as NoakCode;
use noak::reader::cpool::{self, ConstantPool, Index, Utf8};
use noak::reader::{Attribute, Class, DecodeMany};

#[path = "../../ir/tests/support/jdk.rs"]
mod jdk;

/// A class as both readers tell it.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    version: (u16, u16),
    flags: u16,
    name: Vec<u8>,
    super_name: Option<Vec<u8>>,
    interfaces: Vec<Vec<u8>>,
    fields: Vec<ToldMember>,
    methods: Vec<ToldMember>,
}

#[derive(Debug, PartialEq, Eq)]
struct ToldMember {
    flags: u16,
    name: Vec<u8>,
    descriptor: Vec<u8>,
    code: Option<ToldCode>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct ToldCode {
    max_stack: u16,
    max_locals: u16,
    /// Where each instruction begins.
    instructions: Vec<u32>,
    /// Start, end, target and pool index of the caught class.
    handlers: Vec<(u32, u32, u32, u16)>,
}

fn ours(bytes: &[u8]) -> Told {
    let file = ClassFile::read(bytes).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(file.problems, []);
    let members = |list: &[Member<'_>]| list.iter().map(|member| our_member(&file, member)).collect();
    Told {
        version: (file.version.major, file.version.minor),
        flags: file.flags.0,
        name: file.name.to_vec(),
        super_name: file.super_name.map(<[u8]>::to_vec),
        interfaces: file.interfaces.iter().map(|name| name.to_vec()).collect(),
        fields: members(&file.fields),
        methods: members(&file.methods),
    }
}

fn our_member(file: &ClassFile<'_>, member: &Member<'_>) -> ToldMember {
    let code = member.attributes.find(&file.pool, "Code").map(|attribute| {
        let code = Code::read(&attribute, file.version).unwrap_or_else(|problem| panic!("{problem}"));
        our_code(&code)
    });
    let (name, descriptor) = (member.name.to_vec(), member.descriptor.to_vec());
    ToldMember { flags: member.flags.0, name, descriptor, code }
}

fn our_code(code: &Code<'_>) -> ToldCode {
    let mut instructions = Vec::new();
    let mut pc = 0;
    while pc < code.instructions.len() {
        instructions.push(pc);
        pc = code.instructions.at(pc).unwrap_or_else(|problem| panic!("{problem}")).1;
    }
    assert_eq!(pc, code.instructions.len());
    let row = |h: &Handler| (h.start, h.end, h.target, h.catch_type);
    ToldCode {
        max_stack: code.max_stack,
        max_locals: code.max_locals,
        instructions,
        handlers: code.handlers.iter().map(row).collect(),
    }
}

fn theirs(bytes: &[u8]) -> Result<Told, DecodeError> {
    let class = Class::new(bytes)?;
    let pool = class.pool();
    let name_of =
        |index: Index<cpool::Class<'_>>| pool.retrieve(index).map(|class| class.name.as_bytes().to_vec());
    let mut told = Told {
        version: (class.version().major, class.version().minor),
        flags: class.access_flags().bits(),
        name: name_of(class.this_class())?,
        super_name: class.super_class().map(name_of).transpose()?,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
    };
    for index in class.interfaces() {
        told.interfaces.push(name_of(index?)?);
    }
    for field in class.fields() {
        let field = field?;
        let (flags, attributes) = (field.access_flags().bits(), field.attributes());
        told.fields.push(their_member(pool, flags, field.name(), field.descriptor(), &attributes)?);
    }
    for method in class.methods() {
        let method = method?;
        let (flags, attributes) = (method.access_flags().bits(), method.attributes());
        told.methods.push(their_member(pool, flags, method.name(), method.descriptor(), &attributes)?);
    }
    Ok(told)
}

fn their_member<'a>(
    pool: &ConstantPool<'a>,
    flags: u16,
    name: Index<Utf8<'a>>,
    descriptor: Index<Utf8<'a>>,
    attributes: &DecodeMany<'a, Attribute<'a>, u16>,
) -> Result<ToldMember, DecodeError> {
    let text = |index: Index<Utf8<'_>>| pool.retrieve(index).map(|text| text.as_bytes().to_vec());
    let code = attributes.find_attribute::<NoakCode<'a>>(pool)?.map(|code| their_code(&code)).transpose()?;
    Ok(ToldMember { flags, name: text(name)?, descriptor: text(descriptor)?, code })
}

fn their_code(code: &NoakCode<'_>) -> Result<ToldCode, DecodeError> {
    let starts = code.raw_instructions().map(|item| item.map(|(index, _)| index.as_u32()));
    let handlers = code.exception_handlers().map(|h| {
        let catch_type = h.catch_type().map_or(0, Index::as_u16);
        (h.start().as_u32(), h.end().as_u32(), h.handler().as_u32(), catch_type)
    });
    Ok(ToldCode {
        max_stack: code.max_stack(),
        max_locals: code.max_locals(),
        instructions: starts.collect::<Result<_, _>>()?,
        handlers: handlers.collect(),
    })
}

#[test]
fn every_class_of_the_jdk() {
    let inputs = jdk::jdk();
    let (mut classes, mut instructions) = (0, 0);
    for entry in inputs.classes.iter().chain(&inputs.modules) {
        let bytes = inputs.read(entry).unwrap_or_else(|problem| panic!("{problem}"));
        let told = ours(&bytes);
        match theirs(&bytes) {
            Ok(theirs) => assert!(told == theirs, "{}:\n{told:#?}\n{theirs:#?}", inputs.path(entry)),
            Err(error) => panic!("{}: {error}", inputs.path(entry)),
        }
        classes += 1;
        instructions +=
            told.methods.iter().filter_map(|m| m.code.as_ref()).map(|c| c.instructions.len()).sum::<usize>();
    }
    assert!(classes > 5000 && instructions > 1_000_000, "{classes} classes, {instructions} instructions");
}
