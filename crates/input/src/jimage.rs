//! The JDK's `lib/modules` image: all modules of a JDK in one file.
//!
//! The image is a header, a perfect hash table (`redirect` and `offsets`), location attributes, strings
//! and content. We list everything, so the hash is of no use: the offsets table names every location.
//! A location is a list of attributes, most of them offsets of NUL-terminated strings.

use std::ops::Range;

use bytes::Bytes;

use crate::Limits;
use crate::inflate::{Wrapping, inflate};
use crate::problem::Defect;

/// The first word of an image, in the byte order of the machine it was made for.
const MAGIC: u32 = 0xCAFE_DADA;
/// The first word of a resource that jlink compressed.
const RESOURCE_MAGIC: u32 = 0xCAFE_FAFA;
const HEADER: usize = 28;
const RESOURCE_HEADER: usize = 29;
/// jlink applies at most its two plugins, `compact-cp` and `zip`.
const COMPRESSION_LAYERS: usize = 4;
/// A class file cannot spell a longer name; many locations may share one string.
const STRING_BYTES: usize = 1 << 16;
/// Module, parent, base, extension, offset, compressed and uncompressed size, preview flags.
const ATTRIBUTES: usize = 9;

/// A mapped image.
pub(crate) struct Image {
    data: Bytes,
    order: Order,
    offsets: Range<usize>,
    attributes: Range<usize>,
    strings: Range<usize>,
}

/// One resource of an image; its path is `/module/parent/base.extension`.
#[derive(Debug)]
pub(crate) struct Location<'a> {
    pub(crate) module: &'a [u8],
    parent: &'a [u8],
    base: &'a [u8],
    extension: &'a [u8],
    offset: u64,
    packed: u64,
    size: u64,
}

impl Location<'_> {
    /// Whether this is a class or a resource, and not part of the tree that `jrt:/` shows.
    pub(crate) fn is_content(&self) -> bool {
        !matches!(self.module, b"" | b"modules" | b"packages")
    }

    /// Writes `parent/base.extension`, the name that a class loader would ask for.
    pub(crate) fn write_name(&self, out: &mut Vec<u8>) {
        if !self.parent.is_empty() {
            out.extend_from_slice(self.parent);
            out.push(b'/');
        }
        out.extend_from_slice(self.base);
        if !self.extension.is_empty() {
            out.push(b'.');
            out.extend_from_slice(self.extension);
        }
    }
}

/// Whether these bytes begin like an image.
pub(crate) fn is_image(bytes: &[u8]) -> bool {
    Order::detect(bytes, MAGIC).is_some()
}

impl Image {
    /// Reads the header and checks that the tables lie inside the file.
    pub(crate) fn open(data: Bytes) -> Result<Self, Defect> {
        let order = Order::detect(&data, MAGIC).ok_or_else(|| Defect::at(0, "not a modules image"))?;
        let word = |at| order.u32(&data, at).ok_or_else(|| Defect::at(at as u64, "the header is truncated"));
        let version = word(4)?;
        let (major, minor) = (version >> 16, version & 0xFFFF);
        if major != 1 || minor > 1 {
            return Err(Defect::at(4, format!("unknown image version {major}.{minor}")));
        }
        let table = word(16)? as usize * 4;
        let offsets = HEADER + table..HEADER + 2 * table;
        let attributes = offsets.end..offsets.end + word(20)? as usize;
        let strings = attributes.end..attributes.end + word(24)? as usize;
        if strings.end > data.len() {
            let message = format!("the index needs {} bytes, the image has {}", strings.end, data.len());
            return Err(Defect::at(16, message));
        }
        Ok(Self { data, order, offsets, attributes, strings })
    }

    /// The places of all locations in the attributes, as the hash table orders them.
    pub(crate) fn places(&self) -> impl ExactSizeIterator<Item = u32> {
        let table = self.data.get(self.offsets.clone()).unwrap_or_default();
        table.as_chunks::<4>().0.iter().map(|&word| self.order.word(word))
    }

