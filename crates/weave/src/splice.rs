//! Changes of a sequence of bytes, made all at once.

/// Replaces ranges of bytes, in order.
pub(crate) struct Splice<'a> {
    from: &'a [u8],
    to: Vec<u8>,
    done: usize,
}

impl<'a> Splice<'a> {
    pub(crate) fn new(from: &'a [u8]) -> Self {
        Self { from, to: Vec::with_capacity(from.len() * 2), done: 0 }
    }

    /// Replaces `length` bytes at an offset, which must not lie before the last change.
    pub(crate) fn replace(&mut self, offset: usize, length: usize, by: &[u8]) {
        self.to.extend(self.from.get(self.done..offset).unwrap_or(&[]));
        self.to.extend(by);
        self.done = offset + length;
    }

    pub(crate) fn insert(&mut self, offset: usize, bytes: &[u8]) {
        self.replace(offset, 0, bytes);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.to.extend(self.from.get(self.done..).unwrap_or(&[]));
        self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_inserts_and_keeps_the_rest() {
        let mut splice = Splice::new(b"abcdef");
        splice.insert(1, b"-");
        splice.replace(2, 2, b"X");
        assert_eq!(splice.finish(), b"a-bXef");
    }
}
