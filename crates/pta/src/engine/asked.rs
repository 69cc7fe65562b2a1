//! What the library asks of classes by reflection: providers of services, and the constants of enums.

use heliostat_index::BlockBits;
use heliostat_program::TypeId;
use heliostat_solve::{ObjectId, Solver};

use super::{Engine, InstanceId, Waiting};
use crate::contexts::ContextId;
use crate::facts::{Ask, CodeId, MadeUp, SiteId};
use crate::model_code::values_method;

impl Engine<'_> {
    /// Calls what does what the classes of class objects are asked for. It is done once for all who ask.
    pub(super) fn call_asked(
        &mut self,
        solver: &mut Solver<Waiting>,
        caller: InstanceId,
        site: SiteId,
        ask: Ask,
        classes: &[BlockBits],
    ) {
        for class in classes.iter().flat_map(|block| block.ids::<ObjectId>()) {
            let Some(class) = self.class_behind(class) else { continue };
            for code in self.asked(class, ask) {
                self.link(solver, caller, site, code, ContextId::EMPTY);
            }
        }
    }

    fn asked(&mut self, ty: TypeId, ask: Ask) -> Vec<CodeId> {
        match ask {
            Ask::Constants => self.constants(ty).into_iter().collect(),
            Ask::Constructed | Ask::Provided => self.providers(ty, ask),
        }
    }

    fn constants(&mut self, ty: TypeId) -> Option<CodeId> {
        let class = self.program.class_of(ty)?;
        values_method(self.program, class)?;
        Some(self.facts.make_up(MadeUp::Asked(Ask::Constants, class)))
    }

    fn providers(&mut self, service: TypeId, ask: Ask) -> Vec<CodeId> {
        let all = self.options.services.iter().filter(|known| known.service == service);
        let mut codes = Vec::new();
        for provider in all.map(|known| known.provider) {
            if Ask::of_provider(self.program, provider) == ask {
                codes.push(self.facts.make_up(MadeUp::Asked(ask, provider)));
            }
        }
        codes
    }
}
