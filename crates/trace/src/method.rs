//! Methods, by their names.

use std::fmt;

use heliostat_classfile::mutf8;

heliostat_index::id! {
    /// A method of a trace. Ids are in the order of the methods' texts.
    pub struct TracedId = "m";
}

/// A method by its names. Classes of the same name that different loaders have loaded are not told apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Method {
    /// Internal name of its class, as `java/lang/String`.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

impl Method {
    pub(crate) fn new(class: &[u8], name: &[u8], descriptor: &[u8]) -> Self {
        let [class, name, descriptor] = [class, name, descriptor].map(mutf8::decode_lossy);
        Self { class, name, descriptor }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.name, self.descriptor)
    }
}
