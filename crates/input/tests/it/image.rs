//! Modules images made by hand.

use std::collections::BTreeMap;
use std::io::Write;

use heliostat_input::{Kind, Origin};

use crate::support::{Outcome, names, open_bytes, problems, read_class};

/// An image under construction.
#[derive(Default)]
pub(crate) struct ImageWriter {
    big_endian: bool,
    minor: u32,
    strings: Vec<u8>,
    known: BTreeMap<String, u32>,
    offsets: Vec<u32>,
    attributes: Vec<u8>,
    content: Vec<u8>,
}

impl ImageWriter {
    pub(crate) fn new(big_endian: bool) -> Self {
        let mut writer = Self { big_endian, ..Self::default() };
        writer.string("");
        writer
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&at) = self.known.get(text) {
            return at;
        }
        let at = self.strings.len() as u32;
        self.strings.extend(text.as_bytes());
        self.strings.push(0);
        self.known.insert(text.to_owned(), at);
        at
    }

    /// Adds a resource `/module/parent/base.extension`; `packed` is its size in the image if compressed.
    fn add(&mut self, path: [&str; 4], bytes: &[u8], packed: u64, size: u64) {
        self.offsets.push(self.attributes.len() as u32);
        for (kind, text) in (1_u8..).zip(path) {
            let at = self.string(text);
            self.attribute(kind, u64::from(at));
        }
        self.attribute(5, self.content.len() as u64);
        self.attribute(6, packed);
        self.attribute(7, size);
        if self.minor == 1 {
            self.attribute(8, 1);
        }
        self.attributes.push(0);
        self.content.extend(bytes);
    }

    pub(crate) fn stored(mut self, path: [&str; 4], bytes: &[u8]) -> Self {
        self.add(path, bytes, 0, bytes.len() as u64);
        self
    }

    /// Adds a resource as jlink's plugin of this name would, though always deflated.
    pub(crate) fn compressed(mut self, path: [&str; 4], bytes: &[u8], plugin: &str) -> Self {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        let _ = encoder.write_all(bytes);
        let body = encoder.finish().unwrap_or_default();
        let plugin = self.string(plugin);
        let mut packed = self.u32(0xCAFE_FAFA).to_vec();
        packed.extend(self.u64(body.len() as u64));
        packed.extend(self.u64(bytes.len() as u64));
        packed.extend(self.u32(plugin));
        packed.extend(self.u32(0));
        packed.push(1);
        packed.extend(body);
        self.add(path, &packed, packed.len() as u64, bytes.len() as u64);
        self
    }

    /// Writes an attribute with as few bytes as it takes; zero is left out.
    fn attribute(&mut self, kind: u8, value: u64) {
        let length = 8 - value.leading_zeros() as usize / 8;
        if length > 0 {
            self.attributes.push(kind << 3 | (length as u8 - 1));
            self.attributes.extend(&value.to_be_bytes()[8 - length..]);
        }
    }

    fn u32(&self, value: u32) -> [u8; 4] {
        if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn u64(&self, value: u64) -> [u8; 8] {
        if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = self.offsets.len() as u32;
        let header = [
            0xCAFE_DADA,
            1 << 16 | self.minor,
            0,
            count,
            count,
            self.attributes.len() as u32,
            self.strings.len() as u32,
        ];
        let mut out: Vec<u8> = header.iter().flat_map(|&word| self.u32(word)).collect();
        out.extend(vec![0; self.offsets.len() * 4]);
        out.extend(self.offsets.iter().flat_map(|&offset| self.u32(offset)));
        out.extend(&self.attributes);
        out.extend(&self.strings);
        out.extend(&self.content);
        out
    }
}

/// An image with one of everything.
pub(crate) fn sample(big_endian: bool) -> ImageWriter {
    ImageWriter::new(big_endian)
        .stored(["java.base", "java/lang", "Object", "class"], b"object")
        .stored(["java.base", "", "module-info", "class"], b"module")
        .stored(["java.base", "java/lang", "text", ""], b"text")
        .stored(["java.base", "META-INF/preview/java/lang", "Object", "class"], b"preview")
        .stored(["modules", "java.base", "java", ""], b"tree")
        .stored(["packages", "", "java", "lang"], b"tree")
        .stored(["", "", "modules", ""], b"tree")
        .compressed(["java.sql", "java/sql", "Driver", "class"], &[b'd'; 500], "zip")
}

