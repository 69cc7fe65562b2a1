//! The JDK behind the sections' programs.

use std::collections::BTreeSet;

use bytes::Bytes;
use heliostat_core::program::{ClassId, Program, TypeId};
use heliostat_index::Ids;

/// The classes of a JDK, read once for all sections.
pub struct Library {
    program: Program,
}

impl Library {
    /// The library that consists of the classes of a program.
    pub fn new(program: Program) -> Self {
        Self { program }
    }

    /// The class files of all library classes that a linked program names, and of those above them. To a
    /// program that names no others they are as good as the whole JDK, and there are few.
    pub(crate) fn named_by(&self, program: &Program) -> Vec<Bytes> {
        let mut needed = BTreeSet::new();
        for ty in Ids::<TypeId>::new(0..program.types.len()).filter(|&ty| program.types.is_missing(ty)) {
            if let Some(class) = self.program.find_class(&program.type_name(ty)) {
                needed.extend(self.with_supertypes(class));
            }
        }
        needed.into_iter().map(|class| self.program.classes()[class].bytes.clone()).collect()
    }

    /// All class files.
    pub(crate) fn classes(&self) -> impl Iterator<Item = Bytes> {
        self.program.classes().values().map(|class| class.bytes.clone())
    }

    fn with_supertypes(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        self.program.super_classes(class).chain(self.program.super_interfaces(class).iter().copied())
    }
}
