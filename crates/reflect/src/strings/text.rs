//! Modified UTF-8 by its characters: what `String.length` counts are UTF-16 code units, each of which is encoded by itself.

/// How many characters a text has.
pub(super) fn length(text: &[u8]) -> usize {
    if text.is_ascii() { text.len() } else { text.iter().filter(|&&byte| begins(byte)).count() }
}

/// The byte at which a character begins, or the end for one past the last; none beyond that.
pub(super) fn offset(text: &[u8], characters: usize) -> Option<usize> {
    if text.is_ascii() {
        return (characters <= text.len()).then_some(characters);
    }
    let beginnings = text.iter().enumerate().filter(|&(_, &byte)| begins(byte)).map(|(at, _)| at);
    beginnings.chain([text.len()]).nth(characters)
}

/// The first so many characters, and the rest; all and nothing if there are fewer.
pub(super) fn split_first(text: &[u8], characters: usize) -> (&[u8], &[u8]) {
    text.split_at(offset(text, characters).unwrap_or(text.len()))
}

/// All but the last so many characters, and those; nothing and all if there are fewer.
pub(super) fn split_last(text: &[u8], characters: usize) -> (&[u8], &[u8]) {
    let kept = length(text).saturating_sub(characters);
    text.split_at(offset(text, kept).unwrap_or(0))
}

/// The characters, each as its bytes.
pub(super) fn characters(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    text.chunk_by(|_, &next| !begins(next))
}

/// Where a part first begins at or after a byte.
pub(super) fn find(text: &[u8], part: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    if part.is_empty() {
        return Some(from);
    }
    rest.windows(part.len()).position(|window| window == part).map(|at| from + at)
}

/// Where a part last begins.
pub(super) fn find_last(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(text.len());
    }
    text.windows(part.len()).rposition(|window| window == part)
}

/// Whether a byte is the first of a character.
fn begins(byte: u8) -> bool {
    !matches!(byte, 0x80..=0xbf)
}

#[cfg(test)]
mod tests {
    use heliostat_classfile::mutf8::{code_units, encode};

    use super::*;

    #[test]
    fn characters_are_utf16_code_units() {
        for plain in ["", "abc", "grün", "a€b", "\u{1f600}", "nul\0"] {
            let text = encode(plain);
            let units = code_units(&text).count();
            assert_eq!(length(&text), units, "{plain}");
            assert_eq!(characters(&text).count(), units, "{plain}");
            assert_eq!(offset(&text, units), Some(text.len()), "{plain}");
            assert_eq!(offset(&text, units + 1), None, "{plain}");
            assert_eq!(split_last(&text, 1).1, characters(&text).next_back().unwrap_or(b""), "{plain}");
        }
        assert_eq!(split_first(&encode("grün"), 3), (&*encode("grü"), &*encode("n")));
    }

    #[test]
    fn parts_are_found_from_both_ends() {
        assert_eq!(find(b"a.b.c", b".", 0), Some(1));
        assert_eq!(find(b"a.b.c", b".", 2), Some(3));
        assert_eq!(find(b"a.b.c", b"..", 0), None);
        assert_eq!((find(b"ab", b"", 1), find(b"ab", b"", 3)), (Some(1), None));
        assert_eq!(find_last(b"a.b.c", b"."), Some(3));
        assert_eq!(find_last(b"abc", b""), Some(3));
    }
}