#[test]
fn both_byte_orders_and_both_versions() -> Outcome {
    for (big_endian, minor) in [(false, 0), (true, 0), (false, 1), (true, 1)] {
        let mut writer = sample(big_endian);
        writer.minor = minor;
        writer = writer.stored(["java.base", "java/lang", "Last", "class"], b"last");
        let inputs = open_bytes(&writer.bytes())?;
        assert_eq!(problems(&inputs), [""; 0]);
        assert_eq!(
            names(&inputs, &inputs.classes),
            ["java/lang/Object", "java/sql/Driver", "java/lang/Last"]
        );
        let preview = "META-INF/preview/java/lang/Object.class";
        assert_eq!(names(&inputs, &inputs.resources), ["java/lang/text", preview]);
        assert_eq!(inputs.modules.len(), 1);
        assert_eq!(inputs.path(&inputs.classes[0]), "/java.base/java/lang/Object.class");
        assert_eq!(inputs.module(&inputs.classes[1]), Some(&b"java.sql"[..]));
        assert_eq!(read_class(&inputs, "java/lang/Object")?, b"object");
        assert_eq!(read_class(&inputs, "java/sql/Driver")?, [b'd'; 500]);
        let archive = &inputs.archives[inputs.classes[0].archive];
        assert_eq!((archive.kind, archive.origin), (Kind::Image, Origin::Input));
    }
    Ok(())
}

#[test]
fn compressions_that_are_not_supported_or_lie() -> Outcome {
    let writer = ImageWriter::new(false)
        .compressed(["m", "a", "A", "class"], b"a", "compact-cp")
        .stored(["m", "a", "B", "class"], b"b");
    let inputs = open_bytes(&writer.bytes())?;
    let problem = inputs.read(&inputs.classes[0]).err().ok_or("could be read")?;
    assert_eq!(problem.message, "jlink's compression `compact-cp` is not supported");
    assert_eq!(problem.entry.as_deref(), Some("/m/a/A.class"));
    assert!(problem.offset.is_some());
    assert_eq!(read_class(&inputs, "a/B")?, b"b");

    let mut writer = ImageWriter::new(false);
    writer.add(["m", "a", "A", "class"], b"", 0, 1 << 40);
    let inputs = open_bytes(&writer.bytes())?;
    let problem = inputs.read(&inputs.classes[0]).err().ok_or("could be read")?;
    assert!(problem.message.contains("reach past the image"));
    Ok(())
}

#[test]
fn a_string_without_an_end_costs_little() -> Outcome {
    let mut writer = ImageWriter::new(false);
    let long = "x".repeat(4 << 20);
    let most = "y".repeat((1 << 16) - 1);
    for _ in 0..1000 {
        writer.add(["m", "a", &long, "class"], b"", 0, 0);
    }
    let writer = writer.stored(["m", "a", &most, "class"], b"").stored(["m", "a", "B", "class"], b"b");
    let start = std::time::Instant::now();
    let inputs = open_bytes(&writer.bytes())?;
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    assert_eq!(inputs.classes.len(), 2);
    assert_eq!(read_class(&inputs, "a/B")?, b"b");
    assert!(inputs.problems[0].message.ends_with("has no end within 65536 bytes"));
    assert_eq!(inputs.archives[inputs.classes[0].archive].counts.problems, 1000);
    Ok(())
}

#[test]
fn what_is_compressed_is_not_mapped() -> Outcome {
    let inputs = open_bytes(&sample(false).bytes())?;
    let mapped: Vec<_> = inputs.classes.iter().map(|class| inputs.is_mapped(class)).collect();
    assert_eq!(mapped, [true, false]);
    Ok(())
}

#[test]
fn broken_indexes() -> Outcome {
    let bytes = sample(false).bytes();
    let with = |at: usize, value: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    for (bytes, message) in [
        (with(4, 2 << 16), "unknown image version 2.0"),
        (with(16, u32::MAX), "the index needs"),
        (with(20, u32::MAX), "the index needs"),
        (with(24, u32::MAX), "the index needs"),
    ] {
        let inputs = open_bytes(&bytes)?;
        assert!(inputs.classes.is_empty() && inputs.problems[0].message.starts_with(message));
    }
    // The first location out of place costs one class; the others stay.
    let inputs = open_bytes(&with(28 + 8 * 4, 1 << 30))?;
    assert_eq!(names(&inputs, &inputs.classes), ["java/sql/Driver"]);
    assert_eq!(inputs.problems[0].message, "the location lies outside its table");
    Ok(())
}
