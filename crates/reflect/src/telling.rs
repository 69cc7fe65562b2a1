//! Which string constants are told apart: those that name a class or a member. All others are one object (APLAS'15, 3.1).

use std::rc::Rc;

use heliostat_index::Symbol;
use heliostat_program::{ClassId, Program};
use heliostat_pta::facts::AllocKind;
use heliostat_pta::reflection::Strings;

use crate::areas::Areas;
use crate::strings::{Kind, Names};

/// The names of the program, and whose constants are whose.
pub(crate) struct Telling {
    names: Names,
    areas: Rc<Areas>,
}

impl Telling {
    pub(crate) fn new(program: &Program, areas: Rc<Areas>) -> Self {
        Self { names: Names::new(program), areas }
    }
}

impl Strings for Telling {
    fn kind(&self, program: &Program, class: Option<ClassId>, text: Symbol) -> AllocKind {
        let is_member = [Kind::Method, Kind::Field].iter().any(|&kind| self.names.is_member(kind, text));
        let is_told = is_member || Names::class(program, program.symbols.bytes(text)).is_some();
        match class {
            _ if !is_told => AllocKind::Strings,
            Some(class) if self.areas.is_platform(class) => AllocKind::LibraryString(text),
            _ => AllocKind::String(text),
        }
    }
}
