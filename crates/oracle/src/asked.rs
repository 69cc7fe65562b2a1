//! What classes are asked for: who provides a service, and which constants an enum has.

use heliostat_index::Ids;
use heliostat_program::{ClassId, TypeId};
use heliostat_pta::facts::{Ask, CodeId, MadeUp};

use crate::world::World;

impl World<'_> {
    /// What does what a class is asked for.
    pub(crate) fn asked(&self, ty: TypeId, ask: Ask) -> Vec<CodeId> {
        let asked: Vec<ClassId> = match ask {
            Ask::Constants => {
                self.program.class_of(ty).filter(|&class| self.is_enum(class)).into_iter().collect()
            }
            Ask::Constructed => {
                self.providers(ty).filter(|&class| !self.has_method(class, b"provider")).collect()
            }
            Ask::Provided => {
                self.providers(ty).filter(|&class| self.has_method(class, b"provider")).collect()
            }
        };
        asked.into_iter().filter_map(|class| self.code_of(MadeUp::Asked(ask, class))).collect()
    }

    fn providers(&self, service: TypeId) -> impl Iterator<Item = ClassId> {
        self.services.iter().filter(move |s| s.service == service).map(|s| s.provider)
    }

    /// Whether a class is an enum. The class of a constant with a body is marked as one, too, but has no constants of its own.
    fn is_enum(&self, class: ClassId) -> bool {
        self.program.classes()[class].flags.is_enum() && self.has_method(class, b"values")
    }

    /// Whether a class has a method `public static … name()`.
    fn has_method(&self, class: ClassId, name: &[u8]) -> bool {
        Ids::between(self.program.classes()[class].methods.clone()).any(|method| {
            let data = &self.program.methods()[method];
            let selector = self.program.selector(data.selector);
            let is_named_so = self.program.symbols.bytes(selector.name) == name;
            let takes_nothing = self.program.method_type(selector.descriptor).parameters.is_empty();
            is_named_so && takes_nothing && data.flags.is_public() && data.flags.is_static()
        })
    }
}
