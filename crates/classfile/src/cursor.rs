//! A cursor over big-endian bytes that knows its offset in the class file.

use crate::{Malformed, What};

/// Reads forward; every read past the end is a [`Malformed`] with its offset.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// Next byte to read, relative to `bytes`.
    at: usize,
    /// Offset of `bytes` in the class file.
    base: u32,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: u32) -> Self {
        Self { bytes, at: 0, base }
    }

    /// Offset in the class file of the next byte.
    pub(crate) fn offset(&self) -> u32 {
        self.base.saturating_add(self.at as u32)
    }

    pub(crate) fn error(&self, what: What) -> Malformed {
        Malformed { offset: self.offset(), what }
    }

    /// The number of bytes left.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(crate) fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let taken = rest.get(..n).ok_or(self.error(What::Truncated))?;
        self.at += n;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        match self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<N>) {
            Some(&chunk) => {
                self.at += N;
                Ok(chunk)
            }
            None => Err(self.error(What::Truncated)),
        }
    }

    pub(crate) fn u1(&mut self) -> Result<u8, Malformed> {
        self.array::<1>().map(|[b]| b)
    }

    pub(crate) fn u2(&mut self) -> Result<u16, Malformed> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u4(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn i1(&mut self) -> Result<i8, Malformed> {
        self.array().map(i8::from_be_bytes)
    }

    pub(crate) fn i2(&mut self) -> Result<i16, Malformed> {
        self.array().map(i16::from_be_bytes)
    }

    pub(crate) fn i4(&mut self) -> Result<i32, Malformed> {
        self.array().map(i32::from_be_bytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u64, Malformed> {
        self.array().map(u64::from_be_bytes)
    }
}
