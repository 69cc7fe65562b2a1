//! Modified UTF-8 (JVMS 4.4.7), the encoding of every string in a class file.

/// Decodes for people to read: lone surrogates and damage become U+FFFD.
pub fn decode_lossy(bytes: &[u8]) -> String {
    char::decode_utf16(code_units(bytes)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Encodes text as a class file would hold it.
pub fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        match unit {
            1..=0x7f => out.push(unit as u8),
            0 | 0x80..=0x7ff => out.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
            _ => out.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    out
}

/// The UTF-16 code units, as `String.charAt` would give them; damage becomes U+FFFD.
pub fn code_units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (unit, tail) = match rest {
            [] => return None,
            &[a @ 1..=0x7f, ref tail @ ..] => (u16::from(a), tail),
            &[a @ 0xc0..=0xdf, b @ 0x80..=0xbf, ref tail @ ..] => (bits(a, 0x1f) << 6 | bits(b, 0x3f), tail),
            &[a @ 0xe0..=0xef, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ref tail @ ..] => {
                (bits(a, 0x0f) << 12 | bits(b, 0x3f) << 6 | bits(c, 0x3f), tail)
            }
            [_, tail @ ..] => (0xfffd, tail),
        };
        rest = tail;
        Some(unit)
    })
}

fn bits(byte: u8, mask: u8) -> u16 {
    u16::from(byte & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for text in ["", "plain", "nul\0in it", "grün €", "\u{1f600} beyond the BMP"] {
            assert_eq!(decode_lossy(&encode(text)), text);
        }
    }

    #[test]
    fn damage_is_replaced() {
        assert_eq!(decode_lossy(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(decode_lossy(b"\xed\xa0\x80"), "\u{fffd}");
        assert_eq!(decode_lossy(b"\xe2\x82"), "\u{fffd}\u{fffd}");
    }
}
