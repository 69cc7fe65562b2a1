//! What tests are written with: strings, and small programs as class files.

use bytes::Bytes;
use heliostat_program::{Builder, Program, SourceId};

use super::value::Value;

/// A string that is known.
pub(super) fn exact(text: &str) -> Value {
    Value::exact(text.as_bytes())
}

/// A string that begins and ends so.
pub(super) fn partial(prefix: &str, suffix: &str) -> Value {
    Value::partial(prefix.as_bytes(), suffix.as_bytes())
}

/// A class with members that do nothing.
pub(super) struct TestClass {
    name: String,
    parent: String,
    interfaces: Vec<String>,
    is_interface: bool,
    methods: Vec<String>,
    fields: Vec<String>,
}

impl TestClass {
    /// A class without members, below `java/lang/Object` unless it is that.
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            parent: "java/lang/Object".to_owned(),
            interfaces: Vec::new(),
            is_interface: false,
            methods: Vec::new(),
            fields: Vec::new(),
        }
    }

    /// An interface without members.
    pub(super) fn interface(name: &str) -> Self {
        Self { is_interface: true, ..Self::new(name) }
    }

    pub(super) fn below(self, parent: &str) -> Self {
        Self { parent: parent.to_owned(), ..self }
    }

    pub(super) fn implements(self, interfaces: &[&str]) -> Self {
        Self { interfaces: owned(interfaces), ..self }
    }

    /// Methods that take and return nothing; `name:I` is one that takes an `int`.
    pub(super) fn methods(self, methods: &[&str]) -> Self {
        Self { methods: owned(methods), ..self }
    }

    pub(super) fn fields(self, fields: &[&str]) -> Self {
        Self { fields: owned(fields), ..self }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut pool = Pool::default();
        let this = pool.class(&self.name);
        let parent = if self.name == "java/lang/Object" { 0 } else { pool.class(&self.parent) };
        let mut body = words(&[if self.is_interface { 0x0601 } else { 0x0421 }, this, parent]);
        let interfaces: Vec<u16> = self.interfaces.iter().map(|name| pool.class(name)).collect();
        body.extend(words(&[interfaces.len() as u16]));
        body.extend(words(&interfaces));
        body.extend(words(&[self.fields.len() as u16]));
        for name in &self.fields {
            body.extend(words(&[1, pool.utf8(name), pool.utf8("I"), 0]));
        }
        body.extend(words(&[self.methods.len() as u16]));
        for method in &self.methods {
            let (name, parameters) = method.split_once(':').unwrap_or((method, ""));
            body.extend(words(&[0x0401, pool.utf8(name), pool.utf8(&format!("({parameters})V")), 0]));
        }
        body.extend(words(&[0]));
        [words(&[0xcafe, 0xbabe, 0, 61, pool.count + 1]), pool.bytes, body].concat()
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// The program of some classes.
pub(super) fn program(classes: &[TestClass]) -> Program {
    let mut builder = Builder::new();
    for (number, class) in (0..).zip(classes) {
        builder.add(Bytes::from(class.bytes()), SourceId::from_u32(number)).unwrap();
    }
    builder.finish().0
}

#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    count: u16,
}

impl Pool {
    fn utf8(&mut self, text: &str) -> u16 {
        self.bytes.push(1);
        self.bytes.extend(words(&[text.len() as u16]));
        self.bytes.extend(text.as_bytes());
        self.count += 1;
        self.count
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.bytes.push(7);
        self.bytes.extend(words(&[name]));
        self.count += 1;
        self.count
    }
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}