    /// The location at a place in the attributes.
    pub(crate) fn location(&self, place: u32) -> Result<Location<'_>, Defect> {
        let values = self.attribute_values(place)?;
        let [_, module, parent, base, extension, offset, packed, size, _] = values;
        Ok(Location {
            module: self.string(module)?,
            parent: self.string(parent)?,
            base: self.string(base)?,
            extension: self.string(extension)?,
            offset,
            packed,
            size,
        })
    }

    /// Where the content of the location at `place` begins: an order in which reading is sequential.
    pub(crate) fn content_offset(&self, place: u32) -> u64 {
        self.attribute_values(place).map_or(u64::MAX, |[.., offset, _, _, _]| offset)
    }

    /// The values by attribute kind; absent ones are 0, which is the empty string or no size.
    fn attribute_values(&self, place: u32) -> Result<[u64; ATTRIBUTES], Defect> {
        let offset = (self.attributes.start + place as usize) as u64;
        let defect = |message| Defect::at(offset, message);
        let mut rest = self
            .data
            .get(self.attributes.clone())
            .and_then(|all| all.get(place as usize..))
            .ok_or_else(|| defect("the location lies outside its table"))?;
        let mut values = [0; ATTRIBUTES];
        loop {
            let (&tag, tail) = rest.split_first().ok_or_else(|| defect("the location is truncated"))?;
            if tag >> 3 == 0 {
                return Ok(values);
            }
            let length = usize::from(tag & 7) + 1;
            let (value, tail) =
                tail.split_at_checked(length).ok_or_else(|| defect("the location is truncated"))?;
            let slot = values.get_mut(usize::from(tag >> 3));
            // Values are most significant byte first, whatever the order of the image.
            *slot.ok_or_else(|| defect("the location has an unknown attribute"))? =
                value.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            rest = tail;
        }
    }

    fn string(&self, offset: u64) -> Result<&[u8], Defect> {
        let strings = self.data.get(self.strings.clone()).unwrap_or_default();
        let at = self.strings.start as u64;
        let rest = usize::try_from(offset).ok().and_then(|offset| strings.get(offset..));
        let rest = rest.filter(|rest| !rest.is_empty());
        let rest = rest.ok_or_else(|| {
            Defect::at(at, format!("no string at {offset} in the table of strings, which ends before"))
        })?;
        let string = rest.iter().take(STRING_BYTES).position(|&b| b == 0).and_then(|end| rest.get(..end));
        string.ok_or_else(|| {
            let message = format!("the string at {offset} has no end within {STRING_BYTES} bytes");
            Defect::at(at.saturating_add(offset), message)
        })
    }

    /// Whether the bytes of the location at a place are a slice of the image.
    pub(crate) fn is_stored(&self, place: u32) -> bool {
        self.attribute_values(place).is_ok_and(|[.., packed, _, _]| packed == 0)
    }

    /// The bytes of the location at a place: a slice of the image unless jlink compressed it.
    pub(crate) fn read(&self, place: u32, limits: &Limits) -> Result<Bytes, Defect> {
        let location = self.location(place)?;
        let start = (self.strings.end as u64).saturating_add(location.offset);
        let length = if location.packed == 0 { location.size } else { location.packed };
        let end = start.saturating_add(length);
        if end > self.data.len() as u64 {
            return Err(Defect::at(start, format!("{length} bytes of content reach past the image")));
        }
        let content = self.data.slice(start as usize..end as usize);
        if location.packed == 0 {
            return Ok(content);
        }
        self.decompress(content, limits).map_err(|defect| Defect { offset: Some(start), ..defect })
    }

    /// Undoes jlink's compression, which wraps a resource once per plugin.
    fn decompress(&self, mut content: Bytes, limits: &Limits) -> Result<Bytes, Defect> {
        for _ in 0..COMPRESSION_LAYERS {
            let Some(order) = Order::detect(&content, RESOURCE_MAGIC) else { return Ok(content) };
            let header = || {
                let sizes = order.u64(&content, 4).zip(order.u64(&content, 12))?;
                let name = order.u32(&content, 20)?;
                Some((sizes, name, content.get(RESOURCE_HEADER..)?))
            };
            let ((packed, size), name, rest) =
                header().ok_or_else(|| Defect::new("the header of the compressed resource is truncated"))?;
            let body = usize::try_from(packed).ok().and_then(|packed| rest.get(..packed));
            let body = body.ok_or_else(|| Defect::new("the compressed resource is truncated"))?;
            match self.string(u64::from(name))? {
                b"zip" => content = inflate(body, size, Wrapping::Zlib, limits)?.into(),
                other => {
                    let other = String::from_utf8_lossy(other);
                    return Err(Defect::new(format!("jlink's compression `{other}` is not supported")));
                }
            }
        }
        Err(Defect::new("the resource is compressed too often"))
    }
}

/// A byte order, told from a magic number.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn detect(bytes: &[u8], magic: u32) -> Option<Self> {
        let first = *bytes.first_chunk()?;
        if first == magic.to_le_bytes() {
            Some(Self::Little)
        } else {
            (first == magic.to_be_bytes()).then_some(Self::Big)
        }
    }

    fn word(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        bytes.get(at..)?.first_chunk().map(|&word| self.word(word))
    }

    fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => u64::from_le_bytes(bytes),
            Self::Big => u64::from_be_bytes(bytes),
        })
    }
}
