//! Lying class files: what can be read is read, the rest is told with its offset.

use heliostat_classfile::{ClassFile, Malformed, What};
use heliostat_program::{ClassId, MethodId, PoolEntry};

use crate::asm::{Asm, Body, shorts};
use crate::meter::measure;
use crate::{bounded, program};

/// A class with a field and a method, and offset of the access flags: the end of the constant pool.
fn sample() -> (Vec<u8>, usize) {
    let mut asm = Asm::new("Hostile");
    asm.field("f", "I");
    asm.method("m", "()V", &Body::new([0xb1]));
    asm.attribute("SourceFile", &[0, 1]);
    let bytes = asm.bytes();
    let flags = bytes.windows(4).position(|w| w == [0, 0x21, 0, 2]).unwrap();
    (bytes, flags)
}

fn set(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

fn fatal(bytes: &[u8]) -> Malformed {
    ClassFile::read(bytes).unwrap_err()
}

#[test]
fn counts_of_constants() {
    let (bytes, flags) = sample();
    let told = Malformed { offset: flags as u32, what: What::PoolTag(0) };
    assert_eq!(fatal(&set(&bytes, 8, &[0xff, 0xff])), told);
    // With no constants, the first of them is taken for the flags and the name.
    let expected = "a class";
    let told = Malformed { offset: 0, what: What::PoolIndex { index: 7 << 8 | u16::from(b'H'), expected } };
    assert_eq!(fatal(&set(&bytes, 8, &[0, 0])), told);
    let told = Malformed { offset: 0, what: What::PoolIndex { index: 0, expected } };
    assert_eq!(fatal(&set(&bytes, flags + 2, &[0, 0])), told);
    let told = Malformed { offset: 10, what: What::PoolIndex { index: 1, expected } };
    assert_eq!(fatal(&set(&bytes, flags + 2, &[0, 1])), told);
    assert_eq!(fatal(&set(&bytes, 6, &[0, 70])), Malformed { offset: 6, what: What::Version(70) });
    assert_eq!(fatal(&set(&bytes, 3, &[0])), Malformed { offset: 0, what: What::NotAClass });
}

/// A count makes no allocation larger than the file.
#[test]
fn a_lying_count_of_constants() {
    let (bytes, _) = sample();
    let (problem, cost) = measure(|| fatal(&set(&bytes[..10], 8, &[0xff, 0xff])));
    assert_eq!(problem, Malformed { offset: 10, what: What::Truncated });
    assert!(cost.largest < 100, "{cost:?}");
}

#[test]
fn every_cut_is_told() {
    let (bytes, flags) = sample();
    for end in 0..bytes.len() {
        let outcome = ClassFile::read(&bytes[..end]);
        if end < flags + 4 {
            let Malformed { offset, what } = outcome.unwrap_err();
            assert!(what == What::Truncated && offset as usize <= end, "cut at {end}: {what} at {offset}");
        } else {
            let problems = outcome.unwrap().problems;
            assert!(problems.iter().any(|p| p.what == What::Truncated), "cut at {end}: {problems:?}");
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    let offset = bytes.len() as u32;
    assert_eq!(ClassFile::read(&longer).unwrap().problems, [Malformed { offset, what: What::TrailingBytes }]);
}

#[test]
fn lengths_and_counts_of_lists() {
    let (bytes, flags) = sample();
    let truncated = |bytes: &[u8]| {
        let file = bounded(|| ClassFile::read(bytes).unwrap());
        let offsets = file.problems.iter().map(|p| (p.what, p.offset as usize)).collect::<Vec<_>>();
        (file.interfaces.len(), file.fields.len(), file.methods.len(), offsets)
    };
    assert_eq!(truncated(&bytes), (0, 1, 1, vec![]));
    // Interfaces, fields, methods, attributes: each list claims 65,535 items.
    let (interfaces, fields) = (flags + 6, flags + 8);
    let methods = fields + 2 + 8;
    let attributes = bytes.len() - 10;
    let all = [0xff, 0xff];
    let end = |bytes: &[u8]| (What::Truncated, bytes.len());
    assert_eq!(truncated(&set(&bytes, interfaces, &all)).0, 0);
    assert_eq!(truncated(&set(&bytes, fields, &all)).3.last().unwrap().0, What::Truncated);
    assert_eq!(truncated(&set(&bytes, methods, &all)).1, 1);
    assert_eq!(truncated(&set(&bytes, attributes, &all)), (0, 1, 1, vec![end(&bytes)]));
    // The length of the class's attribute, then of the method's.
    let content = bytes.len() - 2;
    let lies = set(&bytes, content - 4, &[0xff; 4]);
    assert_eq!(truncated(&lies), (0, 1, 1, vec![(What::Truncated, content)]));
    let code = methods + 2 + 8 + 6;
    let lies = set(&bytes, code - 4, &[0x7f, 0xff, 0xff, 0xff]);
    let (_, fields, methods, told) = truncated(&lies);
    assert_eq!((fields, methods, told[0]), (1, 0, (What::Truncated, code)));
}

#[test]
fn names_of_classes() {
    for name in ["", "[I", "[garbage", "[[[", "a;b", "a.b", "a[]"] {
        let bytes = Asm::new(name).bytes();
        let problem = fatal(&bytes);
        // The class constant comes right after its name.
        assert_eq!(problem.offset as usize, 10 + 3 + name.len(), "{name}: {problem}");
    }
    // Anything else may be a name, be it text or not.
    let name = b"a/\xff\xc0\x80 \xed\xa0\x80\x00";
    let (program, problems, _) = program(&[Asm::new(name).bytes()]);
    assert_eq!((problems.len(), program.classes().len()), (0, 1));
    let class = ClassId::from_u32(0);
    assert_eq!(program.symbols.bytes(program.types.name(program.classes()[class].ty)), name);
    assert_eq!(program.class_name(class), "a/\u{fffd}\0 \u{fffd}\u{fffd}");
}

/// Text is looked for as class files would write it.
#[test]
fn names_beyond_the_basic_plane() {
    let mut asm = Asm::new(b"p/M\xed\xa0\xb5\xed\xb0\x80");
    let name = asm.utf8(b"m\xc0\x80");
    let ty = asm.utf8("()V");
    asm.raw_method(&shorts(&[0x401, name, ty, 0]));
    let (program, ..) = program(&[asm.bytes()]);
    assert_eq!(program.find_class("p/M\u{1d400}"), Some(ClassId::from_u32(0)));
    assert!(program.find_selector("m\0", "()V").is_some());
}

/// JVMS 4.5, 4.6: what has the same name and descriptor. The first is the one that is meant.
#[test]
fn second_members() {
    let mut asm = Asm::new("Hostile");
    for descriptor in ["I", "J", "I"] {
        asm.field("f", descriptor);
    }
    for descriptor in ["()V", "()I", "()V"] {
        asm.abstract_method("m", descriptor);
    }
    let (program, problems, _) = program(&[asm.bytes()]);
    let told: Vec<_> = problems.iter().map(|p| p.what.to_string()).collect();
    assert_eq!(told, ["a second field of this name and type", "a second method of this name and descriptor"]);
    assert_eq!(problems[1].offset - problems[0].offset, 8 + 2 + 2 * 8);
    assert_eq!((program.fields().len(), program.methods().len()), (3, 3));
    let selector = program.find_selector("m", "()V").unwrap();
    assert_eq!(program.declared_method(ClassId::from_u32(0), selector), Some(MethodId::from_u32(0)));
}

/// JVMS 4.7.3: which methods have code.
#[test]
fn code_where_it_belongs() {
    let told = |name: &str, flags: u16, has_code: bool| {
        let mut asm = Asm::new("Hostile");
        let code = asm.code_attribute(&Body::new([0xb1]));
        let (name, ty) = (asm.utf8(name), asm.utf8("()V"));
        let method = shorts(&[flags, name, ty, u16::from(has_code)]);
        asm.raw_method(&[method, if has_code { code } else { Vec::new() }].concat());
        let (program, problems, _) = program(&[asm.bytes()]);
        assert_eq!(program.methods().len(), 1);
        problems.first().map(|p| p.what.to_string())
    };
    let (public, native, abstract_) = (1, 0x101, 0x401);
    let missing = Some("a method without code that is neither abstract nor native".to_owned());
    let superfluous = Some("an abstract or native method with code".to_owned());
    assert_eq!(told("m", public, true), None);
    assert_eq!(told("m", public, false), missing);
    assert_eq!(told("m", native, false), None);
    assert_eq!(told("m", native, true), superfluous);
    assert_eq!(told("m", abstract_, false), None);
    assert_eq!(told("m", abstract_, true), superfluous);
    // Of a class initialiser's flags neither counts.
    assert_eq!(told("<clinit>", abstract_, true), None);
    assert_eq!(told("<clinit>", abstract_, false), missing);
}

/// JVMS 4.4.8: what kinds of members the kinds of handles are about.
#[test]
fn kinds_of_handles() {
    let admitted = |version: u16| {
        let mut asm = Asm::new("Hostile");
        asm.version = (version, 0);
        let members = [(9, "I"), (10, "()V"), (11, "()V")].map(|(tag, ty)| asm.member(tag, "A", "m", ty));
        let handles: Vec<[u16; 3]> = (1..=9).map(|kind| members.map(|m| asm.handle(kind, m))).collect();
        let (mut program, ..) = program(&[asm.bytes()]);
        let class = ClassId::from_u32(0);
        program.link(class);
        let linked = program.linked(class).unwrap();
        let is_there = |handle| u8::from(linked.entry(handle) != PoolEntry::None);
        let told = linked.problems.iter().map(|p| p.what.to_string());
        let refused: u8 = handles.iter().flatten().map(|&h| 1 - is_there(h)).sum();
        assert_eq!(
            told.filter(|t| t == "method handle of another kind than its member").count(),
            refused.into()
        );
        handles.into_iter().map(|row| row.map(is_there)).collect::<Vec<_>>()
    };
    let (field, method, interface) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
    let either = [0, 1, 1];
    assert_eq!(admitted(52), [field, field, field, field, method, either, either, method, interface]);
    assert_eq!(admitted(51), [field, field, field, field, method, method, method, method, interface]);
}

#[test]
fn names_of_other_classes() {
    let told = |asm: Asm| {
        let (program, problems, _) = program(&[asm.bytes()]);
        assert_eq!(program.classes().len(), 1);
        problems.iter().map(|p| p.what.to_string()).collect::<Vec<_>>()
    };
    let illegal = "a class constant with a name that no class can have";
    assert_eq!(told(Asm::new("A").extends("[garbage")), [illegal]);
    assert_eq!(told(Asm::new("A").implements("")), [illegal]);
    assert_eq!(told(Asm::new("A").extends("[I")), ["constant pool index 6 is not a class or interface"]);
    let mut orphan = Asm::new("A");
    orphan.super_class = 0;
    assert_eq!(told(orphan), ["no superclass"]);
    let object = Asm::new("java/lang/Object").extends("A");
    assert_eq!(told(object), ["a superclass of java/lang/Object or of a module"]);
}

#[test]
fn descriptors() {
    let mut asm = Asm::new("Hostile");
    asm.field("deep", &format!("{}I", "[".repeat(256)));
    asm.field("good", &format!("{}I", "[".repeat(255)));
    asm.field("junk", "Ljava/lang/Object");
    asm.abstract_method("many", &format!("({})V", "I".repeat(300)));
    asm.abstract_method("wide", &format!("({})V", "J".repeat(128)));
    asm.abstract_method("good", &format!("({})V", "I".repeat(255)));
    let bytes = asm.bytes();
    let fields = bytes.len() - 2 - 2 - 3 * 8 - 2 - 3 * 8;
    let methods = fields + 3 * 8 + 2;
    let (program, problems, _) = program(&[bytes]);
    let offsets = [fields + 2, fields + 2 + 16, methods + 2, methods + 2 + 8];
    let told = offsets.map(|offset| Malformed { offset: offset as u32, what: What::Descriptor });
    assert_eq!(problems, told);
    assert_eq!((program.fields().len(), program.methods().len()), (1, 1));
}

/// Each array type has all those as elements that it is made of, with names of their own.
#[test]
fn long_names_of_deep_arrays() {
    let mut asm = Asm::new("Hostile");
    for i in 0..400 {
        asm.class(format!("{}L{i:060000};", "[".repeat(255)));
    }
    let (mut program, ..) = program(&[asm.bytes()]);
    let class = ClassId::from_u32(0);
    bounded(|| program.link(class));
    let types = program.linked(class).unwrap().entries();
    assert_eq!(types.iter().filter(|e| matches!(e, PoolEntry::Constant(_))).count(), 402);
}

#[test]
fn bootstraps() {
    let mut asm = Asm::new("Hostile");
    let method = asm.member(10, "Hostile", "bootstrap", "()V");
    let handle = asm.handle(6, method);
    let itself = asm.dynamic(17, 0, "itself", "I");
    let outside = asm.dynamic(18, 9, "outside", "()V");
    let [high, low] = outside.to_be_bytes();
    asm.method("m", "()I", &Body::new([0xba, high, low, 0, 0, 0x12, itself as u8, 0xac]));
    // Row 0 is an argument of itself; row 1 has a bad method, row 2 a bad argument.
    let rows = [3, handle, 1, itself, method, 0, handle, 1, 0xffff];
    asm.attribute("BootstrapMethods", &shorts(&rows));
    assert!(crate::lower(&asm).is_ok());

    let (mut program, ..) = program(&[asm.bytes()]);
    let class = ClassId::from_u32(0);
    program.link(class);
    let linked = program.linked(class).unwrap();
    assert_eq!([0, 1, 2, 9].map(|row| linked.bootstrap(row).is_some()), [true, false, false, false]);
    let told: Vec<_> = linked.problems.iter().map(|p| p.what.to_string()).collect();
    let expected = [
        format!("constant pool index {method} is not a loadable constant"),
        "constant pool index 65535 is not a loadable constant".to_owned(),
    ];
    assert_eq!(told, expected);
}

/// A constant pool in which everything is wrong: told once for each, and no more.
#[test]
fn damaged_constants() {
    let mut asm = Asm::new("Hostile");
    for index in 0..60_000_u16 {
        asm.constant([&[10][..], &shorts(&[index, index ^ 0x5555])].concat());
    }
    let (mut program, problems, _) = program(&[asm.bytes()]);
    assert_eq!(problems, []);
    let class = ClassId::from_u32(0);
    bounded(|| program.link(class));
    assert_eq!(program.linked(class).unwrap().problems.len(), 60_000);
}
