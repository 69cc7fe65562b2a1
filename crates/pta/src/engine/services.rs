//! Services: `ServiceLoader` makes the providers of those that it is asked for.

use heliostat_index::BlockBits;
use heliostat_program::TypeId;
use heliostat_solve::{ObjectId, Solver};

use super::{Engine, InstanceId, Waiting};
use crate::contexts::ContextId;
use crate::facts::{CodeId, MadeUp, ProvidedBy, SiteId};

impl Engine<'_> {
    /// Calls what makes the providers of the services of class objects. They are made once for all who ask.
    pub(super) fn call_providers(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        by: ProvidedBy,
        services: &[BlockBits],
    ) {
        for service in services.iter().flat_map(|block| block.ids::<ObjectId>()) {
            let Some(service) = self.class_behind(service) else { continue };
            for code in self.providers(service, by) {
                self.link(solver, caller, site, code, ContextId::EMPTY);
            }
        }
    }

    fn providers(&mut self, service: TypeId, by: ProvidedBy) -> Vec<CodeId> {
        let all = self.options.services.iter().filter(|known| known.service == service);
        let mut codes = Vec::new();
        for provider in all.map(|known| known.provider) {
            if ProvidedBy::of(self.program, provider) == by {
                codes.push(self.facts.make_up(MadeUp::Provider(provider)));
            }
        }
        codes
    }
}
