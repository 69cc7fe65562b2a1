//! Entries that are added to a constant pool.

use std::collections::HashMap;

use crate::weave::Refused;

/// What is appended to the constant pool of a class. Each entry is added once.
pub(crate) struct Additions {
    /// The index of the next entry.
    next: u32,
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, u16>,
}

impl Additions {
    /// For a pool of this length.
    pub(crate) fn new(len: u16) -> Self {
        Self { next: len.into(), bytes: Vec::new(), known: HashMap::new() }
    }

    /// The number of entries of the pool with these.
    pub(crate) fn len(&self) -> u16 {
        self.next as u16
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn entry(&mut self, bytes: Vec<u8>, slots: u32) -> Result<u16, Refused> {
        if let Some(&known) = self.known.get(&bytes) {
            return Ok(known);
        }
        let index = u16::try_from(self.next).map_err(|_| Refused::PoolFull)?;
        if self.next + slots > u32::from(u16::MAX) {
            return Err(Refused::PoolFull);
        }
        self.next += slots;
        self.bytes.extend(&bytes);
        self.known.insert(bytes, index);
        Ok(index)
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> Result<u16, Refused> {
        let mut bytes = vec![tag];
        bytes.extend(first.to_be_bytes());
        bytes.extend(second.to_be_bytes());
        self.entry(bytes, 1)
    }

    pub(crate) fn utf8(&mut self, text: &[u8]) -> Result<u16, Refused> {
        let length = u16::try_from(text.len()).map_err(|_| Refused::PoolFull)?;
        let mut bytes = vec![1];
        bytes.extend(length.to_be_bytes());
        bytes.extend(text);
        self.entry(bytes, 1)
    }

    pub(crate) fn int(&mut self, value: u32) -> Result<u16, Refused> {
        let mut bytes = vec![3];
        bytes.extend(value.to_be_bytes());
        self.entry(bytes, 1)
    }

    pub(crate) fn long(&mut self, value: i64) -> Result<u16, Refused> {
        let mut bytes = vec![5];
        bytes.extend(value.to_be_bytes());
        self.entry(bytes, 2)
    }

    /// A class by its internal name, or an array type by its descriptor.
    pub(crate) fn class(&mut self, name: &[u8]) -> Result<u16, Refused> {
        let name = self.utf8(name)?;
        let mut bytes = vec![7];
        bytes.extend(name.to_be_bytes());
        self.entry(bytes, 1)
    }

    pub(crate) fn field(&mut self, owner: &[u8], name: &str, descriptor: &str) -> Result<u16, Refused> {
        self.member(9, owner, name, descriptor)
    }

    pub(crate) fn method(&mut self, owner: &[u8], name: &str, descriptor: &str) -> Result<u16, Refused> {
        self.member(10, owner, name, descriptor)
    }

    fn member(&mut self, tag: u8, owner: &[u8], name: &str, descriptor: &str) -> Result<u16, Refused> {
        let owner = self.class(owner)?;
        let (name, descriptor) = (self.utf8(name.as_bytes())?, self.utf8(descriptor.as_bytes())?);
        let named = self.pair(12, name, descriptor)?;
        self.pair(tag, owner, named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_added_once_and_a_long_takes_two() -> Result<(), Refused> {
        let mut added = Additions::new(10);
        assert_eq!((added.long(7)?, added.int(7)?, added.long(7)?), (10, 12, 10));
        let method = added.method(b"A", "f", "()V")?;
        assert_eq!(added.method(b"A", "f", "()V")?, method);
        assert_eq!(added.len(), method + 1);
        Ok(())
    }

    #[test]
    fn a_full_pool_is_refused() {
        let mut added = Additions::new(u16::MAX - 1);
        assert!(added.int(1).is_ok());
        assert!(matches!(added.int(2), Err(Refused::PoolFull)));
        assert!(added.int(1).is_ok());
    }
}
