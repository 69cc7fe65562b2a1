//! Who provides a service.

use heliostat_index::Ids;
use heliostat_program::{ClassId, TypeId};
use heliostat_pta::facts::{CodeId, MadeUp, ProvidedBy};

use crate::world::World;

impl World<'_> {
    /// What makes the providers of a service that come to be in this way.
    pub(crate) fn providers(&self, service: TypeId, by: ProvidedBy) -> Vec<CodeId> {
        let providers = self.services.iter().filter(|s| s.service == service).map(|s| s.provider);
        let meant = providers.filter(|&class| self.has_provider_method(class) == (by == ProvidedBy::Method));
        meant.filter_map(|class| self.code_of(MadeUp::Provider(class))).collect()
    }

    /// Whether a class has a method `public static … provider()`.
    fn has_provider_method(&self, class: ClassId) -> bool {
        Ids::between(self.program.classes()[class].methods.clone()).any(|method| {
            let data = &self.program.methods()[method];
            let selector = self.program.selector(data.selector);
            let is_named_so = self.program.symbols.bytes(selector.name) == b"provider";
            let takes_nothing = self.program.method_type(selector.descriptor).parameters.is_empty();
            is_named_so && takes_nothing && data.flags.is_public() && data.flags.is_static()
        })
    }
}
