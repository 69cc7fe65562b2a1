//! Module declarations.

use heliostat_classfile::{ClassFile, Tag, mutf8};
use heliostat_input::{Entry, Origin};
use serde::Serialize;

use super::archives::place;
use crate::Opened;

/// A `module-info.class`.
#[derive(Debug, Clone, Serialize)]
pub struct Module {
    /// The module's name, if it can be read.
    pub name: Option<String>,
    /// The archive.
    pub archive: String,
    /// The path in it.
    pub path: String,
}

/// All but the JDK's, in the order of the archives.
pub(super) fn find(opened: &Opened) -> Vec<Module> {
    let inputs = &opened.inputs;
    let outside = inputs.modules.iter().filter(|entry| inputs.archives[entry.archive].origin != Origin::Jdk);
    let describe = |entry: &Entry| {
        let place = place(inputs, entry);
        let name = inputs.read(entry).ok().and_then(|bytes| module_name(&bytes));
        Module { name, archive: place.archive, path: place.path }
    };
    outside.map(describe).collect()
}

/// The name that a module declaration gives itself (JVMS 4.7.25).
fn module_name(bytes: &[u8]) -> Option<String> {
    let file = ClassFile::read(bytes).ok()?;
    let index = file.attribute("Module")?.bytes.first_chunk().copied().map(u16::from_be_bytes)?;
    if file.pool.tag(index) != Some(Tag::Module) {
        return None;
    }
    // An entry is its tag, here followed by the index of a name.
    let name = bytes.get(file.pool.offset(index) as usize + 1..)?.first_chunk().copied()?;
    file.pool.utf8(u16::from_be_bytes(name)).ok().map(mutf8::decode_lossy)
}
