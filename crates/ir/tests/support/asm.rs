//! A class file assembler that checks nothing, so that what it writes can be as wrong as a test wants.

use std::collections::HashMap;

/// A class under construction. Everything is public but what is set here; methods are static.
pub struct Asm {
    pub version: (u16, u16),
    pub flags: u16,
    pub this: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pool: Vec<u8>,
    next: u16,
    known: HashMap<Vec<u8>, u16>,
    fields: List,
    methods: List,
    attributes: List,
}

/// A count and that many structures.
#[derive(Default)]
struct List {
    count: u16,
    bytes: Vec<u8>,
}

impl List {
    fn push(&mut self, item: &[u8]) {
        self.count += 1;
        self.bytes.extend_from_slice(item);
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.count.to_be_bytes());
        out.extend_from_slice(&self.bytes);
    }
}

/// The parts of a `Code` attribute.
#[derive(Default)]
pub struct Body {
    pub max_stack: u16,
    pub max_locals: u16,
    pub code: Vec<u8>,
    /// Start, end, target, caught class.
    pub handlers: Vec<[u16; 4]>,
    /// Names and contents.
    pub attributes: Vec<(&'static str, Vec<u8>)>,
}

impl Body {
    /// Code with room for anything that is not hostile.
    pub fn new(code: impl Into<Vec<u8>>) -> Self {
        Self { max_stack: 16, max_locals: 16, code: code.into(), ..Self::default() }
    }
}

impl Asm {
    /// A public class of version 52 that extends `Object`.
    pub fn new(name: impl AsRef<[u8]>) -> Self {
        let mut this = Self {
            version: (52, 0),
            flags: 0x21,
            this: 0,
            super_class: 0,
            interfaces: Vec::new(),
            pool: Vec::new(),
            next: 1,
            known: HashMap::new(),
            fields: List::default(),
            methods: List::default(),
            attributes: List::default(),
        };
        this.this = this.class(name.as_ref());
        if name.as_ref() != b"java/lang/Object" {
            this.super_class = this.class("java/lang/Object");
        }
        this
    }

    /// An interface.
    pub fn interface(name: &str) -> Self {
        Self { flags: 0x601, ..Self::new(name) }
    }

    /// Names another superclass.
    pub fn extends(mut self, name: &str) -> Self {
        self.super_class = self.class(name);
        self
    }

    /// Names one more interface.
    pub fn implements(mut self, name: &str) -> Self {
        let interface = self.class(name);
        self.interfaces.push(interface);
        self
    }

    /// The constant of these bytes, tag included; made on first sight.
    pub fn constant(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(&known) = self.known.get(&bytes) {
            return known;
        }
        let index = self.next;
        self.next += if matches!(bytes.first(), Some(5 | 6)) { 2 } else { 1 };
        self.pool.extend_from_slice(&bytes);
        self.known.insert(bytes, index);
        index
    }

    fn pair(&mut self, tag: u8, a: u16, b: u16) -> u16 {
        self.constant([&[tag][..], &a.to_be_bytes(), &b.to_be_bytes()].concat())
    }

    pub fn utf8(&mut self, text: impl AsRef<[u8]>) -> u16 {
        let text = text.as_ref();
        self.constant([&[1][..], &(text.len() as u16).to_be_bytes(), text].concat())
    }

    pub fn class(&mut self, name: impl AsRef<[u8]>) -> u16 {
        let name = self.utf8(name);
        self.constant([&[7][..], &name.to_be_bytes()].concat())
    }

    pub fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.pair(12, name, descriptor)
    }

    /// A field (9), method (10) or interface method (11).
    pub fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let (class, name_and_type) = (self.class(class), self.name_and_type(name, descriptor));
        self.pair(tag, class, name_and_type)
    }

    pub fn handle(&mut self, kind: u8, member: u16) -> u16 {
        self.constant([&[15, kind][..], &member.to_be_bytes()].concat())
    }

    /// A dynamic constant (17) or call site (18).
    pub fn dynamic(&mut self, tag: u8, row: u16, name: &str, descriptor: &str) -> u16 {
        let name_and_type = self.name_and_type(name, descriptor);
        self.pair(tag, row, name_and_type)
    }

    pub fn field(&mut self, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.fields.push(&shorts(&[0x9, name, descriptor, 0]));
    }

    /// A method without code.
    pub fn abstract_method(&mut self, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.methods.push(&shorts(&[0x401, name, descriptor, 0]));
    }

    pub fn method(&mut self, name: &str, descriptor: &str, body: &Body) {
        let code = self.code_attribute(body);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.raw_method(&[shorts(&[0x9, name, descriptor, 1]), code].concat());
    }

    /// A method of these bytes.
    pub fn raw_method(&mut self, bytes: &[u8]) {
        self.methods.push(bytes);
    }

    pub fn code_attribute(&mut self, body: &Body) -> Vec<u8> {
        let mut content = shorts(&[body.max_stack, body.max_locals]);
        content.extend((body.code.len() as u32).to_be_bytes());
        content.extend_from_slice(&body.code);
        content.extend((body.handlers.len() as u16).to_be_bytes());
        content.extend(body.handlers.iter().flat_map(|row| shorts(row)));
        content.extend((body.attributes.len() as u16).to_be_bytes());
        for (name, bytes) in &body.attributes {
            content.extend(self.attribute_bytes(name, bytes));
        }
        self.attribute_bytes("Code", &content)
    }

    /// An attribute of the class.
    pub fn attribute(&mut self, name: &str, bytes: &[u8]) {
        let attribute = self.attribute_bytes(name, bytes);
        self.attributes.push(&attribute);
    }

    fn attribute_bytes(&mut self, name: &str, bytes: &[u8]) -> Vec<u8> {
        let name = self.utf8(name);
        [&name.to_be_bytes()[..], &(bytes.len() as u32).to_be_bytes(), bytes].concat()
    }

    /// The class file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = 0xCAFE_BABE_u32.to_be_bytes().to_vec();
        out.extend(shorts(&[self.version.1, self.version.0, self.next]));
        out.extend_from_slice(&self.pool);
        out.extend(shorts(&[self.flags, self.this, self.super_class, self.interfaces.len() as u16]));
        out.extend(shorts(&self.interfaces));
        for list in [&self.fields, &self.methods, &self.attributes] {
            list.write(&mut out);
        }
        out
    }
}

/// Numbers end to end, as class files write them.
pub fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_be_bytes()).collect()
}
