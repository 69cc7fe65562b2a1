//! The name of a lone class file, which its path does not tell.

use crate::problem::Defect;

/// The first four bytes of a class file.
pub(crate) const MAGIC: [u8; 4] = [0xCA, 0xFE, 0xBA, 0xBE];

/// The internal name of the class in these bytes: walks the constant pool up to `this_class`.
pub(crate) fn this_class(bytes: &[u8]) -> Result<&[u8], Defect> {
    let count = u16_at(bytes, 8)?;
    // A constant takes three bytes or more, whatever number of them is claimed.
    let mut offsets = Vec::with_capacity(usize::from(count).min(bytes.len() / 3 + 1));
    offsets.push(0);
    let mut at = 10;
    while offsets.len() < usize::from(count) {
        let (size, slots) = constant_size(bytes, at)?;
        offsets.push(at);
        offsets.extend((1..slots).map(|_| 0));
        at += size;
    }
    let this_class = u16_at(bytes, at + 2)?;
    let class = constant(&offsets, this_class).filter(|&at| bytes.get(at) == Some(&7));
    let class = class.ok_or_else(|| Defect::at(at as u64 + 2, "`this_class` names no class constant"))?;
    let name_index = u16_at(bytes, class + 1)?;
    let name = constant(&offsets, name_index).filter(|&at| bytes.get(at) == Some(&1));
    let name = name.ok_or_else(|| Defect::at(class as u64 + 1, "the class constant names no text"))?;
    let length = usize::from(u16_at(bytes, name + 1)?);
    bytes.get(name + 3..name + 3 + length).ok_or_else(|| truncated(name))
}

fn constant(offsets: &[usize], index: u16) -> Option<usize> {
    offsets.get(usize::from(index)).copied().filter(|&at| at != 0)
}

/// The size of the constant at `at` in bytes, and how many indices it takes.
fn constant_size(bytes: &[u8], at: usize) -> Result<(usize, usize), Defect> {
    let tag = *bytes.get(at).ok_or_else(|| truncated(at))?;
    Ok(match tag {
        1 => (3 + usize::from(u16_at(bytes, at + 1)?), 1),
        7 | 8 | 16 | 19 | 20 => (3, 1),
        15 => (4, 1),
        3 | 4 | 9..=12 | 17 | 18 => (5, 1),
        5 | 6 => (9, 2),
        _ => return Err(Defect::at(at as u64, format!("unknown constant tag {tag}"))),
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, Defect> {
    let pair = bytes.get(at..).and_then(<[u8]>::first_chunk);
    pair.map(|&pair| u16::from_be_bytes(pair)).ok_or_else(|| truncated(at))
}

fn truncated(at: usize) -> Defect {
    Defect::at(at as u64, "the class file is truncated")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class file up to `this_class`, with a long constant in front of the name.
    const CLASS: &[u8] = b"\xCA\xFE\xBA\xBE\0\0\0\x3D\0\x05\
        \x05\0\0\0\0\0\0\0\x01\
        \x01\0\x03a/B\
        \x07\0\x03\
        \0\x21\0\x04";

    #[test]
    fn finds_the_name() {
        assert!(this_class(CLASS).is_ok_and(|name| name == b"a/B"));
    }

    #[test]
    fn any_prefix_and_any_changed_byte_is_no_panic() {
        for end in 0..CLASS.len() {
            assert!(CLASS.get(..end).is_some_and(|bytes| this_class(bytes).is_err()));
            for value in 0..=255 {
                let mut bytes = CLASS.to_vec();
                bytes.splice(end..=end, [value]);
                let _ = this_class(&bytes);
            }
        }
    }
}
