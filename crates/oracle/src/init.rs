//! Class initialisation (JVMS 5.5).

use heliostat_index::Ids;
use heliostat_program::{ClassId, MethodId};
use heliostat_pta::facts::{CodeId, Facts, MadeUp};

use crate::world::World;

impl World<'_> {
    /// Step 7: what is initialised before a class. Nothing is initialised because of an interface.
    pub(crate) fn initialised_before(&self, class: ClassId) -> Vec<ClassId> {
        if self.program.classes()[class].flags.is_interface() {
            return Vec::new();
        }
        let interfaces = self.program.super_interfaces(class).iter().copied();
        let with_defaults = interfaces.filter(|&interface| self.has_default_method(interface));
        self.program.super_class(class).into_iter().chain(with_defaults).collect()
    }

    fn has_default_method(&self, interface: ClassId) -> bool {
        Ids::between(self.program.classes()[interface].methods.clone()).any(|method| {
            let flags = self.program.methods()[method].flags;
            !flags.is_abstract() && !flags.is_static()
        })
    }

    /// Whether a class is, or is above, the one whose code it is; a lambda's is the one that has it.
    pub(crate) fn is_above_code(&self, class: ClassId, code: CodeId) -> bool {
        let own = match (self.facts.method(code), self.facts.made_up(code)) {
            (Some(method), _) => self.program.methods()[method].class,
            (None, Some(MadeUp::Lambda(lambda))) => self.facts.lambda(lambda).class,
            (None, _) => return false,
        };
        self.program.super_classes(own).any(|above| above == class)
    }

    /// Step 9: the class initialiser, if the class has one.
    pub(crate) fn initialiser(&self, class: ClassId) -> Option<CodeId> {
        let method: MethodId =
            self.program.declared_method(class, self.program.find_selector("<clinit>", "()V")?)?;
        Some(Facts::code(method))
    }
}
