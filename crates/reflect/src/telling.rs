//! Which string constants are told apart: those that name a class or a member. All others are one object (APLAS'15, 3.1).

use std::rc::Rc;

use heliostat_index::{FastSet, Symbol};
use heliostat_program::{ClassId, Program};
use heliostat_pta::facts::AllocKind;
use heliostat_pta::reflection::Strings;

use crate::areas::Areas;
use crate::members::class_named;

/// The names of members.
pub(crate) struct Telling {
    members: FastSet<Symbol>,
    areas: Rc<Areas>,
}

impl Telling {
    pub(crate) fn new(program: &Program, areas: Rc<Areas>) -> Self {
        let methods = program.methods().values().map(|method| program.selector(method.selector).name);
        let fields = program.fields().values().map(|field| field.name);
        Self { members: methods.chain(fields).collect(), areas }
    }
}

impl Strings for Telling {
    fn kind(&self, program: &Program, class: Option<ClassId>, text: Symbol) -> AllocKind {
        let is_told =
            self.members.contains(&text) || class_named(program, program.symbols.bytes(text)).is_some();
        match class {
            _ if !is_told => AllocKind::Strings,
            Some(class) if self.areas.is_platform(class) => AllocKind::LibraryString(text),
            _ => AllocKind::String(text),
        }
    }
}
