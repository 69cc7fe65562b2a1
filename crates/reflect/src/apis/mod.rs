//! The reflection API: one file per family, each with the methods it listens to and the rules for them.

mod acting;
mod classes;
pub(crate) mod lookups;
pub(crate) mod reflected;
mod relatives;

use heliostat_index::Ids;
use heliostat_program::{ClassId, MethodId, Program};
use heliostat_pta::facts::{AllocId, CodeId, Facts};

use crate::rules::Rules;

/// What is done when objects are new at an argument.
type RuleFn = fn(&mut Rules<'_, '_>, usize, &[AllocId]);

/// Methods of the library that are listened to, and what they mean.
pub(crate) struct Api {
    /// As traces name it.
    pub(crate) name: &'static str,
    /// The class that declares them.
    pub(crate) class: &'static str,
    /// Their names, whatever their parameters.
    pub(crate) methods: &'static [&'static str],
    /// The arguments that matter: the receiver, if there is one, is number 0.
    pub(crate) positions: &'static [usize],
    /// Whether what they give is up to the rule.
    pub(crate) gives: bool,
    /// What is done when objects are new there.
    pub(crate) rule: RuleFn,
}

/// Where the library implements reflection and class loading itself: what is asked for there is part of what the program has asked for,
/// and the rules stand for it. Names of classes, and of packages with a slash at the end.
const INSIDE: &[&str] = &[
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/PublicMethods",
    "java/lang/invoke/",
    "java/lang/reflect/",
    "jdk/internal/loader/",
    "jdk/internal/org/objectweb/asm/",
    "jdk/internal/reflect/",
    "sun/invoke/",
    "sun/launcher/",
    "sun/reflect/",
];

/// Whether code is part of what implements reflection.
pub(crate) fn is_inside(program: &Program, facts: &Facts, code: CodeId) -> bool {
    let Some(method) = facts.method(code) else { return false };
    let class = program.symbols.bytes(program.types.name(program.owner(method)));
    INSIDE.iter().any(|&inside| match class.strip_prefix(inside.as_bytes()) {
        Some(rest) => rest.is_empty() || rest[0] == b'$' || inside.ends_with('/'),
        None => false,
    })
}

/// All that is listened to.
pub(crate) fn all() -> impl Iterator<Item = &'static Api> {
    [classes::APIS, relatives::APIS, lookups::APIS, acting::APIS].into_iter().flatten()
}

impl Api {
    /// The methods of a program that it means: those of its class, and what overrides them.
    pub(crate) fn find(&self, program: &Program) -> Vec<MethodId> {
        let Some(class) = program.find_class(self.class) else { return Vec::new() };
        let is_final = program.classes()[class].flags.is_final();
        let classes = if is_final { vec![class] } else { program.subtypes(class) };
        classes.into_iter().flat_map(|class| self.find_in(program, class)).collect()
    }

    fn find_in(&self, program: &Program, class: ClassId) -> Vec<MethodId> {
        let own = Ids::between(program.classes()[class].methods.clone());
        let is_meant = |&method: &MethodId| {
            let data: &heliostat_program::Method = &program.methods()[method];
            let name = program.symbols.bytes(program.selector(data.selector).name);
            self.methods.iter().any(|meant| meant.as_bytes() == name)
        };
        own.filter(is_meant).collect()
    }
}
