//! Zip files without a central directory, such as those whose download broke off.
//!
//! Every entry has a header in front of its bytes, too. We walk from one to the next and take what is whole.

use rawzip::CompressionMethod;

use crate::Limits;
use crate::inflate;
use crate::zip::{Content, Record};

/// The first bytes of a local header.
const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
/// The fixed part of a local header; name and extra field follow.
const FIXED: usize = 30;
/// The longest script in front of an executable jar.
const SCRIPT_BYTES: usize = 1 << 16;
/// The flag of an entry whose sizes follow its bytes.
const SIZES_FOLLOW: u16 = 1 << 3;

/// Adds the entries that local headers describe, at most `limit`, to `records`; returns where the last one ends.
/// A file that does not begin like a zip file is not taken for one.
pub(crate) fn local_entries(data: &[u8], limit: usize, limits: &Limits, records: &mut Vec<Record>) -> usize {
    // Where a size is not written, only inflating tells it: no more of that than all classes may take.
    let mut budget = limits.class_bytes;
    let mut end = 0;
    let mut next = first_entry(data);
    while let Some(at) = next.filter(|_| records.len() < limit) {
        let Some(header) = Header::parse(data, at) else { break };
        let start = header.content;
        let from = match header.sizes(data, &mut budget) {
            Some((packed, size)) => {
                // The file breaks off inside this entry. What looks like a header in there may be a nested jar's.
                let Some(stop) = start.checked_add(packed).filter(|&stop| stop <= data.len()) else { break };
                records.push(header.record(at, start..stop, size));
                end = stop;
                stop
            }
            None => start,
        };
        next = find(data, from);
    }
    end
}

/// Where the first entry is: at the begin, or behind the shell script of an executable jar.
pub(crate) fn first_entry(data: &[u8]) -> Option<usize> {
    if data.starts_with(LOCAL_HEADER) {
        return Some(0);
    }
    let head = data.get(..data.len().min(SCRIPT_BYTES)).filter(|head| head.starts_with(b"#!"))?;
    find(head, 0)
}

/// What we want to know from a local header.
struct Header {
    flags: u16,
    method: CompressionMethod,
    packed: u32,
    size: u32,
    name: usize,
    content: usize,
}

impl Header {
    fn parse(data: &[u8], at: usize) -> Option<Self> {
        let fixed: &[u8; FIXED] = data.get(at..)?.first_chunk()?;
        let u16_at = |at: usize| fixed.get(at..)?.first_chunk().map(|&bytes| u16::from_le_bytes(bytes));
        let u32_at = |at: usize| fixed.get(at..)?.first_chunk().map(|&bytes| u32::from_le_bytes(bytes));
        let name = usize::from(u16_at(26)?);
        let content = at + FIXED + name + usize::from(u16_at(28)?);
        Some(Self {
            flags: u16_at(6)?,
            method: CompressionMethod::from(u16_at(8)?),
            packed: u32_at(18)?,
            size: u32_at(22)?,
            name,
            content,
        })
        .filter(|header| header.content <= data.len())
    }

    /// The packed and the unpacked size. If they are not here, a deflate stream shows its own end; nothing else does.
    fn sizes(&self, data: &[u8], budget: &mut u64) -> Option<(usize, u64)> {
        let elsewhere = self.flags & SIZES_FOLLOW != 0 && self.packed == 0 || self.packed == u32::MAX;
        if !elsewhere {
            return Some((self.packed as usize, u64::from(self.size)));
        }
        let is_deflated = self.method == CompressionMethod::DEFLATE;
        let (packed, size) = inflate::measure(data.get(self.content..).filter(|_| is_deflated)?, budget)?;
        Some((packed as usize, size))
    }

    fn record(&self, at: usize, content: std::ops::Range<usize>, size: u64) -> Record {
        Record {
            content: Content::Found(content),
            header: at as u64,
            name: at + FIXED..at + FIXED + self.name,
            method: self.method,
            size,
            encrypted: self.flags & 1 != 0,
        }
    }
}

/// The offset of the next local header.
fn find(data: &[u8], from: usize) -> Option<usize> {
    let mut windows = data.get(from..)?.windows(LOCAL_HEADER.len());
    windows.position(|window| window == LOCAL_HEADER).map(|at| from + at)
}
