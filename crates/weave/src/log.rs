//! The log of a traced process: what the numbers in its table stand for, and what it did by reflection.
//!
//! A sequence of records, each with its length before it, so that a log that was cut off can be read up to there. Numbers are
//! written in as many groups of seven bits as they need, texts with their length before them.

use crate::hooks::Api;
use crate::weave::{Depth, Woven, WovenMethod, WovenSite};

/// What a log tells, one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Something about the process, under a name.
    Property(String, String),
    /// A class was loaded.
    Class(LoadedClass),
    /// Something was done by reflection, the first time from this site about this.
    Action(Action),
    /// The bytes of a class that no file may have.
    Code(ClassCode),
}

/// A class as it was defined, before weaving.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassCode {
    /// Its internal name.
    pub name: Vec<u8>,
    /// Where it is from, as its code source says; empty if that says nothing.
    pub location: String,
    /// Its class file.
    pub bytes: Vec<u8>,
}

/// A class as it was loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadedClass {
    /// Its internal name.
    pub name: Vec<u8>,
    /// Checksum (CRC-32) of its bytes, before weaving.
    pub checksum: u32,
    /// The length of these bytes.
    pub length: u32,
    /// Where it is from, as its code source says; empty if that says nothing.
    pub location: String,
    /// Whether it is of the boot loader.
    pub is_boot: bool,
    /// Its methods that are traced.
    pub methods: Vec<WovenMethod>,
    /// Its sites.
    pub sites: Vec<WovenSite>,
    /// Name and descriptor of methods that are not traced, though they have code.
    pub left: Vec<(Vec<u8>, Vec<u8>)>,
    /// Whether nothing could be made of its bytes.
    pub is_unreadable: bool,
}

impl LoadedClass {
    /// Takes over what weaving has found out.
    pub fn set_woven(&mut self, woven: Woven) {
        self.methods = woven.methods;
        self.sites = woven.sites;
        self.left = woven.left;
    }

    /// Whether the program may have made it while it ran, and others can name it. Classes of the JDK are not asked for, except its
    /// proxies. A code source proves nothing: a class that is made for another one is defined with that one's.
    pub fn may_be_made(&self) -> bool {
        let is_hidden = contains(&self.name, b"/0x") || contains(&self.name, b"$$Lambda");
        let is_proxy = contains(&self.name, b"/$Proxy");
        let is_of_jdk = self.location.starts_with("jrt:") || is_of_jdk(&self.name);
        !self.name.is_empty() && !is_hidden && !self.is_boot && (is_proxy || !is_of_jdk)
    }
}

/// Whether it is in a package that nobody but the JDK defines classes in.
pub fn is_of_jdk(name: &[u8]) -> bool {
    [&b"java/"[..], b"javax/", b"jdk/", b"sun/", b"com/sun/"].iter().any(|package| name.starts_with(package))
}

fn contains(name: &[u8], part: &[u8]) -> bool {
    name.windows(part.len()).any(|window| window == part)
}

/// Something that was done by reflection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Action {
    /// What.
    pub api: Api,
    /// The caller's site; 0 if there is none.
    pub site: u32,
    /// What it was about.
    pub subject: Subject,
    /// A name, where the subject does not say all.
    pub detail: Option<Vec<u8>>,
}

/// What a reflective action is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Nothing but the detail.
    Nothing,
    /// Classes, by their descriptors.
    Classes(Vec<Vec<u8>>),
    /// A method or constructor: descriptor of the class, name, descriptor. Of one that is invoked, what the receiver selects.
    Method([Vec<u8>; 3]),
    /// A field: descriptor of the class, name, descriptor.
    Field([Vec<u8>; 3]),
}

/// Writes records.
#[derive(Debug, Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u32);
        self.0.extend(text);
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u32);
        for item in items {
            write(self, item);
        }
    }

    fn texts(&mut self, texts: &[Vec<u8>]) {
        for text in texts {
            self.text(text);
        }
    }

    fn class(&mut self, class: &LoadedClass) {
        self.text(&class.name);
        self.0.extend(class.checksum.to_le_bytes());
        self.number(class.length);
        self.text(class.location.as_bytes());
        self.0.push(u8::from(class.is_boot) | u8::from(class.is_unreadable) << 1);
        self.list(&class.methods, |out, method| {
            out.number(method.number);
            out.text(&method.name);
            out.text(&method.descriptor);
            out.0.push(u8::from(method.depth == Depth::Method));
        });
        // What sites name comes again and again.
        let mut names: Vec<&[Vec<u8>; 3]> = class.sites.iter().map(|site| &site.names).collect();
        names.sort_unstable();
        names.dedup();
        self.list(&names, |out, texts| out.texts(&texts[..]));
        self.list(&class.sites, |out, site| {
            out.number(site.number);
            out.number(site.method);
            out.number(site.offset);
            out.number(site.line.into());
            out.0.push(site.opcode);
            out.number(names.binary_search(&&site.names).unwrap_or(0) as u32);
        });
        self.list(&class.left, |out, (name, descriptor)| {
            out.text(name);
            out.text(descriptor);
        });
    }

    fn action(&mut self, action: &Action) {
        self.0.push(action.api.number());
        self.number(action.site);
        match &action.subject {
            Subject::Nothing => self.0.push(0),
            Subject::Classes(classes) => {
                self.0.push(1);
                self.list(classes, |out, class| out.text(class));
            }
            Subject::Method(names) => {
                self.0.push(2);
                self.texts(names);
            }
            Subject::Field(names) => {
                self.0.push(3);
                self.texts(names);
            }
        }
        self.list(action.detail.as_slice(), |out, detail| out.text(detail));
    }
}

/// A record as bytes, with its length before it.
pub fn write(record: &Record) -> Vec<u8> {
    let mut out = Writer::default();
    match record {
        Record::Property(name, value) => {
            out.0.push(0);
            out.text(name.as_bytes());
            out.text(value.as_bytes());
        }
        Record::Class(class) => {
            out.0.push(1);
            out.class(class);
        }
        Record::Action(action) => {
            out.0.push(2);
            out.action(action);
        }
        Record::Code(code) => {
            out.0.push(3);
            out.text(&code.name);
            out.text(code.location.as_bytes());
            out.text(&code.bytes);
        }
    }
    let mut all = (out.0.len() as u32).to_le_bytes().to_vec();
    all.extend(out.0);
    all
}

/// Reads the records of a log, up to where it ends or makes no sense.
pub struct Records<'a>(&'a [u8]);

impl<'a> Records<'a> {
    /// The records of a log.
    pub fn new(log: &'a [u8]) -> Self {
        Self(log)
    }

    /// What is left and was not read: nothing, unless the log was cut off.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (record, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let record = Reader(record).record()?;
        self.0 = rest;
        Some(record)
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u32> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn slice(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    fn text(&mut self) -> Option<Vec<u8>> {
        self.slice().map(<[u8]>::to_vec)
    }

    fn string(&mut self) -> Option<String> {
        self.slice().map(|text| String::from_utf8_lossy(text).into_owned())
    }

    fn names(&mut self) -> Option<[Vec<u8>; 3]> {
        Some([self.text()?, self.text()?, self.text()?])
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn record(&mut self) -> Option<Record> {
        Some(match self.byte()? {
            0 => Record::Property(self.string()?, self.string()?),
            1 => Record::Class(self.class()?),
            2 => Record::Action(self.action()?),
            3 => {
                let (name, location, bytes) = (self.text()?, self.string()?, self.text()?);
                Record::Code(ClassCode { name, location, bytes })
            }
            _ => return None,
        })
    }

    fn class(&mut self) -> Option<LoadedClass> {
        let name = self.text()?;
        let (checksum, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        let checksum = u32::from_le_bytes(*checksum);
        let (length, location, flags) = (self.number()?, self.string()?, self.byte()?);
        let methods = self.list(Self::method)?;
        let names = self.list(Self::names)?;
        let sites = self.list(|reader| reader.site(&names))?;
        let left = self.list(|reader| Some((reader.text()?, reader.text()?)))?;
        let (is_boot, is_unreadable) = (flags & 1 != 0, flags & 2 != 0);
        Some(LoadedClass { name, checksum, length, location, is_boot, methods, sites, left, is_unreadable })
    }

    fn method(&mut self) -> Option<WovenMethod> {
        let (number, name, descriptor) = (self.number()?, self.text()?, self.text()?);
        let depth = if self.byte()? == 0 { Depth::Sites } else { Depth::Method };
        Some(WovenMethod { number, name, descriptor, depth })
    }

    fn site(&mut self, names: &[[Vec<u8>; 3]]) -> Option<WovenSite> {
        let (number, method, offset) = (self.number()?, self.number()?, self.number()?);
        let (line, opcode) = (self.number()? as u16, self.byte()?);
        let names = names.get(self.number()? as usize)?.clone();
        Some(WovenSite { number, method, offset, line, opcode, names })
    }

    fn action(&mut self) -> Option<Action> {
        let api = Api::of_number(self.byte()?)?;
        let site = self.number()?;
        let subject = match self.byte()? {
            0 => Subject::Nothing,
            1 => Subject::Classes(self.list(Self::text)?),
            2 => Subject::Method(self.names()?),
            3 => Subject::Field(self.names()?),
            _ => return None,
        };
        let detail = self.list(Self::text)?.into_iter().next();
        Some(Action { api, site, subject, detail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> [Record; 4] {
        let names = [b"A".to_vec(), b"f".to_vec(), b"()V".to_vec()];
        let site =
            WovenSite { number: 300, method: 2, offset: 7, line: 9, opcode: 0xb6, names: names.clone() };
        let method = WovenMethod {
            number: 2,
            name: b"main".to_vec(),
            descriptor: b"()V".to_vec(),
            depth: Depth::Sites,
        };
        let class = LoadedClass {
            name: b"app/Main".to_vec(),
            checksum: 0xdead_beef,
            length: 1000,
            location: "file:/x".to_owned(),
            is_boot: true,
            methods: vec![method],
            sites: vec![site],
            left: vec![(b"big".to_vec(), b"()V".to_vec())],
            is_unreadable: false,
        };
        let subject = Subject::Method(names);
        let action = Action { api: Api::MethodInvoke, site: 300, subject, detail: Some(b"x".to_vec()) };
        let code =
            ClassCode { name: b"app/Made".to_vec(), location: "file:/x".to_owned(), bytes: vec![0; 300] };
        [
            Record::Property("jdk".to_owned(), "17".to_owned()),
            Record::Class(class),
            Record::Action(action),
            Record::Code(code),
        ]
    }

    #[test]
    fn a_log_reads_as_it_was_written() {
        let log: Vec<u8> = records().iter().flat_map(write).collect();
        assert_eq!(Records::new(&log).collect::<Vec<_>>(), records());
    }

    #[test]
    fn classes_that_may_be_made_at_run_time() {
        let of = |name: &str, location: &str| LoadedClass {
            name: name.as_bytes().to_vec(),
            location: location.to_owned(),
            ..LoadedClass::default()
        };
        for name in ["app/Main$$Cglib$$0", "app/Main", "jdk/proxy2/$Proxy7", "com/sun/proxy/$Proxy0"] {
            assert!(of(name, "file:/app.jar").may_be_made(), "{name}");
        }
        for name in ["java/lang/X", "app/Main$$Lambda/0x1", "app/Main$$Lambda$3", "app/Main/0x3"] {
            assert!(!of(name, "").may_be_made(), "{name}");
        }
        assert!(!of("org/xml/X", "jrt:/java.xml").may_be_made());
        assert!(!LoadedClass { is_boot: true, ..of("app/Main", "") }.may_be_made());
    }

    #[test]
    fn a_log_that_was_cut_off_gives_what_is_whole() {
        let log: Vec<u8> = records().iter().flat_map(write).collect();
        let whole: Vec<usize> = records().iter().map(|record| write(record).len()).collect();
        for end in 0..log.len() {
            let expected = whole.iter().scan(0, |sum, length| Some(*sum + length).inspect(|s| *sum = *s));
            let expected = expected.take_while(|&sum| sum <= end).count();
            assert_eq!(Records::new(&log[..end]).count(), expected, "{end}");
        }
    }
}
